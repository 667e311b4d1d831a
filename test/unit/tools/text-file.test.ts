/** Text in bytes: encodings, marks, line ends, and pieces that split characters. */

import { describe, expect, test } from "vitest";
import { equalBytes } from "../../../src/base/bytes.ts";
import { type Steps, takeAll } from "../../../src/base/steps.ts";
import {
  createDecoder,
  decodeText,
  decodeTextSteps,
  detectForm,
  encodeText,
  encodeTextSteps,
  isBinary,
  type TextForm,
  toFileText,
} from "../../../src/tools/text-file.ts";
import { createRandom } from "./random.ts";
import { bytesOf, utf8 } from "./setup.ts";

describe("decodeText and encodeText", () => {
  test.each([
    ["plain", "h\xc3\xa9\n", { encoding: "utf-8", markLength: 0, text: "h\u00e9\n" }],
    ["empty", "", { encoding: "utf-8", markLength: 0, text: "" }],
    ["marked", "\xef\xbb\xbfa\xef\xbb\xbf", { encoding: "utf-8", markLength: 3, text: "a\ufeff" }],
    ["UTF-16 little-endian", "\xff\xfea\0\xac\x20", { encoding: "utf-16le", markLength: 2, text: "a\u20ac" }],
    ["UTF-16 big-endian", "\xfe\xff\0a\xd8\x3e\xdd\x8a", { encoding: "utf-16be", markLength: 2, text: "a🦊" }],
  ])("go there and back: %s", (_name, bytes, file) => {
    const decoded = decodeText(bytesOf(bytes));
    expect(decoded).toEqual(file);
    expect(decoded === undefined ? undefined : encodeText(decoded.text, decoded)).toEqual(bytesOf(bytes));
  });

  test.each([
    ["Latin-1", "caf\xe9"],
    ["a surrogate in UTF-8", "\xed\xa0\xbd"],
    ["an overlong form", "\xc0\xaf"],
    ["a cut character", "\xf0\x9f\xa6"],
    ["half a pair in UTF-16", "\xff\xfe\x3e\xd8"],
    ["an odd byte in UTF-16", "\xff\xfea\0b"],
  ])("refuse %s", (_name, bytes) => {
    expect(decodeText(bytesOf(bytes))).toBe(undefined);
  });
});

describe("createDecoder", () => {
  test("gives the whole text however the bytes are cut", () => {
    const random = createRandom(5);
    const text = "a🦊é\u20ac\r\nz";
    for (const encoding of ["utf-8", "utf-16le", "utf-16be"] as const) {
      const bytes = encoding === "utf-8" ? utf8(text) : encodeText(text, { encoding, markLength: 2 }).subarray(2);
      for (let round = 0; round < 100; round += 1) {
        const decode = createDecoder({ ...detectForm(new Uint8Array()), encoding });
        let decoded = "";
        for (let at = 0; at < bytes.length; ) {
          const end = at + 1 + random.below(4);
          decoded += decode(bytes.subarray(at, end), end >= bytes.length);
          at = end;
        }
        expect(decoded).toBe(text);
      }
    }
  });

  test("ends a text that was cut with U+FFFD", () => {
    expect(createDecoder({ encoding: "utf-16be", markLength: 2 })(bytesOf("\0ab"), true)).toBe("a\ufffd");
    expect(createDecoder({ encoding: "utf-8", markLength: 0 })(bytesOf("a\xf0\x9f"), true)).toBe("a\ufffd");
  });
});

test.each([
  ["\0", true],
  ["a\0", true],
  [`${"a".repeat(8191)}\0`, true],
  [`${"a".repeat(8192)}\0`, false],
  ["\xff\xfea\0", false],
  ["", false],
])("isBinary of %j: %s", (bytes, binary) => {
  expect(isBinary(bytesOf(bytes))).toBe(binary);
});

describe("a large file", () => {
  const forms: readonly TextForm[] = [
    { encoding: "utf-8", markLength: 0 },
    { encoding: "utf-8", markLength: 3 },
    { encoding: "utf-16le", markLength: 2 },
    { encoding: "utf-16be", markLength: 2 },
  ];

  test.each(forms)("is decoded and encoded in steps as in one go: $encoding after a mark of $markLength", (form) => {
    for (let shift = 0; shift < 5; shift += 1) {
      const text = "x".repeat(shift) + "é漢🦊\ufeff\r\n".repeat(200_000);
      const bytes = encodeText(text, form);
      const decoded = takeAll(decodeTextSteps(bytes));
      if (decoded === undefined) throw new Error("it was not decoded");
      expect(decoded).toMatchObject(form);
      expect(decoded.text.slice(0, text.length) === text && decoded.text.length === text.length).toBe(true);
      expect(decoded.text.pieces.length).toBe(Math.ceil(bytes.length / 2 ** 20));
      for (const again of [decoded.text, toFileText(text)])
        expect(equalBytes(takeAll(encodeTextSteps(again, form)), bytes)).toBe(true);
      expect(countOfSteps(decodeTextSteps(bytes))).toBe(Math.ceil(bytes.length / 2 ** 20));
      expect(countOfSteps(encodeTextSteps(toFileText(text), form))).toBe(Math.ceil(text.length / 2 ** 20) + 1);
    }
  });

  test.each([[[0xff]], [[0xe6, 0xbc]], [[0x80, 0x80, 0x80, 0x80, 0x80]]])("is no text with %j in it", (wrong) => {
    for (const at of [5, 2 ** 20 - 2, 2 ** 20, 2 ** 20 + 1, 2 ** 21]) {
      const bytes = new Uint8Array(2 ** 21 + 64).fill(0x61);
      bytes.set(wrong, at);
      expect([at, takeAll(decodeTextSteps(bytes))]).toEqual([at, undefined]);
    }
  });
});

function countOfSteps(steps: Steps<unknown>): number {
  let count = 0;
  for (const _ of steps) count += 1;
  return count;
}
