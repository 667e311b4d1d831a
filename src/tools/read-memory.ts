/** Remembers which version of a file the model has seen, so that it never overwrites what it does not know. */

import { createBreather, takeInTurns } from "../backend/breather.ts";
import type { ReadResult } from "../backend/file-system.ts";
import { equalBytes } from "../base/bytes.ts";
import { unifiedDiffSteps } from "../base/diff.ts";
import type { Steps } from "../base/steps.ts";
import { plural } from "../base/text.ts";
import { type AgentState, readVersion, rememberRead } from "../state/agent-state.ts";
import { refusal } from "./answer.ts";
import type { Target } from "./file-access.ts";
import { decodeTextSteps } from "./text-file.ts";

/** Bytes of the largest file whose content is kept to tell later what has changed. */
export const MAX_COPY_BYTES: number = 256 << 10;

/** Bytes of all content kept for one conversation; the oldest goes first. */
export const MAX_COPIES_BYTES: number = 1 << 20;

/**
 * What the model has seen, as long as the state object lives. It only makes refusals rarer and more telling: the
 * version in the state decides, and a state that comes back from storage works without it.
 */
const copies = /* @__PURE__ */ new WeakMap<AgentState, Map<string, ReadResult>>();

/**
 * Remembers what the model has seen.
 *
 * @param state The conversation; nothing is remembered without one.
 * @param path The real path.
 * @param seen The version, and the whole content where it is at hand.
 */
export function remember(
  state: AgentState | undefined,
  path: string,
  seen: { version: string; bytes?: Uint8Array },
): void {
  if (state === undefined) return;
  rememberRead(state, path, seen.version);
  const kept = copies.get(state) ?? new Map<string, ReadResult>();
  copies.set(state, kept);
  kept.delete(path);
  const { bytes, version } = seen;
  if (bytes === undefined || bytes.length > MAX_COPY_BYTES) return;
  kept.set(path, { bytes, version });
  let size = 0;
  for (const copy of kept.values()) size += copy.bytes.length;
  for (const [oldest, copy] of kept) {
    if (size <= MAX_COPIES_BYTES) break;
    kept.delete(oldest);
    size -= copy.bytes.length;
  }
}

/**
 * Refuses to change a file that the model has not read, or that has changed since. The same content under a new version
 * counts as unchanged.
 *
 * @param state The conversation; without one everything passes.
 * @param target The file.
 * @param now What it holds now; `bytes` are left out where the file is too large to compare.
 * @param hint Adds what the tool knows about the change.
 * @throws HoldallError that says what to do.
 */
export async function requireKnown(
  state: AgentState | undefined,
  target: Target,
  now: { version: string; bytes?: Uint8Array },
  hint?: () => Promise<string>,
): Promise<void> {
  if (state === undefined) return;
  const { path, real } = target;
  const known = readVersion(state, real);
  if (known === undefined) throw refusal(`${path} exists but has not been read. Read it first, then repeat the call.`);
  if (known === now.version) return;
  const copy = copies.get(state)?.get(real);
  const seen = copy?.version === known ? copy.bytes : undefined;
  if (seen !== undefined && now.bytes !== undefined && equalBytes(seen, now.bytes)) return;
  const change = await describeChange(path, seen, now.bytes);
  const rest = change === "" && hint !== undefined ? ` ${await hint()}` : "";
  throw refusal(
    `${path} has changed since it was read; nothing was written. Read it again, then repeat the call.${change || sizeAndTime(target)}${rest}`,
  );
}

/**
 * Shows what has changed between two contents of a file, for the end of a message.
 *
 * @returns The diff on lines of its own; empty when one of the contents is not known or no text.
 */
export async function describeChange(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): Promise<string> {
  if (before === undefined || after === undefined) return "";
  return takeInTurns(changeSteps(path, before, after), createBreather());
}

function* changeSteps(path: string, before: Uint8Array, after: Uint8Array): Steps<string> {
  const [old, now] = [yield* decodeTextSteps(before), yield* decodeTextSteps(after)];
  if (old === undefined || now === undefined) return "";
  const { text, added, removed, truncated } = yield* unifiedDiffSteps(old.text, now.text, path, { maxLength: 6000 });
  const rest = truncated ? `… more left out; +${added} -${removed} lines in all\n` : "";
  return text === "" ? "" : `\nWhat has changed since:\n${text}${rest}`;
}

function sizeAndTime({ stat }: Target): string {
  if (stat === undefined) return "";
  const time = stat.modifiedAt === 0 ? "" : `, last changed ${new Date(stat.modifiedAt).toISOString()}`;
  return ` It has ${plural(stat.size, "byte")} now${time}.`;
}
