import { memoryFileSystem } from "holdall/memory";
import { fileSystemContract } from "holdall/testing";
import { describe, test } from "vitest";

describe("memoryFileSystem", () => {
  const cases = fileSystemContract({ create: () => memoryFileSystem(), can: { symlinks: true, watch: true } });
  for (const { name, run } of cases) test(name, run);
});
