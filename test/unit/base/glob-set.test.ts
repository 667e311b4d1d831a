import { expect, test } from "vitest";
import { compileGlobMatcher } from "../../../src/base/glob.ts";
import { createGlobSet, type GlobSet } from "../../../src/base/glob-set.ts";
import { forAll, type Random } from "../property.ts";

function setOf(patterns: readonly string[]): GlobSet {
  const set = createGlobSet();
  for (const pattern of patterns) set.add(pattern);
  return set;
}

const matching = (set: GlobSet, folder: string, name: string): number[] => [
  ...new Set(set.in(folder).ends.flatMap((end) => (end.takes(name) ? end.pattern : []))),
];

const randomPath = (random: Random, most: number): string =>
  Array.from({ length: random.below(most) }, () => random.pick(["a", "b", "ab"])).join("/");

const patterns = ["**", "a/**", "**/a", "**/a/**/b", "a/*", "{a,b}/**/a*", "*", "b", "**/**/a/**/**", "a/**/**/b/?"];

test("a set says of a folder what each of its patterns says by itself, whatever was asked before", () =>
  forAll(200, (random) => {
    const set = setOf(patterns);
    for (let count = 0; count < 20; count += 1) {
      const [folder, name] = [randomPath(random, 6), random.pick(["a", "b", "ab"])];
      const alone = patterns.map((pattern) => compileGlobMatcher(pattern));
      const expected = [...alone.keys()].filter((at) => alone[at]?.inFolder(folder)(name));
      const found = set.in(folder);
      expect([folder, name, matching(set, folder, name)]).toEqual([folder, name, expected]);
      expect([folder, found.isEntered]).toEqual([folder, alone.some(({ enters }) => enters(folder))]);
      expect([folder, found.isMatched]).toEqual([folder, alone.some(({ matches }) => matches(`${folder}/`))]);
    }
  }));

test("what is known of folders on the way is given up where it is much, and found again", () => {
  const deep = "**/a/".repeat(300);
  const set = setOf([`${deep}b`, "**/b"]);
  const fresh = (folder: string): number[] => matching(setOf([`${deep}b`, "**/b"]), folder, "b");
  const folders = Array.from({ length: 400 }, (_, depth) => "a/".repeat(depth).slice(0, -1));
  for (const folder of folders) expect(matching(set, folder, "b").at(-1)).toBe(1);
  // On the way back, as a walk does.
  for (const folder of folders.slice(290, 310).reverse()) expect(matching(set, folder, "b")).toEqual(fresh(folder));
  expect(matching(set, folders[299] ?? "", "b")).toEqual([1]);
  expect(matching(set, folders[300] ?? "", "b")).toEqual([0, 1]);
  expect(matching(set, `${folders[300]}/b`, "b")).toEqual([1]);
});

test("a pattern that is added later has its say", () => {
  const set = setOf(["a"]);
  expect(matching(set, "", "b")).toEqual([]);
  set.add("b");
  expect(matching(set, "", "b")).toEqual([1]);
});
