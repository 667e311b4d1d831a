import { fileSystemContract } from "holdall/testing";
import { describe, expect, test } from "vitest";
import { mapFileSystem } from "./map-file-system.ts";

describe("the adapter that is shown as an example", () => {
  for (const { name, run } of fileSystemContract({ create: () => mapFileSystem() })) test(name, run);

  test("keeps its files in the map that it is given", async () => {
    const entries = new Map();
    await mapFileSystem(entries).write("/d/f", new TextEncoder().encode("x"));
    expect([...entries.keys()]).toEqual(["/", "/d", "/d/f"]);
  });
});
