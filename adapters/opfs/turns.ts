/** Lets tabs take turns: asking the browser for each change would take as long as many a change. */

import { abortable, type Timers } from "holdall";
import { type Locks, ownLocks } from "./locks.ts";

/** What is said of the turns of one tree. */
export interface TurnOptions {
  locks: Locks;
  /** What the lock of the tree is called. */
  name: string;
  timers: Timers;
}

/** Milliseconds for which a tab keeps its turn when it has nothing to do: asking for the next would take as long as a write. */
const IDLE = 20;

/** Milliseconds after which a tab that is busy lets the others have a turn. */
const BUSY = 200;

/** A turn that a tab has. */
interface Turn {
  /** Resolves once it has begun. */
  begun: Promise<void>;
  /** Resolves once it has ended. */
  ended: Promise<void>;
  end(): void;
  since: number;
  users: number;
  timer: unknown;
}

/** Does something in turn. */
export type TakeTurn = <T>(
  wanted: readonly WantedLock[],
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
) => Promise<T>;

/** A lock within the tab. */
export interface WantedLock {
  name: string;
  mode: LockMode;
}

/** Lets tabs take turns with a tree, and within a tab what is done to it, by locks that are always wanted in one order. */
export function createTurns({ locks, name, timers }: TurnOptions): TakeTurn {
  const own = ownLocks();
  let current: Turn | undefined;

  const enter = async (signal: AbortSignal | undefined): Promise<Turn> => {
    for (let turn = current; turn !== undefined && isLong(turn); turn = current) {
      if (turn.users === 0) turn.end();
      await abortable(turn.ended, signal);
    }
    const turn =
      current ??
      beginTurn(locks, name, () => {
        current = undefined;
      });
    current = turn;
    turn.users += 1;
    timers.clear(turn.timer);
    try {
      await abortable(turn.begun, signal);
    } catch (error) {
      leave(turn);
      throw error;
    }
    return turn;
  };
  const leave = (turn: Turn): void => {
    turn.users -= 1;
    if (turn.users > 0) return;
    if (isLong(turn)) turn.end();
    else turn.timer = timers.set(() => turn.end(), IDLE);
  };

  return async (wanted, signal, work) => {
    const turn = await enter(signal);
    try {
      return await wanted.reduceRight((inner, lock) => () => own.request(lock.name, lock.mode, signal, inner), work)();
    } finally {
      leave(turn);
    }
  };
}

function isLong({ since }: Turn): boolean {
  return performance.now() - since > BUSY;
}

function beginTurn(locks: Locks, name: string, forget: () => void): Turn {
  const turn: Turn = {
    begun: Promise.resolve(),
    ended: Promise.resolve(),
    end: () => {},
    since: performance.now(),
    users: 0,
    timer: undefined,
  };
  const held = locks.hold(name);
  turn.ended = new Promise((resolve) => {
    turn.end = () => {
      forget();
      resolve();
      turn.end = () => {};
      void held.then((release) => release());
    };
  });
  turn.begun = held.then(
    () => {
      turn.since = performance.now();
    },
    (error: unknown) => {
      turn.end();
      throw error;
    },
  );
  turn.begun.catch(() => {});
  return turn;
}
