import { memoryFileSystem } from "holdall/memory";
import { fileSystemContract, shellContract } from "holdall/testing";
import { afterAll, describe, test } from "vitest";
import { throughHttp } from "./remote-support.ts";
import { backendOf, requireShell, shellBackend } from "./worker-support.ts";

const closing: (() => void | Promise<void>)[] = [];

// At the end: they run side by side.
afterAll(async () => {
  for (const close of closing.splice(0)) await close();
});

describe("a file system through HTTP", () => {
  const cases = fileSystemContract({
    create: async () => {
      const { far } = await throughHttp(backendOf(memoryFileSystem()));
      closing.push(() => far.close?.());
      return far.fs;
    },
    can: { symlinks: true, watch: true },
  });
  for (const { name, run } of cases) test.concurrent(name, run);
});

describe("a shell through HTTP", () => {
  const cases = shellContract({
    create: async () => {
      const near = shellBackend();
      const { far } = await throughHttp(near);
      closing.push(
        () => far.close?.(),
        () => near.close?.(),
      );
      return requireShell(far);
    },
    can: { abortBusyLoop: true, ordered: true },
  });
  for (const { name, run } of cases) test(name, run, 60_000);
});
