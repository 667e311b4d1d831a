import type { FileSystem } from "holdall";
import { directoryBackend, opfsBackend } from "holdall/opfs";
import { fileSystemContract } from "holdall/testing";
import { describe, test } from "vitest";

let count = 0;
const ends = new WeakMap<FileSystem, () => Promise<void>>();

function nextName(): string {
  count += 1;
  return `contract ${Math.floor(performance.timeOrigin)} ${count}`;
}

async function removeFolder(name: string): Promise<void> {
  const root = await navigator.storage.getDirectory();
  // Whatever is never used is never created.
  await root.getDirectoryHandle(name, { create: true });
  await root.removeEntry(name, { recursive: true });
}

/** WebKitGTK has the method and no implementation of it. */
const hasHandles = !/AppleWebKit\/[\d.]+ \(KHTML, like Gecko\) (?!Chrome|HeadlessChrome)/.test(navigator.userAgent);

function createPrivate(access: "stream" | "handle"): FileSystem {
  const name = nextName();
  const { fs, close } = opfsBackend({ name, cwd: "/", access });
  ends.set(fs, async () => {
    await close?.();
    await removeFolder(name);
  });
  return fs;
}

async function createPicked(): Promise<FileSystem> {
  const name = nextName();
  const handle = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
  const { fs, close } = directoryBackend(handle);
  ends.set(fs, async () => {
    await close?.();
    await removeFolder(name);
  });
  return fs;
}

const destroy = (fs: FileSystem): Promise<void> | undefined => ends.get(fs)?.();
const can = { watch: true };

describe("opfsBackend", { timeout: 60_000 }, () => {
  for (const { name, run } of fileSystemContract({ create: () => createPrivate("stream"), destroy, can }))
    test(name, run);
});

// What differs from the first is how files are written.
describe.runIf(hasHandles)("opfsBackend with a worker", { timeout: 60_000 }, () => {
  const writes = /^(write|writeStream|version|condition|concurrency|streams):|^abort: write/;
  for (const { name, run } of fileSystemContract({ create: () => createPrivate("handle"), destroy, can }))
    if (writes.test(name)) test(name, run);
});

describe("directoryBackend", { timeout: 60_000 }, () => {
  const skip = [
    {
      name: "paths: names with quotes and backslashes are kept",
      reason: "files of other programs keep their names, and Chromium refuses a backslash in one",
    },
  ];
  const changes =
    /^(paths|write|writeStream|version|condition|concurrency|remove|rename|streams|watch):|^abort: (write|re)/;
  for (const { name, run } of fileSystemContract({ create: createPicked, destroy, can, skip }))
    if (changes.test(name)) test(name, run);
});
