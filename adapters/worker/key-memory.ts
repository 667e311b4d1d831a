/** Makes a change once, however often its request arrives: remembers keys, and what came of them. */

import { type Clock, defaultClock } from "./clock.ts";
import { KEY_AGE, MAX_KEYS } from "./limits.ts";
import { protocolError, unknownError } from "./wire-error.ts";

/** What a request says about its change. */
export interface Mark {
  key: string;
  /** The call in words: the same key with another call is a mistake. */
  call: string;
  /** How often it was sent, from 1. */
  attempt: number;
  /** The memories that the first attempt was sent to. */
  instance: string | undefined;
  /** Whether it may be made although it may have been made before. */
  isSafeAgain: boolean;
  /** The client has had the beginning of the answer: it is never made anew. */
  isBegun: boolean;
}

/** What a memory keeps of a change. */
export interface Kept {
  /** Whether it is under way. */
  isBusy(): boolean;
  /** What it takes, in bytes. */
  size(): number;
}

/** A memory of keys. */
export interface KeyMemory<T extends Kept> {
  /** Gives what was started under the key, or starts it. */
  once(mark: Mark, start: (signal: AbortSignal) => T): T;
  /** Gives up a change, also one that has not arrived yet. */
  cancel(key: string): void;
}

/** Bounds of a memory. */
export interface KeyMemoryOptions<T> {
  /** What tells this memory from those of servers before and beside it. */
  instance: string;
  maxBytes: number;
  maxKeys?: number;
  ageMs?: number;
  clock?: Clock;
  /** Looks in a memory that lasts longer. */
  recall?: (mark: Mark) => T | undefined;
  /** Whether that memory may have forgotten what a client still asks for. */
  hasForgotten?: () => boolean;
}

interface Entry<T> {
  call: string | undefined;
  controller: AbortController;
  kept: T | undefined;
  at: number;
}

/**
 * Makes a memory.
 *
 * A change that is sent again and not known here was either never met, or forgotten: by a server that was started anew, or
 * by a memory that had no more room. When that cannot be told apart, it is refused with `BACKEND_GONE`, unless it is safe
 * to make again.
 */
export function createKeyMemory<T extends Kept>(options: KeyMemoryOptions<T>): KeyMemory<T> {
  const { instance, maxBytes, maxKeys = MAX_KEYS, ageMs = KEY_AGE, clock = defaultClock } = options;
  const entries = new Map<string, Entry<T>>();
  /** When something was last forgotten before its time. */
  let forgotAt = Number.NEGATIVE_INFINITY;

  const forget = (): void => {
    const now = clock();
    let bytes = 0;
    for (const { kept } of entries.values()) bytes += kept?.size() ?? 0;
    for (const [key, { at, kept }] of entries) {
      const isOld = now - at > ageMs;
      if (!isOld && entries.size <= maxKeys && bytes <= maxBytes) break;
      if (kept?.isBusy() === true) continue;
      entries.delete(key);
      bytes -= kept?.size() ?? 0;
      if (!isOld) forgotAt = now;
    }
  };
  const open = (key: string): Entry<T> => {
    const entry = { call: undefined, controller: new AbortController(), kept: undefined, at: clock() };
    entries.set(key, entry);
    return entry;
  };
  /** Who asks again may ask once more: the age counts from the last time. */
  const touch = (key: string, entry: Entry<T>): void => {
    entry.at = clock();
    entries.delete(key);
    entries.set(key, entry);
  };
  const mayBeDone = ({ attempt, instance: sentTo, isSafeAgain }: Mark): boolean =>
    attempt > 1 &&
    !isSafeAgain &&
    (!isOf(instance, sentTo) || clock() - forgotAt <= ageMs || options.hasForgotten?.() === true);

  return {
    once: (mark, start) => {
      forget();
      const known = entries.get(mark.key);
      const recalled = known?.kept === undefined ? options.recall?.(mark) : undefined;
      if (recalled !== undefined) return recalled;
      if ((known?.kept === undefined && mark.isBegun) || (known === undefined && mayBeDone(mark))) throw unknownError();
      const entry = known ?? open(mark.key);
      touch(mark.key, entry);
      entry.call ??= mark.call;
      if (entry.call !== mark.call) throw protocolError("the idempotency key belongs to another call");
      entry.kept ??= start(entry.controller.signal);
      return entry.kept;
    },
    cancel: (key) => {
      forget();
      (entries.get(key) ?? open(key)).controller.abort();
    },
  };
}

/** A server has several memories, and names all of them. */
function isOf(instance: string, sentTo: string | undefined): boolean {
  return sentTo?.split(".").includes(instance) === true;
}
