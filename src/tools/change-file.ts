/** Writes the new content of a file: only over what is known, never a part, with a diff to show. */

import type { Backend } from "../backend/backend.ts";
import { type Breather, createBreather, takeInTurns } from "../backend/breather.ts";
import { unifiedDiffSteps } from "../base/diff.ts";
import { errorText, HoldallError } from "../base/errors.ts";
import { isRecord, type JsonObject } from "../base/json.ts";
import type { LongText } from "../base/long-text.ts";
import { extension } from "../base/path.ts";
import type { Steps } from "../base/steps.ts";
import { isWellFormed } from "../base/text.ts";
import { type AgentState, readVersion } from "../state/agent-state.ts";
import type { ToolCallContext } from "../tool/tool.ts";
import { refusal } from "./answer.ts";
import { lookUp, refuseNonFile, type Target } from "./file-access.ts";
import { MAX_EDIT_BYTES } from "./limits.ts";
import { isJson } from "./notebook-json.ts";
import { namesFolder } from "./paths.ts";
import { remember, requireKnown } from "./read-memory.ts";
import { isInTurn } from "./turns.ts";

/** A change that is ready to be written. */
export interface FileChange {
  target: Target;
  /** The text before; undefined when there was no file, or when it is too large or no text. */
  before: LongText | undefined;
  after: LongText;
  bytes: Uint8Array;
  /** The version that `before` was; null when there was no file. */
  ifVersion: string | null;
  /** Pauses while a large file is looked through. Defaults to one of its own. */
  breather?: Breather;
}

/**
 * Looks up the file that a call wants to write; there may be none yet.
 *
 * @throws HoldallError when it is a directory, a device, or a symlink that leads nowhere.
 */
export async function lookUpForChange(backend: Backend, path: string, signal: AbortSignal): Promise<Target> {
  const target = await lookUp(backend, path, signal);
  if (target.stat !== undefined) {
    refuseNonFile(target.path, target.stat);
    return target;
  }
  if (namesFolder(path)) throw refusal(`${path} names a directory, not a file. Add the name of the file.`);
  // Writing through such a link would create a file at a place that nobody named.
  const link =
    target.real === target.path ? undefined : await backend.fs.stat(target.path, { signal, followSymlinks: false });
  if (link !== undefined)
    throw refusal(
      `${target.path} is a symlink to ${target.real}, which does not exist. Use the path of the file itself.`,
    );
  return target;
}

/**
 * Tells why a change of a file is bound to fail because the model does not know the file as it is; nobody needs to be
 * asked about such a change.
 *
 * @param state The conversation.
 * @returns What to tell the model; undefined when nothing is known to stand against it.
 */
export async function whyUnknown(backend: Backend, path: string, state: unknown): Promise<string | undefined> {
  if (!isConversation(state)) return undefined;
  const { signal } = new AbortController();
  try {
    const target = await lookUp(backend, path, signal);
    const { stat } = target;
    if (stat?.kind !== "file") return undefined;
    const known = readVersion(state, target.real);
    // What another call has just written, it is about to remember.
    if (known === stat.version || isInTurn(state, target.path)) return undefined;
    // What is large or was never read is refused without being looked at.
    const look = known !== undefined && stat.size <= MAX_EDIT_BYTES;
    await requireKnown(state, target, look ? await backend.fs.read(target.real) : stat);
    return undefined;
  } catch (error) {
    return HoldallError.is(error, "TOOL_REFUSED") ? errorText(error) : undefined;
  }
}

/** Checks deal with any state; only one with the memory of what was read says something here. */
function isConversation(state: unknown): state is AgentState {
  return isRecord(state) && isRecord(state.toolContext) && isRecord(state.toolContext.readFiles);
}

/** Refuses text with half a character in it, which no file could hold. */
export function requireWellFormed(name: string, text: string): void {
  if (!isWellFormed(text))
    throw refusal(`${name} has half of a surrogate pair in it; nothing was written. Send the whole character.`);
}

/**
 * Writes a change, all or nothing, and remembers the new version as seen.
 *
 * @returns Facts for the metadata of the result: the path, and the diff with its size where both texts are known.
 * @throws HoldallError `FS_CONFLICT` when the file is no longer the version it was.
 */
export async function writeChange(backend: Backend, change: FileChange, call: ToolCallContext): Promise<JsonObject> {
  const { target, before, after, bytes, ifVersion, breather = createBreather() } = change;
  const { signal } = call;
  if (extension(target.path) === ".ipynb" && (await takeInTurns(breaksNotebook(before, after), breather, signal))) {
    throw refusal(
      `${target.path} would no longer be a notebook: its content must be JSON. Nothing was written; correct the text.`,
    );
  }
  await breather.spend(bytes.length);
  signal.throwIfAborted();
  const { version } = await backend.fs.write(target.real, bytes, { ifVersion, signal });
  remember(call.state, target.real, { version, bytes });
  if (before === undefined && ifVersion !== null) return { filePath: target.path };
  const diff = unifiedDiffSteps(ifVersion === null ? undefined : before, after, target.path);
  // The file is written, so an abort does not take its answer away any more.
  const { text, added, removed, truncated } = await takeInTurns(diff, breather);
  return { filePath: target.path, diff: text, added, removed, ...(truncated ? { diffTruncated: true } : {}) };
}

function* breaksNotebook(before: LongText | undefined, after: LongText): Steps<boolean> {
  if (yield* isJson(after.slice(0, after.length))) return false;
  return before === undefined || (yield* isJson(before.slice(0, before.length)));
}

/** Tells whether a write failed because somebody else was faster. */
export function isConflict(error: unknown): boolean {
  return HoldallError.is(error, "FS_CONFLICT");
}
