/** Finding text in long texts, against the obvious way. */

import { expect, test } from "vitest";
import { findPlaces, type TextSearch } from "../../../src/base/find-text.ts";
import { createLongText } from "../../../src/base/long-text.ts";
import { type Steps, takeAll } from "../../../src/base/steps.ts";
import { forAll } from "../property.ts";

function obvious(text: string, { wanted, overlapping, most }: TextSearch): number[] {
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= text.length && places.length < most; ) {
    const found = text.startsWith(wanted, at);
    if (found) places.push(at);
    at += found && !overlapping ? wanted.length : 1;
  }
  return places;
}

test("finds what comparing at each place finds, wherever the pieces of the text end", () =>
  forAll(400, (random) => {
    const makeText = (most: number): string =>
      Array.from({ length: random.below(most) }, () => random.pick(["a", "a", "a", "b", "🦊"])).join("");
    // Long ones that stand nearly everywhere use up the patience.
    const wanted = random.pick([makeText(4), "a".repeat(60), `${"a".repeat(50)}b${"a".repeat(40)}`, "ab".repeat(30)]);
    const pieces = Array.from({ length: random.below(5) }, () => random.pick([makeText(9), wanted, "a".repeat(300)]));
    const text = pieces.join("");
    const search = { wanted: wanted || "a", overlapping: random.below(2) === 0, most: 1 + random.below(400) };
    expect([text, search, takeAll(findPlaces(createLongText(pieces), search))]).toEqual([
      text,
      search,
      obvious(text, search),
    ]);
  }));

test.each([
  ["stands almost everywhere", `${"a".repeat(200_000)}b${"a".repeat(200_000)}`, "a".repeat(1 << 20), 0],
  ["stands everywhere", "a".repeat(200_000), "a".repeat(1 << 20), (1 << 20) - 200_000 + 1],
  ["stands at the very end", `${"ab".repeat(100_000)}c`, `${"ab".repeat(500_000)}c`, 1],
])("a text that %s takes no step that is long", (_name, wanted, text, count) => {
  const steps = findPlaces(text, { wanted, overlapping: true, most: Number.POSITIVE_INFINITY });
  const { places, taken } = countSteps(steps);
  expect(places.length).toBe(count);
  expect(taken).toBeGreaterThan(16);
});

test("matches stand across the windows of a search, too", () => {
  const edge = 1 << 16;
  const text = `${"x".repeat(edge - 2)}needle${"x".repeat(edge)}needle`;
  for (const wanted of ["needle", `needle${"x".repeat(40)}`])
    expect(takeAll(findPlaces(text, { wanted, overlapping: false, most: 9 }))[0]).toBe(edge - 2);
  expect(takeAll(findPlaces(text, { wanted: "needle", overlapping: false, most: 9 }))).toEqual([
    edge - 2,
    2 * edge + 4,
  ]);
});

function countSteps(steps: Steps<number[]>): { places: number[]; taken: number } {
  for (let taken = 0; ; taken += 1) {
    const step = steps.next();
    if (step.done === true) return { places: step.value, taken };
  }
}
