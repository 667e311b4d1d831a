/** Windows into text that arrives in pieces. */

import { describe, expect, test } from "vitest";
import { openLineWindow } from "../../../src/tools/line-window.ts";
import { createRandom } from "./random.ts";

function fill(pieces: readonly string[], first: number, limit: number) {
  const window = openLineWindow(first, limit);
  for (const piece of pieces) window.add(piece);
  window.end();
  return { lines: window.lines, count: window.count, full: window.full, reached: window.reached };
}

describe("openLineWindow", () => {
  test.each([
    ["no text", [""], []],
    ["a CRLF cut in two", ["a\r", "\nb"], ["     1\ta", "     2\tb"]],
    ["a CR at the end of a piece", ["a\r", "b"], ["     1\ta", "     2\tb"]],
    ["an empty piece between CR and LF", ["a\r", "", "\nb"], ["     1\ta", "     2\tb"]],
    ["LF after LF", ["a\n", "\nb"], ["     1\ta", "     2\t", "     3\tb"]],
  ])("splits %s", (_name, pieces, lines) => {
    expect(fill(pieces, 1, 9)).toEqual({ lines, count: lines.length, full: false, reached: lines.length > 0 });
  });

  test("keeps what is asked for and counts the rest", () => {
    expect(fill(["1\n2\n3\n4\n5"], 2, 2)).toEqual({
      lines: ["     2\t2", "     3\t3"],
      count: 5,
      full: true,
      reached: true,
    });
    expect(fill(["1\n2"], 5, 2)).toEqual({ lines: [], count: 2, full: false, reached: false });
    expect(fill(["1\n2"], 1, 2)).toEqual({ lines: ["     1\t1", "     2\t2"], count: 2, full: false, reached: true });
  });

  test("lets wide numbers stand out", () => {
    expect(fill(["\n".repeat(1_234_567)], 1_234_567, 1).lines).toEqual(["1234567\t"]);
  });

  test("gives the same however the text is cut", () => {
    const random = createRandom(11);
    for (let round = 0; round < 300; round += 1) {
      const text = Array.from({ length: random.below(30) }, () =>
        random.pick(["a", "bc", "\n", "\r", "\r\n", "🦊"]),
      ).join("");
      const pieces: string[] = [];
      for (let at = 0; at < text.length; ) {
        const end = at + 1 + random.below(5);
        pieces.push(text.slice(at, end));
        at = end;
      }
      const [first, limit] = [1 + random.below(4), 1 + random.below(6)];
      expect(fill(pieces, first, limit), JSON.stringify({ pieces, first, limit })).toEqual(fill([text], first, limit));
    }
  });
});
