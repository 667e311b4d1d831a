import { describe, expect, test } from "vitest";
import {
  concatBytes,
  decodeUtf8,
  decodeUtf8Strict,
  encodeUtf8,
  equalBytes,
  fromBase64,
  toBase64,
} from "../../../src/base/bytes.ts";
import { forAll, type Random, randomText } from "../property.ts";

function randomBytes(random: Random, longest: number): Uint8Array {
  return Uint8Array.from({ length: random.below(longest + 1) }, () => random.below(256));
}

describe("base64", () => {
  test("comes back as it was", () =>
    forAll(200, (random) => {
      const bytes = randomBytes(random, 40);
      const text = toBase64(bytes);
      expect(text).toMatch(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
      expect(fromBase64(text)).toEqual(bytes);
    }));

  test("takes megabytes", () => {
    const bytes = Uint8Array.from({ length: 1_000_001 }, (_, index) => index);
    const back = fromBase64(toBase64(bytes));
    // Comparing by the matcher would take seconds.
    expect([back?.length, back?.every((byte, index) => byte === bytes[index])]).toEqual([bytes.length, true]);
  });

  test.each([
    ["", ""],
    ["f", "Zg=="],
    ["fo", "Zm8="],
    ["foo", "Zm9v"],
    ["foob", "Zm9vYg=="],
  ])("writes %j as RFC 4648 does", (text, encoded) => {
    expect(toBase64(encodeUtf8(text))).toBe(encoded);
  });

  test("skips white space and refuses what is no base64", () => {
    expect(fromBase64("Zm9v\r\nYg==\n")).toEqual(encodeUtf8("foob"));
    expect(["Z", "Zm9v*", "Zm_v", "Zg=", "Z===", "é"].map(fromBase64)).toEqual(Array(6).fill(undefined));
  });
});

describe("UTF-8", () => {
  test("comes back as it was", () =>
    forAll(200, (random) => {
      const text = `${random.once(4) ? "\ufeff" : ""}${randomText(random, 20)}`;
      const bytes = encodeUtf8(text);
      expect([decodeUtf8(bytes), decodeUtf8Strict(bytes)]).toEqual([text, text]);
    }));

  test("marks bytes that are none, or refuses them", () => {
    const bytes = Uint8Array.of(0x61, 0xff, 0x62);
    expect([decodeUtf8(bytes), decodeUtf8Strict(bytes)]).toEqual(["a\ufffdb", undefined]);
  });

  test("is either strictly read or marked, never silently changed", () =>
    forAll(300, (random) => {
      const bytes = randomBytes(random, 6);
      const strict = decodeUtf8Strict(bytes);
      if (strict === undefined) expect(decodeUtf8(bytes)).toContain("\ufffd");
      else expect(encodeUtf8(strict)).toEqual(bytes);
    }));
});

describe("concatBytes", () => {
  test("joins pieces, however the whole was split", () =>
    forAll(200, (random) => {
      const whole = randomBytes(random, 30);
      const parts: Uint8Array[] = [];
      for (let at = 0; at < whole.length; ) {
        const end = at + random.below(6);
        parts.push(whole.subarray(at, end));
        at = end;
      }
      expect(concatBytes(parts)).toEqual(whole);
    }));

  test("makes a copy, also of one piece", () => {
    const part = Uint8Array.of(1, 2);
    const whole = concatBytes([part]);
    part[0] = 9;
    expect(whole).toEqual(Uint8Array.of(1, 2));
  });
});

test("equalBytes compares every byte, wherever the bytes lie", () =>
  forAll(500, (random) => {
    const bytes = randomBytes(random, 20);
    const shifted = new Uint8Array(40).subarray(random.below(8)).subarray(0, bytes.length);
    shifted.set(bytes);
    expect(equalBytes(bytes, shifted)).toBe(true);
    expect(equalBytes(bytes, concatBytes([bytes, Uint8Array.of(0)]))).toBe(false);
    if (bytes.length === 0) return;
    const at = random.below(bytes.length);
    shifted[at] = (shifted[at] ?? 0) ^ (1 + random.below(255));
    expect([bytes, at, equalBytes(bytes, shifted)]).toEqual([bytes, at, false]);
  }));
