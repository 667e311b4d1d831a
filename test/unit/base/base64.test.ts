import { describe, expect, test } from "vitest";
import { joinBase64, type OpenBase64 } from "../../../src/base/base64.ts";
import { base64Steps } from "../../../src/base/base64-steps.ts";
import { fromBase64, toBase64 } from "../../../src/base/bytes.ts";
import { forAll, split } from "../property.ts";

describe("joinBase64", () => {
  test.each([
    ["whole groups", "AAAA", "BBBB", "AAAABBBB"],
    ["a padded end and whole groups", "YQ==", "YmNk", "YWJjZA=="],
    ["two padded ends", "YWI=", "Yw==", "YWJj"],
    ["an unpadded piece of one text", "AA", "AABB==", "AAAABB=="],
    ["an odd cut of one text", "AAAAB", "BB", "AAAABBB"],
    ["nothing", "", "YQ==", "YQ=="],
    ["nothing more", "YQ==", "", "YQ=="],
    ["no base64", "abc", "def", "abcdef"],
    ["no base64 behind a padded end", "YQ==", "****", "YQ==****"],
    ["a strange padded end", "***=", "AAAA", "***=AAAA"],
  ])("joins %s", (_what, first, second, joined) => {
    expect(join([first, second])).toBe(joined);
  });

  test("gives the whole, however its bytes were split before they were encoded", () =>
    forAll(200, (random) => {
      const bytes = Uint8Array.from({ length: random.below(40) }, () => random.below(256));
      const pieces = split(bytes, random).map(toBase64);
      expect(fromBase64(join(pieces))).toEqual(bytes);
    }));

  test("gives the whole, however its text was split after it was encoded", () =>
    forAll(200, (random) => {
      const whole = toBase64(Uint8Array.from({ length: random.below(40) }, () => random.below(256)));
      expect(join(split(whole, random))).toBe(whole);
    }));

  test("takes many padded pieces without going over all of them each time", () => {
    const piece = toBase64(new Uint8Array(1000));
    expect(join(Array(3000).fill(piece)).length).toBe(4_000_000);
  });
});

function join(pieces: readonly string[]): string {
  const { body, end } = pieces.reduce<OpenBase64 | undefined>(joinBase64, undefined) ?? { body: "", end: "" };
  return body + end;
}

test.each([0, 1, 6143, 6144, 98_303, 98_305, 300_000])(
  "%i bytes are encoded in steps as they are at once",
  (length) => {
    const bytes = new Uint8Array(length).map((_, at) => (at * 31) % 256);
    const steps = base64Steps(bytes);
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count += 1;
    expect([step.value === toBase64(bytes), count]).toEqual([true, Math.ceil(length / 98_304)]);
    expect(fromBase64(step.value)?.length).toBe(length);
  },
);
