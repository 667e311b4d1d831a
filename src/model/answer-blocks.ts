/** Reads text, thinking and images out of the messages of a chat answer. */

import type { MakeId } from "../base/ids.ts";
import { isRecord } from "../base/json.ts";
import type { ModelPart } from "./chat-model.ts";

/** The blocks of one answer beside its tool calls. */
export interface AnswerBlocks {
  /** Takes a `delta` or a whole `message`. */
  take(message: Record<string, unknown>): Iterable<ModelPart>;
  /** Makes what comes next start a new block. */
  close(): void;
}

/** Starts with no block open. */
export function createAnswerBlocks(makeId: MakeId): AnswerBlocks {
  let open: { type: "text" | "thinking"; id: string } | undefined;

  function* add(type: "text" | "thinking", delta: unknown): Generator<ModelPart> {
    if (typeof delta !== "string" || delta === "") return;
    if (open?.type !== type) open = { type, id: makeId() };
    yield { type, id: open.id, delta };
  }

  function* addImage(image: unknown): Generator<ModelPart> {
    const inner = isRecord(image) ? image.image_url : undefined;
    const data = inlineData(isRecord(inner) ? inner.url : inner);
    if (data === undefined) return;
    open = undefined;
    yield { type: "data", id: makeId(), ...data };
  }

  /** Content is text, or pieces of which each names its type. */
  function* addContent(content: unknown): Generator<ModelPart> {
    if (!Array.isArray(content)) return yield* add("text", content);
    for (const piece of content) {
      if (!isRecord(piece)) continue;
      if (piece.type === "thinking") yield* add("thinking", joinText(piece.thinking));
      else if (piece.type === "image_url") yield* addImage(piece);
      else yield* add("text", piece.text);
    }
  }

  return {
    *take(message) {
      yield* add("thinking", thinkingOf(message));
      yield* addContent(message.content);
      yield* add("text", message.refusal);
      if (Array.isArray(message.images)) for (const image of message.images) yield* addImage(image);
    },
    close() {
      open = undefined;
    },
  };
}

/** Servers agree on no name for it; where two are given they say the same. */
function thinkingOf(message: Record<string, unknown>): unknown {
  return [message.reasoning_content, message.reasoning, message.thinking].find(
    (text) => typeof text === "string" && text !== "",
  );
}

function joinText(pieces: unknown): string {
  if (typeof pieces === "string") return pieces;
  if (!Array.isArray(pieces)) return "";
  return pieces.map((piece) => (isRecord(piece) && typeof piece.text === "string" ? piece.text : "")).join("");
}

/** Only images that travel inside the answer count; nothing is fetched. */
function inlineData(url: unknown): { mediaType: string; data: string } | undefined {
  if (typeof url !== "string" || !url.startsWith("data:")) return undefined;
  const comma = url.indexOf(",");
  const head = url.slice("data:".length, Math.max(comma, 0));
  if (!head.endsWith(";base64")) return undefined;
  return { mediaType: head.split(";", 1)[0] ?? "", data: url.slice(comma + 1) };
}
