/** Gives each command line a worker: an idle one, a new one, or the next that becomes free. */

import { abortable, type FileSystem } from "holdall";
import { MAX_WORKERS } from "./limits.ts";
import type { Runner } from "./run-request.ts";
import { startWorkerHost, type WorkerHost } from "./worker-host.ts";

/** Workers over one file system. */
export interface WorkerPool {
  run: Runner;
  /** Ends all workers. */
  close(): void;
}

/**
 * Makes a pool; the first worker starts with the first command line, and one idle worker is kept.
 *
 * A worker knows nothing of sessions between two runs, so any worker can run any session's next command line.
 *
 * @param spawn Makes a worker.
 * @param fs The files that the commands see.
 */
export function createWorkerPool(spawn: () => Worker, fs: FileSystem): WorkerPool {
  const hosts = new Set<WorkerHost>();
  const waiting = new Set<() => void>();
  let idle: WorkerHost | undefined;

  const acquire = async (signal: AbortSignal): Promise<WorkerHost> => {
    while (idle === undefined && hosts.size >= MAX_WORKERS) await nextRelease(signal);
    const kept = idle;
    idle = undefined;
    if (kept?.alive) return kept;
    if (kept !== undefined) hosts.delete(kept);
    const host = startWorkerHost(spawn, fs);
    hosts.add(host);
    return host;
  };
  const nextRelease = async (signal: AbortSignal): Promise<void> => {
    let wake = (): void => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    waiting.add(wake);
    try {
      await abortable(woken, signal);
    } finally {
      waiting.delete(wake);
    }
  };
  const release = (host: WorkerHost): void => {
    if (host.alive && idle === undefined) idle = host;
    else {
      host.end();
      hosts.delete(host);
    }
    // All look again: the first finds the worker, and one that gives up takes nobody's turn.
    for (const wake of waiting) wake();
  };

  return {
    run: async (request, emit, signal) => {
      const host = await acquire(signal);
      try {
        await abortable(host.ready, signal);
        return await host.run(request, emit, signal);
      } finally {
        release(host);
      }
    },
    close: () => {
      idle = undefined;
      for (const host of hosts) host.end();
      hosts.clear();
    },
  };
}
