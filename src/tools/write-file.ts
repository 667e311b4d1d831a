/** What Write does: creates a file, or replaces the content of one that is known. */

import type { Backend } from "../backend/backend.ts";
import { type Breather, createBreather, takeInTurns } from "../backend/breather.ts";
import { equalBytes } from "../base/bytes.ts";
import { countLines, lineEndsOf } from "../base/line-ends.ts";
import type { Steps } from "../base/steps.ts";
import { plural } from "../base/text.ts";
import type { ToolChunk } from "../message/blocks.ts";
import type { ToolCallContext } from "../tool/tool.ts";
import { ToolResult } from "../tool/tool-result.ts";
import { refusal } from "./answer.ts";
import { type FileChange, isConflict, lookUpForChange, requireWellFormed, writeChange } from "./change-file.ts";
import type { Target } from "./file-access.ts";
import { createFileText, type FileText, type TextPiece } from "./file-text.ts";
import { MAX_EDIT_BYTES } from "./limits.ts";
import { toPath } from "./paths.ts";
import { describeChange, requireKnown } from "./read-memory.ts";
import { decodeTextSteps, detectForm, encodeTextSteps, type TextFile, toFileText } from "./text-file.ts";
import { inTurn } from "./turns.ts";

/** What to write. */
export interface WriteCall {
  backend: Backend;
  /** The path as the model wrote it. */
  path: string;
  content: string;
  call: ToolCallContext;
}

/**
 * Creates or replaces a file, all or nothing.
 *
 * @throws HoldallError when nothing was written.
 */
export async function writeFile(writing: WriteCall): Promise<string | ToolChunk> {
  const { backend, path, content, call } = writing;
  requireWellFormed("content", content);
  return inTurn(call.state, toPath(backend, path), call.signal, () => writeInTurn(writing));
}

async function writeInTurn({ backend, path, content, call }: WriteCall): Promise<string | ToolChunk> {
  const breather = createBreather();
  await breather.spend(content.length);
  const target = await lookUpForChange(backend, path, call.signal);
  const write = target.stat === undefined ? create : replace;
  return write({ backend, target, content, call, breather });
}

interface Writing extends Pick<WriteCall, "backend" | "content" | "call"> {
  target: Target;
  breather: Breather;
}

const plainForm = /* @__PURE__ */ detectForm(new Uint8Array());

async function create({ backend, target, content, call, breather }: Writing) {
  const after = toFileText(content);
  const change = {
    target,
    before: undefined,
    after,
    bytes: await takeInTurns(encodeTextSteps(after, plainForm), breather, call.signal),
    ifVersion: null,
    breather,
  };
  try {
    const facts = await writeChange(backend, change, call);
    const lines = await takeInTurns(countLines(after), breather);
    return ToolResult.success(`Created ${target.path} (${plural(lines, "line")}).`, facts);
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw refusal(
      `${target.path} was created by somebody else meanwhile; nothing was written. Read it, then decide what to write.`,
    );
  }
}

async function replace({ backend, target, content, call, breather }: Writing) {
  const old = await readOld(backend, target, call);
  await requireKnown(call.state, target, old);
  const { signal } = call;
  await breather.spend(old.bytes?.length ?? 0);
  const before = old.bytes && (await takeInTurns(decodeTextSteps(old.bytes), breather, signal));
  const { text: after, keepsCrlf } = await takeInTurns(likeBefore(content, before), breather, signal);
  const bytes = await takeInTurns(encodeTextSteps(after, before ?? plainForm), breather, signal);
  if (old.bytes !== undefined && equalBytes(old.bytes, bytes))
    return `${target.path} has exactly this content already; nothing was written.`;
  const change: FileChange = { target, before: before?.text, after, bytes, ifVersion: old.version, breather };
  try {
    const facts = await writeChange(backend, change, call);
    const lines = plural(await takeInTurns(countLines(after), breather), "line");
    const kept = keepsCrlf ? ", with its CRLF line ends kept" : "";
    return ToolResult.success(`Replaced the content of ${target.path} (${lines}${kept}).`, facts);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const now = await backend.fs.read(target.real, { signal: call.signal }).catch(() => undefined);
    throw refusal(
      `${target.path} was changed while it was being written; nothing was written. Read it again, then repeat the call.${await describeChange(target.path, old.bytes, now?.bytes)}`,
    );
  }
}

/** Reads what is to be replaced, unless it is too large to look at. */
async function readOld(
  backend: Backend,
  target: Target,
  call: ToolCallContext,
): Promise<{ version: string; bytes?: Uint8Array }> {
  if (target.stat !== undefined && target.stat.size > MAX_EDIT_BYTES) return { version: target.stat.version };
  return backend.fs.read(target.real, { signal: call.signal });
}

/** Gives the new content the line ends of the old one; its byte order mark is not part of the text. */
function* likeBefore(
  content: string,
  before: TextFile<FileText> | undefined,
): Steps<{ text: FileText; keepsCrlf: boolean }> {
  // A mark that the model wrote itself is the same mark, not another one.
  const isMarked = before !== undefined && before.markLength > 0 && content.startsWith("\ufeff");
  const text = toFileText(isMarked ? content.slice(1) : content);
  const isPlain = text.indexOf("\r", 0) === -1 && text.indexOf("\n", 0) !== -1;
  const keepsCrlf = isPlain && before !== undefined && (yield* lineEndsOf(before.text)) === "\r\n";
  if (!keepsCrlf) return { text, keepsCrlf };
  const pieces: TextPiece[] = [];
  for (const piece of text.pieces) {
    pieces.push({ text: piece.text.replaceAll("\n", "\r\n") });
    yield undefined;
  }
  return { text: createFileText(pieces), keepsCrlf };
}
