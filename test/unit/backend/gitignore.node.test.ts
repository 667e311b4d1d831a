/** What searches leave out, against what git itself leaves out. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { memoryFileSystem } from "holdall/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forAll, type Random } from "../property.ts";

const names = ["a", "b", "c.log", "d e", "abcd", "#x", "!y"] as const;
const folders = ["a", "b", "lib", "abcd"] as const;
const lines = [
  "*.log",
  "a",
  "/a",
  "a/",
  "b/*",
  "!b",
  "!a/",
  "!*.log",
  "**/c.log",
  "a/**",
  "a/**/b",
  "*",
  "!*/",
  "*/",
  "a*b*c*d",
  "!a*b*c*d",
  "*a*b*/",
  "**/a/**/b/**",
  "!**/a*/**/b*",
  "[ab]",
  "[!ab]",
  "[[:alpha:]]",
  "\\!y",
  "\\#x",
  "# a",
  "?",
  "a/b",
  "!a/b",
  "lib/a/",
  "!lib/",
  "d e  ",
  "d\\ e",
  "{a,b}",
  "/**",
  "**/",
  "a/*/b",
  "***",
  "",
] as const;

/** Rules that mean nothing here, so many that a file is read in several parts. */
const filling = Array.from({ length: 70 }, (_, index) => `zz${index}`);

function randomLines(random: Random): string {
  const isLong = random.once(4);
  return Array.from({ length: 1 + random.below(5) }, () => random.pick(lines))
    .flatMap((line) => (isLong ? [line, ...filling] : [line]))
    .join(random.once(4) ? "\r\n" : "\n");
}

const randomFolder = (random: Random, depth: number): string =>
  Array.from({ length: random.below(depth) }, () => `${random.pick(folders)}/`).join("");

function randomTree(random: Random): Record<string, string> {
  const files: Record<string, string> = { ".gitignore": randomLines(random) };
  for (let count = random.below(3); count > 0; count -= 1)
    files[`${randomFolder(random, 3)}.gitignore`] = randomLines(random);
  for (let count = 12; count > 0; count -= 1) {
    const path = randomFolder(random, 4) + random.pick(names);
    // A name is either a file or a folder.
    const isFree = Object.keys(files).every(
      (other) => !`${other}/`.startsWith(`${path}/`) && !`${path}/`.startsWith(`${other}/`),
    );
    if (isFree) files[path] = "";
  }
  return files;
}

describe("leaving out what .gitignore says", () => {
  let base = "";
  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), "holdall-gitignore-"));
    execFileSync("git", ["init", "-q", base]);
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }), 60_000);

  test("leaves the files that git leaves", () => {
    let round = 0;
    return forAll(120, async (random) => {
      const files = randomTree(random);
      round += 1;
      const folder = join(base, String(round));
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      const listed = execFileSync("git", ["ls-files", "-z", "--others", "--exclude-per-directory=.gitignore"], {
        cwd: folder,
        encoding: "utf8",
      });
      const fs = memoryFileSystem({ files });
      const { matches } = await fs.glob({ pattern: "**", path: "/" });
      expect([files, matches.map(({ path }) => path.slice(1)).sort()]).toEqual([
        files,
        listed.split("\0").filter(Boolean).sort(),
      ]);
      const { files: found } = await fs.grep({ pattern: "^", path: "/", mode: "files_with_matches" });
      const withText = ({ path }: { path: string }): boolean => files[path.slice(1)] !== "";
      expect([files, found.map(({ path }) => path).sort()]).toEqual([
        files,
        matches
          .filter(withText)
          .map(({ path }) => path)
          .sort(),
      ]);
    });
  }, 60_000);
});
