/** Puts stats that are asked for at the same time into one request. */

import type { FileStat } from "holdall";
import { MAX_STATS } from "./limits.ts";
import type { StatArguments, StatOutcome } from "./protocol.ts";
import { protocolError, unpackError } from "./wire-error.ts";

/** How stats are asked for. */
export interface StatTransport {
  one(args: StatArguments, signal: AbortSignal | undefined): Promise<FileStat | undefined>;
  many(stats: readonly StatArguments[]): Promise<StatOutcome[]>;
}

/** Looks at a path. */
export type Stat = (args: StatArguments, signal: AbortSignal | undefined) => Promise<FileStat | undefined>;

interface Waiting {
  args: StatArguments;
  signal: AbortSignal | undefined;
  resolve(stat: FileStat | undefined | Promise<FileStat | undefined>): void;
  reject(error: unknown): void;
}

/** Makes a stat that waits for the others of the same turn. An abort reaches the server when its stat went alone. */
export function createStatBatch(transport: StatTransport): Stat {
  let waiting: Waiting[] = [];
  const send = (): void => {
    const all = waiting;
    waiting = [];
    for (let at = 0; at < all.length; at += MAX_STATS) {
      const part = all.slice(at, at + MAX_STATS);
      const [only] = part;
      if (part.length > 1 || only === undefined) void sendMany(transport, part);
      else only.resolve(transport.one(only.args, only.signal));
    }
  };
  return (args, signal) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) queueMicrotask(send);
      waiting.push({ args, signal, resolve, reject });
    });
}

async function sendMany({ many }: StatTransport, all: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await many(all.map(({ args }) => args));
    if (outcomes.length !== all.length) throw protocolError("the server answered another number of stats");
    for (const [index, { resolve, reject }] of all.entries()) {
      const { stat, error } = outcomes[index] ?? {};
      if (error === undefined) resolve(stat);
      else reject(unpackError(error));
    }
  } catch (error) {
    for (const { reject } of all) reject(error);
  }
}
