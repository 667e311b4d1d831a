/** Contract cases about finding files by name, through the port. */

import type { GlobQuery } from "holdall";
import { fails, holds, same } from "./expect.ts";
import { fillIgnored, ignoredFiles, keptFiles } from "./fs-gitignore.ts";
import { type FsCase, type FsSubject, put } from "./fs-subject.ts";

const paths = [
  ".env",
  ".git/config",
  ".github/ci.yml",
  "README.md",
  "src/a.ts",
  "src/b.tsx",
  "src/lib/[id].ts",
  "src/lib/deep/c.ts",
  "test/.svn/x.ts",
  "test/a.test.ts",
];

const patterns: readonly [pattern: string, expected: readonly string[]][] = [
  ["**/*.ts", ["src/a.ts", "src/lib/[id].ts", "src/lib/deep/c.ts", "test/a.test.ts"]],
  ["src/*", ["src/a.ts", "src/b.tsx"]],
  ["./src/*.{ts,tsx}", ["src/a.ts", "src/b.tsx"]],
  ["src//../src/*.ts", ["src/a.ts"]],
  ["*", [".env", "README.md"]],
  [
    "**",
    [
      ".env",
      ".github/ci.yml",
      "README.md",
      "src/a.ts",
      "src/b.tsx",
      "src/lib/[id].ts",
      "src/lib/deep/c.ts",
      "test/a.test.ts",
    ],
  ],
  [".github/*.yml", [".github/ci.yml"]],
  ["src/**/deep/*", ["src/lib/deep/c.ts"]],
  ["src/lib/\\[id\\].ts", ["src/lib/[id].ts"]],
  ["README.md", ["README.md"]],
  ["src", []],
  [".git/*", []],
  ["**/.svn/**", []],
  ["../**", []],
  ["src/../../**", []],
  ["*.{ts", []],
  ["", []],
];

/** Cases about finding files by name. */
export const globCases: readonly FsCase[] = [
  ...patterns.map(
    ([pattern, expected]): FsCase => ({
      name: `glob: ${JSON.stringify(pattern)} finds what it should`,
      check: async (subject) => {
        await fill(subject);
        same(await found(subject, { pattern }), expected, "the files");
      },
    }),
  ),
  {
    name: "glob: gives sizes and times, newest first, then by path",
    check: async (subject) => {
      await fill(subject);
      await put(subject, "src/b.tsx", "longer");
      const { matches, truncated } = await subject.fs.glob({ pattern: "src/**", path: subject.root });
      same(truncated, false, "whether there are more");
      matches.forEach(({ path, modifiedAt }, index) => {
        const before = matches[index - 1];
        holds(
          before === undefined ||
            before.modifiedAt > modifiedAt ||
            (before.modifiedAt === modifiedAt && before.path < path),
          `${path} is in order`,
        );
      });
      const stats = await Promise.all(matches.map(async ({ path }) => ({ path, stat: await subject.fs.stat(path) })));
      same(
        matches,
        stats.map(({ path, stat }) => ({ path, size: stat?.size, modifiedAt: stat?.modifiedAt })),
        "the facts",
      );
    },
  },
  {
    name: "glob: an absolute pattern counts only where it lies in the directory",
    check: async (subject) => {
      await fill(subject);
      const { at } = subject;
      same(await found(subject, { pattern: at("src/*.ts") }), ["src/a.ts"], "a pattern inside");
      const { matches } = await subject.fs.glob({ pattern: at("src/*.ts"), path: at("test") });
      same(matches, [], "a pattern beside");
      const upwards = await subject.fs.glob({ pattern: at("test/../src/*.ts"), path: at("test") });
      same(upwards.matches, [], "a pattern that leaves the directory");
    },
  },
  {
    name: "glob: leaves out what is to be ignored, by name or by path",
    check: async (subject) => {
      await fill(subject);
      same(
        await found(subject, { pattern: "**/*.ts", ignore: ["deep", "test/**"] }),
        ["src/a.ts", "src/lib/[id].ts"],
        "the files",
      );
    },
  },
  {
    name: "glob: passes over what .gitignore leaves out, unless it is told otherwise",
    check: async (subject) => {
      await fillIgnored(subject);
      same(await found(subject, { pattern: "**" }), [...keptFiles].sort(), "the files");
      const all = [...keptFiles, ...ignoredFiles].sort();
      same(await found(subject, { pattern: "**", includeIgnored: true }), all, "all files");
      same(
        await found(subject, { pattern: "**/*.log" }),
        ["important.log", "sub/deep/b.log", "vendor/app.log"],
        "a pattern",
      );
    },
  },
  {
    name: "glob: looks into an ignored directory that is asked for, and heeds the rules above a directory",
    check: async (subject) => {
      await fillIgnored(subject);
      const below = async (path: string): Promise<string[]> =>
        (await subject.fs.glob({ pattern: "**", path: subject.at(path) })).matches.map((match) => match.path).sort();
      same(await below("build"), [subject.at("build/x.js")], "an ignored directory");
      same(await below("node_modules/p"), [subject.at("node_modules/p/important.log")], "a directory in one");
      same(await below("docs/a"), [], "a rule above");
      same(await below("sub/deep"), [subject.at("sub/deep/b.log")], "a deeper rule above");
      same(await below("vendor"), [subject.at("vendor/.gitignore"), subject.at("vendor/app.log")], "a repository");
    },
  },
  {
    name: "glob: gives no more than the limit, and says so",
    check: async (subject) => {
      await fill(subject);
      const { fs, root } = subject;
      const two = await fs.glob({ pattern: "**/*.ts", path: root, limit: 2 });
      same([two.matches.length, two.truncated], [2, true], "two of four");
      const all = await fs.glob({ pattern: "**/*.ts", path: root, limit: 4 });
      same([all.matches.length, all.truncated], [4, false], "four of four");
      same((await fs.glob({ pattern: "**/*.ts", path: root, limit: 0 })).truncated, true, "none of four");
      await fails(fs.glob({ pattern: "*", path: root, limit: -1 }), "FS_INVALID_ARGUMENT", "a negative limit");
    },
  },
  {
    name: "glob: fails where there is no directory, and on patterns that explode",
    check: async (subject) => {
      await fill(subject);
      const { fs, at, root } = subject;
      await fails(fs.glob({ pattern: "**", path: at("missing") }), "FS_NOT_FOUND", "a missing directory");
      await fails(fs.glob({ pattern: "**", path: at("README.md") }), "FS_NOT_DIRECTORY", "a file");
      for (const pattern of ["{1..30000000}", "{a,b}".repeat(25)])
        await fails(fs.glob({ pattern, path: root }), "GLOB_TOO_COMPLEX", pattern.slice(0, 20));
    },
  },
];

async function fill(subject: FsSubject): Promise<void> {
  await Promise.all(paths.map((path) => put(subject, path, path)));
}

async function found({ fs, root }: FsSubject, query: Omit<GlobQuery, "path">): Promise<string[]> {
  const { matches } = await fs.glob({ ...query, path: root });
  return matches.map(({ path }) => path.slice(root === "/" ? 1 : root.length + 1)).sort();
}
