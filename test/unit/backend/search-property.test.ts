/** Searches of random trees, against slow and obvious ones. */

import { memoryFileSystem } from "holdall/memory";
import { describe, expect, test } from "vitest";
import { forAll, type Random } from "../property.ts";

const names = ["a", "b.ts", ".c", "ab", "é", "b.md", "x y"] as const;
const lines = ["foo", "bar foo", "", "FOO", "é", "a.b", "baz\r"] as const;

function randomTree(random: Random): Record<string, string> {
  const files: Record<string, string> = {};
  for (let count = random.below(15); count > 0; count -= 1) {
    const folders = Array.from({ length: random.below(4) }, () => `d${random.below(3)}`);
    const text = Array.from({ length: random.below(8) }, () => random.pick(lines))
      .join("\n")
      .replace(/\r$/, "\r\n");
    files[["", ...folders, random.pick(names)].join("/")] = text;
  }
  return files;
}

/** One name of a pattern as an expression. */
const segments: Readonly<Record<string, string>> = {
  "*": "[^/]*",
  "a*": "a[^/]*",
  "*.ts": "[^/]*\\.ts",
  "?": "[^/]",
  "[ab]*": "[ab][^/]*",
  "[!a]*": "[^/a][^/]*",
  "{a,b.*}": "(?:a|b\\.[^/]*)",
  d1: "d1",
  ".c": "\\.c",
  "*b*": "[^/]*b[^/]*",
};

function randomPattern(random: Random): { pattern: string; expression: RegExp } {
  const known = Object.entries(segments);
  let pattern = "";
  let source = "";
  for (let count = random.below(3); count > 0; count -= 1) {
    if (random.once(2)) {
      pattern += "**/";
      source += "(?:[^/]+/)*";
    } else {
      const [glob, one] = known[random.below(known.length)] ?? ["*", "[^/]*"];
      pattern += `${glob}/`;
      source += `${one}/`;
    }
  }
  const [glob, one] = known[random.below(known.length)] ?? ["*", "[^/]*"];
  // At the end, it stands for nothing as well.
  if (!pattern.endsWith("**/") && random.once(4))
    return { pattern: `${pattern}**`, expression: new RegExp(`^(?:${source}.+|${source.replace(/\/$/, "")})$`, "u") };
  return { pattern: pattern + glob, expression: new RegExp(`^${source}${one}$`, "u") };
}

describe("searches of random trees", () => {
  test("list what an expression over all paths finds", () =>
    forAll(400, async (random) => {
      const files = randomTree(random);
      const { pattern, expression } = randomPattern(random);
      const { matches } = await memoryFileSystem({ files }).glob({ pattern, path: "/" });
      const expected = Object.keys(files).filter((path) => expression.test(path.slice(1)));
      expect([pattern, matches.map(({ path }) => path).sort()]).toEqual([pattern, expected.sort()]);
    }));

  test("find what a look at each line finds, with what stands around it", () =>
    forAll(400, async (random) => {
      const files = randomTree(random);
      const pattern = random.pick(["foo", "^foo$", "o.*o", "^$", "a.b", "[a-z]+", "é", "^b|z$"]);
      const [before, after, ignoreCase] = [random.below(3), random.below(3), random.once(2)];
      const result = await memoryFileSystem({ files }).grep({ pattern, path: "/", before, after, ignoreCase });
      const expression = new RegExp(pattern, ignoreCase ? "i" : "");
      const expected: Record<string, string[]> = {};
      for (const [path, text] of Object.entries(files)) {
        const all = text
          .split("\n")
          .map((line, index, { length }) => (index < length - 1 ? line.replace(/\r$/, "") : line));
        if (all[all.length - 1] === "") all.pop();
        const hits = all.flatMap((line, index) => (expression.test(line) ? [index] : []));
        const shown = all.flatMap((line, index) => {
          if (hits.includes(index)) return [`${index + 1}:${line}`];
          return hits.some((hit) => hit - before <= index && index <= hit + after) ? [`${index + 1}-${line}`] : [];
        });
        if (hits.length > 0) expected[path] = shown;
      }
      const found = result.files.map(({ path, matches }): [string, string[]] => [
        path,
        matches.map(({ line, kind, text }) => `${line}${kind === "match" ? ":" : "-"}${text}`),
      ]);
      expect([pattern, Object.fromEntries(found)]).toEqual([pattern, expected]);
    }));
});
