import { readdirSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Backend } from "holdall";
import { nodeBackend } from "holdall/node";
import { describe, test } from "vitest";
import { checkLargeFile, type Ledger } from "./large-file.ts";
import { temporaryFolders } from "./node-support.ts";
import { throughHttp } from "./remote-support.ts";
import { withProperty } from "./storage-support.ts";
import { throughPort } from "./worker-support.ts";

const folder = temporaryFolders();

/** Ways to the disk, how large the file is, and how much of it may be held on the way, in MiB. */
const doors: readonly [what: string, size: number, held: number, open: (near: Backend) => Promise<Backend>][] = [
  ["of 200 MiB is streamed in and read by range, and never held whole", 200, 2, async (near) => near],
  ["of 64 MiB is not held whole by a port", 64, 11, async (near) => (await throughPort(near)).far],
  ["of 64 MiB is not held whole by HTTP", 64, 10, async (near) => (await throughHttp(near)).far],
];

describe("a large file on a disk", () => {
  test.each(doors)("%s", async (_what, size, held, through) => {
    const root = await folder();
    const near = nodeBackend({ root });
    const far = await through(near);
    const { fs } = far;
    // The disk's own paths begin where the folder lies.
    const below: Backend["fs"] = {
      ...fs,
      writeStream: (path, stream, options) => fs.writeStream(root + path, stream, options),
      read: (path, options) => fs.read(root + path, options),
      readStream: (path, options) => fs.readStream(root + path, options),
      remove: (path, options) => fs.remove(root + path, options),
    };
    await countReads(root, (ledger) => checkLargeFile(below, size, ledger, held << 20));
    await far.close?.();
    await near.close?.();
  });
});

/** Counts what is read by handles of this process; what is written lies in the folder, under whatever name. */
async function countReads(root: string, run: (ledger: Ledger) => Promise<void>): Promise<void> {
  let read = 0;
  const ledger: Ledger = {
    written: () => readdirSync(root).reduce((sum, name) => sum + statSync(join(root, name)).size, 0),
    read: () => read,
    reset: () => {
      read = 0;
    },
  };
  const handle = await open(root);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const original = prototype.read;
  const counting = async function (this: FileHandle, ...given: unknown[]): Promise<{ bytesRead: number }> {
    const result = await Reflect.apply(original, this, given);
    read += result.bytesRead;
    return result;
  };
  await withProperty(prototype, "read", counting, () => run(ledger));
}
