/** Keeps contents that are being streamed in, and takes away those whose tab has died. */

import { fsError, type HoldallError } from "holdall";
import { promisifyRequest } from "idb-keyval";
import type { StagedContent } from "./changes.ts";
import type { Connection } from "./connection.ts";
import { allMarks, CHUNK_BYTES, chunkKey, chunksOf, cutChunks, markKey, type StagedMark } from "./layout.ts";

/** Where contents are staged. */
export interface Staging {
  /**
   * Stores blocks that belong to no file yet, each in a transaction of its own.
   *
   * @param path What they are for.
   * @param content Their name, which nothing else has.
   * @param blocks Bytes; each but the last a whole number of chunks.
   */
  stage(path: string, content: string, blocks: AsyncIterable<Uint8Array>): Promise<Staged>;
  /** Takes away what dead tabs have left; tells whether there was anything. */
  sweep(): Promise<boolean>;
}

/** A staged content; it stays until it is released. */
export interface Staged extends StagedContent {
  /** Lets go of it, and takes it away unless a file has it now. */
  release(isUsed: boolean): Promise<void>;
}

/** Milliseconds after which unfinished contents are taken for left behind, where there are no locks: a day. */
const MAX_AGE = 24 * 60 * 60 * 1000;

/** Makes the staging of a database. */
export function createStaging(connection: Connection, clock: () => number): Staging {
  const own = new Set<string>();
  const lockOf = (content: string): string => `holdall:indexeddb:${connection.name}:${content}`;
  const discard = (content: string): Promise<boolean> =>
    connection.run("readwrite", "/", async (store) => {
      // Without its mark it has become part of a file meanwhile.
      if ((await promisifyRequest(store.get(markKey(content)))) === undefined) return false;
      store.delete(chunksOf(content));
      store.delete(markKey(content));
      return true;
    });

  return {
    async stage(path, content, blocks) {
      own.add(content);
      const unlock = await holdLock(lockOf(content));
      const release = async (isUsed: boolean): Promise<void> => {
        // What cannot be taken away now is swept later.
        if (!isUsed) await discard(content).catch(() => {});
        own.delete(content);
        unlock();
      };
      try {
        const mark: StagedMark = { content, at: clock() };
        return { content, size: await putBlocks(connection, path, mark, blocks), release };
      } catch (error) {
        await release(false);
        throw error;
      }
    },
    async sweep() {
      const marks: StagedMark[] = await connection.run("readonly", "/", (store) =>
        promisifyRequest(store.getAll(allMarks())),
      );
      let found = false;
      for (const { content, at } of marks) {
        if (own.has(content)) continue;
        const swept = await whenFree(lockOf(content), () => discard(content), clock() - at > MAX_AGE);
        found ||= swept;
      }
      return found;
    },
  };
}

/** The failure of a file whose staged content is gone. */
export function sweptAway(path: string): HoldallError {
  return fsError("FS_IO", path, `another tab took what was streamed to ${path} for left behind. Write it again.`);
}

async function putBlocks(
  connection: Connection,
  path: string,
  mark: StagedMark,
  blocks: AsyncIterable<Uint8Array>,
): Promise<number> {
  let size = 0;
  for await (const block of blocks) {
    const first = size / CHUNK_BYTES;
    await connection.run("readwrite", path, async (store) => {
      if (first === 0) store.put(mark, markKey(mark.content));
      let index = first;
      for (const chunk of cutChunks(block)) {
        store.put(chunk, chunkKey(mark.content, index));
        index += 1;
      }
    });
    size += block.length;
  }
  return size;
}

/** Holds a lock that goes with the tab; without locks there is nothing to hold. */
function holdLock(name: string): Promise<() => void> {
  return new Promise((resolve) => {
    const nothing = (): void => resolve(() => {});
    if (!hasLocks()) return nothing();
    navigator.locks.request(name, () => new Promise<void>((release) => resolve(release))).catch(nothing);
  });
}

/** Does something when nobody holds the lock; without locks, when `otherwise` says so. */
async function whenFree(name: string, work: () => Promise<boolean>, otherwise: boolean): Promise<boolean> {
  if (!hasLocks()) return otherwise && work();
  return navigator.locks.request(name, { ifAvailable: true }, (lock) => lock !== null && work());
}

function hasLocks(): boolean {
  return typeof navigator === "object" && "locks" in navigator && navigator.locks !== undefined;
}
