/** The sessions of a shell: what each remembers, and whose turn it is. */

import { abortable } from "holdall";
import type { SessionState } from "./program.ts";

/** Runs work in a session once all earlier work of that session has ended; the work gives the new state with its result. */
export type Sessions = <T>(
  name: string,
  signal: AbortSignal,
  work: (state: SessionState) => Promise<readonly [result: T, state: SessionState]>,
) => Promise<T>;

/** The most sessions that are remembered; those used longest ago are forgotten first. */
export const MAX_SESSIONS = 1000;

interface Session {
  state: SessionState;
  /** Resolves when nothing runs or waits any more. */
  quiet: Promise<unknown>;
  /** How many run or wait. */
  busy: number;
}

/**
 * Makes the table of sessions. Work that fails leaves the state as it was; work whose signal aborts while it waits never
 * starts.
 *
 * @param cwd Where a new session stands.
 */
export function createSessions(cwd: string): Sessions {
  const sessions = new Map<string, Session>();
  const open = (name: string): Session => {
    const state: SessionState = { cwd, variables: new Map(), more: "" };
    const session = sessions.get(name) ?? { state, quiet: Promise.resolve(), busy: 0 };
    // The order of the map is the order of use.
    sessions.delete(name);
    sessions.set(name, session);
    for (const [other, { busy }] of sessions) {
      if (sessions.size <= MAX_SESSIONS) break;
      if (busy === 0 && other !== name) sessions.delete(other);
    }
    return session;
  };
  return async (name, signal, work) => {
    const session = open(name);
    const before = session.quiet;
    const turn = (async () => {
      await abortable(before, signal);
      const [result, state] = await work(session.state);
      session.state = state;
      return result;
    })();
    session.busy += 1;
    session.quiet = Promise.allSettled([before, turn]).then(() => {
      session.busy -= 1;
    });
    return turn;
  };
}
