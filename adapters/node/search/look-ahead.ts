/** Looks at the files of a search while it still lists folders. */

import type { FileFacts, FilesAhead } from "holdall";
import {
  createFactsBatch,
  type FactsBatch,
  giveUpBatch,
  isDone,
  lookAtAll,
  lookAtBatch,
} from "../workers/facts-batch.ts";
import { createFactsThreads, type FactsThreads } from "../workers/facts-threads.ts";

/** Files that one thread looks at together: about two milliseconds of work. */
const BATCH_SIZE = 512;

/** Batches from which on it pays to start other threads; most searches have less. */
export const WORTHWHILE = 4;

/** For all file systems of the process. */
const processThreads = /* @__PURE__ */ createFactsThreads();

/**
 * Makes a queue of files to look at.
 *
 * @param toHost Gives the host's path of what a listing told: without symlinks, inside the boundary.
 */
export function lookAhead(toHost: (path: string) => string, threads: FactsThreads = processThreads): FilesAhead {
  const batches: FactsBatch[] = [];
  let paths: string[] = [];
  let offered = 0;
  const close = (): void => {
    if (paths.length > 0) batches.push(createFactsBatch(paths));
    paths = [];
  };
  return {
    add(path) {
      paths.push(toHost(path));
      if (paths.length < BATCH_SIZE) return;
      close();
      if (!threads.isRunning && batches.length < WORTHWHILE) return;
      for (const batch of batches.slice(offered)) threads.offer(batch);
      offered = batches.length;
    },
    async finish(files, rest) {
      close();
      // The other threads begin at the front.
      for (const batch of batches.toReversed()) {
        for (const count of lookAtBatch(batch)) await rest(count);
      }
      if (!batches.every(isDone)) await threads.settle();
      for (const [index, batch] of batches.entries()) {
        if (!isDone(batch)) lookAtAll(batch);
        fillIn(files, index * BATCH_SIZE, batch.facts);
        await rest(1);
      }
    },
    stop: () => batches.forEach(giveUpBatch),
  };
}

function fillIn({ sizes, times }: FileFacts, first: number, facts: Float64Array): void {
  for (let at = 0; at < facts.length; at += 2) {
    const size = facts[at] ?? Number.NaN;
    if (Number.isNaN(size)) continue;
    sizes[first + at / 2] = size;
    times[first + at / 2] = Math.floor(facts[at + 1] ?? 0);
  }
}
