/** Threads of Node that look at files for all long searches of a process. */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { FactsBatch } from "./facts-batch.ts";

/** Helpers that need not be there: what they leave undone, the asking thread does. */
export interface FactsThreads {
  /** Whether they run already, so that even a little work is worth an offer. */
  readonly isRunning: boolean;
  /** Lets another thread look at a batch, if it comes to it before this one does. */
  offer(batch: FactsBatch): void;
  /** Resolves when no other thread is in the middle of a batch that was offered before. */
  settle(): Promise<void>;
}

/** One helper. */
export interface FactsThread {
  post(batch: FactsBatch): void;
  /** Resolves when all before is done, or the thread is dead. */
  flush(): Promise<void>;
  end(): void;
}

/** How helpers are started and how long they stay. */
export interface FactsThreadsOptions {
  /** Starts one, and is told when it dies by itself. */
  start?: (died: () => void) => FactsThread;
  /** How many; none where this thread is the only one that runs. */
  count?: number;
  /** Milliseconds without work after which they end. */
  idleTime?: number;
}

/** More only wait for the disk together. */
const MOST_THREADS = 3;

/** A conversation searches again within seconds, or much later. */
const IDLE_TIME = 10_000;

/**
 * Makes helpers that start with the first batch. They keep no process alive, unless one is waited for.
 *
 * Where threads cannot be started, or one dies, they are never tried again.
 */
export function createFactsThreads(options: FactsThreadsOptions = {}): FactsThreads {
  const { start = startFactsThread, idleTime = IDLE_TIME } = options;
  const { count = Math.min(availableParallelism() - 1, MOST_THREADS) } = options;
  let threads: FactsThread[] = [];
  let isBroken = count < 1;
  let turn = 0;
  const end = (): void => {
    for (const thread of threads) thread.end();
    threads = [];
  };
  const breakDown = (): void => {
    isBroken = true;
    end();
  };
  const startAll = (): void => {
    try {
      while (threads.length < count && !isBroken) threads.push(start(breakDown));
    } catch {
      breakDown();
    }
  };
  let idle: NodeJS.Timeout | undefined;
  return {
    get isRunning() {
      return threads.length > 0;
    },
    offer(batch) {
      if (isBroken) return;
      if (threads.length === 0) {
        startAll();
        idle = setTimeout(end, idleTime);
        idle.unref();
      } else idle?.refresh();
      threads[turn % threads.length]?.post(batch);
      turn += 1;
    },
    settle: async () => {
      await Promise.all(threads.map((thread) => thread.flush()));
    },
  };
}

/** Starts the thread next to this file. */
export function startFactsThread(died: () => void): FactsThread {
  const worker = new Worker(new URL("./facts-worker.js", import.meta.url), { name: "files", env: {}, execArgv: [] });
  const waiting: (() => void)[] = [];
  let isEnded = false;
  const answer = (): void => {
    waiting.shift()?.();
    if (waiting.length === 0) worker.unref();
  };
  worker.on("message", answer);
  // Without a listener an error would end the process; an exit follows.
  worker.on("error", () => {});
  worker.on("exit", () => {
    if (!isEnded) died();
    isEnded = true;
    while (waiting.length > 0) answer();
  });
  // Last: a listener for messages keeps the process alive.
  worker.unref();
  return {
    post: (batch) => worker.postMessage(batch),
    flush: () =>
      new Promise((resolve) => {
        if (isEnded) return resolve();
        waiting.push(resolve);
        worker.ref();
        worker.postMessage(null);
      }),
    end() {
      isEnded = true;
      void worker.terminate();
    },
  };
}
