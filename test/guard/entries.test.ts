/** Pins what can be imported from the package. */
import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { requireBuild } from "../support/dist.ts";
import { listEntries, readManifest, root } from "../support/sources.ts";

/** Users write these names. One that goes or moves breaks them; one that comes must stay. Change the list with that in mind. */
const ENTRIES: Readonly<Record<string, string>> = {
  holdall: "src/index.ts",
  "holdall/tools": "src/tools/index.ts",
  "holdall/bash": "src/bash/index.ts",
  "holdall/model": "src/model/index.ts",
  "holdall/memory": "adapters/memory/index.ts",
  "holdall/just-bash": "adapters/just-bash/index.ts",
  "holdall/indexeddb": "adapters/indexeddb/index.ts",
  "holdall/opfs": "adapters/opfs/index.ts",
  "holdall/node": "adapters/node/index.ts",
  "holdall/worker": "adapters/worker/index.ts",
  "holdall/cloudflare": "adapters/cloudflare/index.ts",
  "holdall/overlay": "adapters/overlay/index.ts",
  "holdall/testing": "test/contract/index.ts",
};

const manifest = readManifest();
const entries = listEntries(manifest);

beforeAll(requireBuild);

describe("the export map", () => {
  test("has the pinned entries", () => {
    expect(
      Object.fromEntries(entries.map(({ name, source }) => [name, source])),
      "an entry is a promise to whoever imports it; change the pin only if the promise is meant to change",
    ).toEqual(ENTRIES);
  });

  test("gives each entry types and one file, the same for every host", () => {
    const shapes = Object.entries(manifest.exports).filter(([, target]) => typeof target !== "string");
    expect(
      shapes.filter(([, target]) => Object.keys(target).join() !== "types,default").map(([name]) => name),
      "an entry that differs by condition has one name and several meanings; hosts differ by entry instead",
    ).toEqual([]);
  });

  test("points at files that are built", () => {
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === "string" ? [target] : Object.values(target),
    );
    expect(
      targets.filter((target) => !existsSync(root + target)),
      "the package would install and not import",
    ).toEqual([]);
  });

  test("is what tsconfig.json tells the compiler", () => {
    const { compilerOptions } = JSON.parse(readFileSync(`${root}tsconfig.json`, "utf8"));
    expect(
      compilerOptions.paths,
      "in this repository the public names mean the sources; the compiler is told in tsconfig.json, everything else reads the export map",
    ).toEqual(Object.fromEntries(entries.map(({ name, source }) => [name, [`./${source}`]])));
  });
});
