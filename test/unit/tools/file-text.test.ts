/** Texts in pieces that parts of are replaced, against one string. */

import { memoryBackend } from "holdall/memory";
import { describe, expect, test } from "vitest";
import { equalBytes } from "../../../src/base/bytes.ts";
import { takeAll } from "../../../src/base/steps.ts";
import { createFileText, type Splice, spliceText, type TextPiece } from "../../../src/tools/file-text.ts";
import { encodeText } from "../../../src/tools/text-file.ts";
import { forAll } from "../property.ts";
import { openDesk } from "./setup.ts";

describe("spliceText", () => {
  test("does what cutting and joining one string does, and keeps the pieces it leaves alone", () =>
    forAll(200, (random) => {
      // Pieces of more than 64 Ki are not joined with what is new.
      const sizes = Array.from({ length: random.below(6) }, () => random.pick([0, 1, 7, 70_000, 140_000]));
      const pieces: TextPiece[] = sizes.map((size, index) => ({
        text: String(index).repeat(size),
        bytes: new Uint8Array(1),
      }));
      const whole = pieces.map(({ text }) => text).join("");
      const places = Array.from({ length: 2 * random.below(4) }, () => random.below(whole.length + 1)).sort(
        (a, b) => a - b,
      );
      const splices: Splice[] = [];
      for (let at = 0; at + 1 < places.length; at += 2)
        splices.push({
          start: places[at] ?? 0,
          end: places[at + 1] ?? 0,
          fresh: random.pick(["", "x", "y".repeat(70_000)]),
        });
      let expected = "";
      let from = 0;
      for (const { start, end, fresh } of splices) {
        expected += whole.slice(from, start) + fresh;
        from = end;
      }
      expected += whole.slice(from);
      const text = takeAll(spliceText(createFileText(pieces), splices));
      expect(text.slice(0, text.length) === expected && text.length === expected.length).toBe(true);
      // Bytes stand for whole pieces only.
      expect(text.pieces.every((piece) => piece.bytes === undefined || pieces.includes(piece))).toBe(true);
      const touched = (start: number, end: number): boolean =>
        splices.some((splice) => splice.start < end && splice.end > start) ||
        splices.some((splice) => splice.start > start && splice.start < end);
      let start = 0;
      for (const piece of pieces) {
        const end = start + piece.text.length;
        if (end > start && !touched(start, end)) expect(text.pieces.includes(piece)).toBe(true);
        start = end;
      }
    }));
});

describe("an edit of a file of several MiB", () => {
  const forms = [
    { encoding: "utf-8", markLength: 0 },
    { encoding: "utf-8", markLength: 3 },
    { encoding: "utf-16le", markLength: 2 },
    { encoding: "utf-16be", markLength: 2 },
  ] as const;

  test.each(forms)("changes what it means and no other byte: $encoding after a mark of $markLength", async (form) => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index} « é 漢字 🦊 »\r\n`);
    const text = lines.join("");
    // Somewhere in these lines a piece ends, wherever that is.
    const [first, last] = [10_000, 50_000];
    const wanted = lines.slice(first, last).join("");
    const desk = openDesk(memoryBackend({ files: { "/f": encodeText(text, form) } }));
    await desk.say("Read", { file_path: "/f" });
    const input = { file_path: "/f", old_string: wanted.replaceAll("\r\n", "\n"), new_string: "one\ntwo\n" };
    expect(await desk.say("Edit", input)).toContain("success: Replaced 1 occurrence in ");
    const expected = encodeText(text.replace(wanted, "one\r\ntwo\r\n"), form);
    expect(equalBytes((await desk.backend.fs.read("/f")).bytes, expected)).toBe(true);
  });
});
