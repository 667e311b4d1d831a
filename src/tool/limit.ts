/** Station 7: keeps a result small enough for a model; the rest is put aside, and the model is told where. */

import type { JsonObject } from "../base/json.ts";
import { cutText, cutTextStart, wellFormed } from "../base/text.ts";
import type { ToolChunk } from "../message/blocks.ts";

/** Keeps what did not fit and tells where; undefined when it cannot. */
export type SpillText = (name: string, text: string, signal: AbortSignal | undefined) => Promise<string | undefined>;

/** How large a result may be. */
export interface ResultLimit {
  /** UTF-16 units of text that reach the model. Defaults to {@link DEFAULT_RESULT_LIMIT}. */
  characters?: number;
  /** Where the whole text goes when it is longer. */
  spill?: SpillText;
}

/** UTF-16 units of text that reach the model when nothing else is said. */
export const DEFAULT_RESULT_LIMIT = 50_000;

/** The most UTF-16 units of one result that are kept for putting aside; what comes after is dropped. */
export const MAX_SPILL: number = 16 << 20;

/** The most base64 units of data in one result; further data blocks become a note. */
export const MAX_RESULT_DATA: number = 32 << 20;

/** A result on its way out. */
export interface Limiter {
  /** Takes a chunk and gives what of it may go out now. */
  pass(chunk: ToolChunk): ToolChunk;
  /** Gives what was held back: the rest, or a note and the tail. Undefined when nothing was. */
  finish(signal: AbortSignal | undefined): Promise<ToolChunk | undefined>;
}

/** The share of the limit that is kept from the start; the other part comes from the end. */
const HEAD_SHARE = 0.7;

/**
 * Makes a limiter for one call. Text up to the head's share goes out at once; what follows waits, because only the
 * end tells whether it fits.
 *
 * @param toolCallId The id of the call; names what is put aside.
 * @param limit How large the result may be.
 */
export function createLimiter(toolCallId: string, limit: ResultLimit): Limiter {
  const most = limit.characters ?? DEFAULT_RESULT_LIMIT;
  const headMost = Math.floor(most * HEAD_SHARE);
  const head: string[] = [];
  const held: string[] = [];
  let headLength = 0;
  let heldLength = 0;
  let dropped = 0;
  let data = 0;
  // Half a surrogate pair waits for the other half, which may come with the next chunk.
  let carry = "";
  const takeText = (piece: string): string => {
    const whole = carry + piece;
    carry = /[\ud800-\udbff]$/.exec(whole)?.[0] ?? "";
    const text = carry === "" ? whole : whole.slice(0, -1);
    const now = heldLength > 0 ? "" : cutText(text, headMost - headLength);
    if (now !== "") head.push(now);
    headLength += now.length;
    const rest = text.slice(now.length);
    if (headLength + heldLength + rest.length > MAX_SPILL) dropped += rest.length;
    else if (rest !== "") {
      held.push(rest);
      heldLength += rest.length;
    }
    return now;
  };
  return {
    pass(chunk) {
      const content: ToolChunk["content"] = [];
      for (const block of chunk.content) {
        if (block.type === "text") {
          const text = takeText(block.text);
          if (text !== "" || block.text === "") content.push({ ...block, text: wellFormed(text) });
        } else if ((data += block.source.type === "base64" ? block.source.data.length : 0) <= MAX_RESULT_DATA) content.push(block);
        else content.push({ type: "text", text: `[${block.name ?? "data"} left out: more than ${MAX_RESULT_DATA} characters of base64 in one result]` });
      }
      return { ...chunk, content };
    },
    async finish(signal) {
      if (carry !== "") held.push(carry);
      heldLength += carry.length;
      if (heldLength + dropped === 0) return undefined;
      const rest = held.join("");
      if (dropped === 0 && headLength + heldLength <= most) return { content: [{ type: "text", text: wellFormed(rest) }] };
      const total = headLength + heldLength + dropped;
      const tail = cutTextStart(rest, most - headLength);
      const path = await limit.spill?.(toolCallId, head.join("") + rest, signal);
      return { content: [{ type: "text", text: wellFormed(note(total, headLength, tail.length, path) + tail) }], metadata: facts(total, path) };
    },
  };
}

function note(total: number, head: number, tail: number, path: string | undefined): string {
  const where = path === undefined ? "The rest was not kept; ask for less at once." : `The whole text is in ${path}; read the part you need from there.`;
  return `\n\n[… ${total - head - tail} of ${total} characters left out here. ${where}]\n\n`;
}

function facts(total: number, path: string | undefined): JsonObject {
  return { truncated: path === undefined ? { characters: total } : { characters: total, path } };
}
