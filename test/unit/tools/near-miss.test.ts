/** The explanations of what was not found. */

import { describe, expect, test } from "vitest";
import { type Steps, takeAll } from "../../../src/base/steps.ts";
import { explainMiss, showAround } from "../../../src/tools/near-miss.ts";

const cases: { name: string; text: string; wanted: string; says: string }[] = [
  {
    name: "tabs that the model took for spaces",
    text: "a\n\tif x {\n\t\ty()\n",
    wanted: "    if x {\n        y()",
    says: "Lines 2-3 differ only in indentation. The file has:\n     2\t\tif x {\n     3\t\t\ty()",
  },
  {
    name: "a tab inside a line",
    text: "a\tb\n",
    wanted: "a  b",
    says: "Line 1 differs only in tabs or spaces. The file has:\n     1\ta\tb",
  },
  {
    name: "spaces at the end of a line",
    text: "one  \ntwo\n",
    wanted: "one\ntwo",
    says: "Lines 1-2 differ only in white space at line ends. The file has:\n     1\tone  \n     2\ttwo",
  },
  {
    name: "a whole line, its end included",
    text: "one\ntwo\n",
    wanted: "One\n",
    says: "Line 1 differs only in upper and lower case. The file has:\n     1\tone",
  },
  {
    name: "typographic quotes",
    text: "say \u201chi\u201d\n",
    wanted: 'say "hi"',
    says: "Line 1 differs only in typographic quotes or dashes. The file has:\n     1\tsay \u201chi\u201d",
  },
  {
    name: "decomposed accents",
    text: "cafe\u0301\n",
    wanted: "caf\u00e9",
    says: "Line 1 differs only in the form of accented characters (Unicode NFC or NFD). The file has:\n     1\tcafe\u0301",
  },
  {
    name: "a zero-width space",
    text: "x\u200by\n",
    wanted: "xy",
    says: "Line 1 differs only in invisible characters. The file has:\n     1\tx\u200by",
  },
  {
    name: "a no-break space",
    text: "x\u00a0y\n",
    wanted: "x y",
    says: "Line 1 differs only in kinds of space (such as no-break spaces). The file has:\n     1\tx\u00a0y",
  },
  {
    name: "another case",
    text: "Hello\n",
    wanted: "hello",
    says: "Line 1 differs only in upper and lower case. The file has:\n     1\tHello",
  },
  {
    name: "several at once",
    text: "\tSay \u2018hi\u2019\n",
    wanted: "  say 'hi'",
    says: "Line 1 differs only in typographic quotes or dashes, indentation, upper and lower case. The file has:\n     1\t\tSay \u2018hi\u2019",
  },
  {
    name: "copied line numbers",
    text: "alpha\nbeta\n",
    wanted: "     1\talpha\n     2\tbeta",
    says: "old_string has the line numbers that Read puts before each line. Leave out the number and the tab after it.",
  },
  {
    name: "numbers that are no line numbers",
    text: "alpha\n",
    wanted: "1\tgamma",
    says: "Nothing like it is in the file. Read the file again and copy the text exactly.",
  },
  {
    name: "a copied marker",
    text: "aaaa\n",
    wanted: "aa… [line cut: 3000 characters in all]",
    says: "old_string has the marker that Read puts where it cuts a line. Use a part of the line before the marker.",
  },
  {
    name: "a lone carriage return",
    text: "a\r\nb\r\n",
    wanted: "\r",
    says: "old_string has a carriage return by itself, which matches nothing. Line ends are kept as they are; write each line break as a line feed.",
  },
  {
    name: "one wrong line among right ones",
    text: "zero\nfunction one() {\n  return 1;\n}\n",
    wanted: "function one() {\n  return 2;\n}",
    says: '2 of 3 lines of old_string stand in the file from line 2 on, but line 3 is not "  return 2;". The file has:\n     2\tfunction one() {\n     3\t  return 1;\n     4\t}',
  },
  {
    name: "nothing alike",
    text: "alpha\n",
    wanted: "omega",
    says: "Nothing like it is in the file. Read the file again and copy the text exactly.",
  },
  {
    name: "an empty file",
    text: "",
    wanted: "omega",
    says: "Nothing like it is in the file. Read the file again and copy the text exactly.",
  },
  {
    name: "white space only",
    text: "alpha\n",
    wanted: "\t\t",
    says: "Nothing like it is in the file. Read the file again and copy the text exactly.",
  },
];

describe("explainMiss", () => {
  test.each(cases)("points at $name", ({ text, wanted, says }) => {
    expect(takeAll(explainMiss(text, wanted))).toBe(says);
  });

  test("shows a bounded part of long matches", () => {
    const text = Array.from({ length: 40 }, (_, index) => `\tline ${index} ${"x".repeat(300)}`).join("\n");
    const said = takeAll(explainMiss(text, text.replaceAll("\t", "  ")));
    expect(said.split("\n").length).toBe(14);
    expect(said.endsWith("… 28 more lines")).toBe(true);
  });

  test.each([
    ["many equal lines", "}\n".repeat(90_000), `${"}\n".repeat(400)}nowhere`, "is not"],
    ["very many lines", "\n".repeat(1_000_000), "\n\nnowhere", "Nothing like it"],
    ["one long line", " a".repeat(2_000_000), "nowhere", "Nothing like it"],
    ["line breaks only in what is wanted", "a\n".repeat(1000), "\n".repeat(200_000), "Nothing like it"],
    ["a text that stands almost everywhere", "a".repeat(1 << 20), `${"a".repeat(100_000)}b`, "Nothing like it"],
  ])("stays quick with %s", (_name, text, wanted, says) => {
    const { value, steps } = takeCounting(explainMiss(text, wanted));
    expect(value).toContain(says);
    expect(steps).toBeGreaterThan(4);
  });
});

describe("showAround", () => {
  const lines = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`);

  test.each([
    [1, 1, 4],
    [2, 1, 5],
    [5, 2, 8],
    [9, 6, 9],
  ])("shows three lines on both sides of line %i", (line, first, last) => {
    const text = lines.join("\n");
    const numbered = lines.map((text, index) => `${String(index + 1).padStart(6)}\t${text}`);
    expect(showAround(text, text.indexOf(`line ${line}`) + 2, line)).toBe(numbered.slice(first - 1, last).join("\n"));
  });
});

function takeCounting(work: Steps<string>): { value: string; steps: number } {
  for (let steps = 0; ; steps += 1) {
    const step = work.next();
    if (step.done === true) return { value: step.value, steps };
  }
}
