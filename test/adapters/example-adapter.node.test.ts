import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findBlocks } from "../support/markdown.ts";
import { root } from "../support/sources.ts";

describe("the adapter that is shown as an example", () => {
  test("is what the page about hosts shows, in 40 lines of code", () => {
    const [, ...lines] = readFileSync(`${root}test/adapters/map-file-system.ts`, "utf8").trimEnd().split("\n");
    const shown = findBlocks(readFileSync(`${root}adapters/README.md`, "utf8")).map(({ text }) => text.trimEnd());
    expect(shown).toContain(lines.join("\n"));
    expect(lines.filter((line) => line !== "").length).toBeLessThanOrEqual(40);
  });
});
