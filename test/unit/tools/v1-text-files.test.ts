/** The text file tools of the first version, in memory; and the ranges they count in. */

import { describe, expect, test } from "vitest";
import { linesAround, parseRange } from "../../../src/tools/v1/line-ranges.ts";
import { openMemory } from "./ground.ts";
import { textFileCases } from "./tables/text-files.ts";

textFileCases(openMemory);

describe("ranges (145, 146)", () => {
  test.each([
    ["  [ 10 , 20 ]  ", [10, 20]],
    ["-100,-1", [-100, -1]],
    ["[1,5", [1, 5]],
    ["1,5,10", undefined],
    ["5", undefined],
    ["abc,def", undefined],
    ["", undefined],
    ["1.5,2", undefined],
    ["99999999999999999999,1", undefined],
  ])("reads %j", (text, range) => {
    expect(parseRange(text)).toEqual(range);
  });

  test.each([
    { before: 10, after: 11, changed: [5, 5], extra: 2, shows: [3, 8] },
    { before: 10, after: 10, changed: [3, 7], extra: 2, shows: [1, 9] },
  ] as const)("shows $shows around $changed", ({ before, after, changed, extra, shows }) => {
    expect(linesAround(before, after, changed, extra)).toEqual(shows);
  });
});
