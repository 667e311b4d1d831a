import { memoryFileSystem } from "holdall/memory";
import { fileSystemContract, shellContract } from "holdall/testing";
import { afterEach, describe, test } from "vitest";
import { backendOf, requireShell, shellBackend, throughPort } from "./worker-support.ts";

const closing: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe("a file system through a port", () => {
  const cases = fileSystemContract({
    create: async () => {
      const { far, server } = await throughPort(backendOf(memoryFileSystem()));
      closing.push(
        () => far.close?.(),
        () => server.close(),
      );
      return far.fs;
    },
    can: { symlinks: true, watch: true },
  });
  for (const { name, run } of cases) test(name, run);
});

describe("a shell through a port", () => {
  const cases = shellContract({
    create: async () => {
      const near = shellBackend();
      const { far, server } = await throughPort(near);
      closing.push(
        () => far.close?.(),
        () => server.close(),
        () => near.close?.(),
      );
      return requireShell(far);
    },
    can: { abortBusyLoop: true, ordered: true },
  });
  for (const { name, run } of cases) test(name, run, 60_000);
});
