import type { FileSystem } from "holdall";
import { deleteIndexedDb, indexedDbBackend } from "holdall/indexeddb";
import { fileSystemContract } from "holdall/testing";
import { describe, test } from "vitest";

let count = 0;
const ends = new WeakMap<FileSystem, () => Promise<void>>();

function create(): FileSystem {
  count += 1;
  const name = `contract ${performance.timeOrigin} ${count}`;
  const { fs, close } = indexedDbBackend({ name, cwd: "/" });
  ends.set(fs, async () => {
    await close?.();
    await deleteIndexedDb(name);
  });
  return fs;
}

describe("indexedDbBackend", () => {
  const cases = fileSystemContract({
    create,
    destroy: (fs) => ends.get(fs)?.(),
    can: { symlinks: true, watch: true },
  });
  for (const { name, run } of cases) test(name, run);
});
