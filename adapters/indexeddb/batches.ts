/** Does together what is asked for at the same time: a transaction costs far more than what is done in one. */

import { type FsChange, HoldallError } from "holdall";
import type { Connection } from "./connection.ts";
import { openView, type View } from "./view.ts";

/** Something to do in a transaction. */
export interface Task<T> {
  /** What it is about. */
  path: string;
  /** Paths it will look at first. */
  looksAt?: readonly string[];
  /** Bytes it will write. Defaults to 0. */
  bytes?: number;
  /** One that has aborted before the transaction begins takes the task out of it. */
  signal?: AbortSignal | undefined;
  /** Does it. A failure of the port leaves the others alone, so all checks come before the first change. */
  run(view: View): Promise<T>;
}

/** Takes tasks. */
export interface Batches {
  /** Does something in the next transaction; the promise settles once that is committed. */
  add<T>(task: Task<T>): Promise<T>;
}

/** Tasks of one transaction. */
const MAX_TASKS = 4096;

/** Bytes that one transaction writes, unless one task writes more. */
const MAX_BYTES = 32 << 20;

interface Waiting extends Task<unknown> {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Makes batches that only look; they do not wait for each other. */
export function createLooks(connection: Connection): Batches {
  return createBatches((batch) => void runBatch(connection, "readonly", batch, () => {}));
}

/**
 * Makes batches that change something, one after another, so that what comes while one is under way gathers for the next.
 *
 * @param connection The database.
 * @param tell Hears what was changed, after it is committed.
 */
export function createChanges(connection: Connection, tell: (changes: FsChange[]) => void): Batches {
  return createBatches((batch) => runBatch(connection, "readwrite", batch, tell));
}

function createBatches(runNext: (batch: Waiting[]) => Promise<void> | void): Batches {
  const waiting: Waiting[] = [];
  let isRunning = false;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const running = runNext(takeBatch(waiting));
      if (running !== undefined) await running;
    }
    isRunning = false;
  };
  return {
    add: <T>(task: Task<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ ...task, resolve: (value) => resolve(value as T), reject });
        if (isRunning) return;
        isRunning = true;
        queueMicrotask(() => void drain());
      }),
  };
}

function takeBatch(waiting: Waiting[]): Waiting[] {
  let bytes = 0;
  let count = 0;
  for (const task of waiting) {
    bytes += task.bytes ?? 0;
    if (count > 0 && (bytes > MAX_BYTES || count >= MAX_TASKS)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Never rejects: each task has a promise of its own. */
async function runBatch(
  connection: Connection,
  mode: "readonly" | "readwrite",
  batch: readonly Waiting[],
  tell: (changes: FsChange[]) => void,
): Promise<void> {
  const tasks = batch.filter(({ signal, reject }) => {
    if (signal?.aborted !== true) return true;
    reject(signal.reason);
    return false;
  });
  const [first] = tasks;
  if (first === undefined) return;
  try {
    const { settle, changes } = await connection.run(mode, first.path, async (store) => {
      const view = openView(store);
      // One task alone asks for what it needs, which is less.
      if (tasks.length > 1) await view.preload(tasks.flatMap(({ looksAt = [] }) => looksAt));
      return { settle: await runTasks(mode, tasks, view), changes: view.changes };
    });
    if (changes.length > 0) tell(changes);
    for (const each of settle) each();
  } catch (error) {
    if (tasks.length === 1 || !concernsOne(error)) for (const { reject } of tasks) reject(error);
    // One of them was too much, and the others must not suffer for it.
    else for (const task of tasks) await runBatch(connection, mode, [task], tell);
  }
}

/** Gives what settles the tasks once the transaction is committed. */
async function runTasks(
  mode: "readonly" | "readwrite",
  tasks: readonly Waiting[],
  view: View,
): Promise<(() => void)[]> {
  // What only looks need not wait for its neighbours; what changes something must see what those have done.
  if (mode === "readonly") return Promise.all(tasks.map((task) => runTask(task, view)));
  const settle: (() => void)[] = [];
  for (const task of tasks) settle.push(await runTask(task, view));
  return settle;
}

async function runTask(task: Waiting, view: View): Promise<() => void> {
  try {
    const value = await task.run(view);
    return () => task.resolve(value);
  } catch (error) {
    if (!HoldallError.is(error)) throw error;
    return () => task.reject(error);
  }
}

/** Tells whether a transaction failed by what was done in it, not because the database cannot be had. */
function concernsOne(error: unknown): boolean {
  return HoldallError.is(error) && !error.retryable && (error.code === "FS_NO_SPACE" || error.code === "FS_IO");
}
