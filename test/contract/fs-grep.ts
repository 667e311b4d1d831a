/** Contract cases about searching files, through the port. */

import type { GrepFile, GrepQuery, GrepResult } from "holdall";
import { fails, holds, same } from "./expect.ts";
import { fillIgnored, ignoredFiles, keptFiles } from "./fs-gitignore.ts";
import { type FsCase, type FsSubject, put } from "./fs-subject.ts";

/** Cases about searching. */
export const grepCases: readonly FsCase[] = [
  {
    name: "grep: gives matching lines by file in the order of paths",
    check: async (subject) => {
      await put(subject, "b.txt", "one\ntwo needle\nthree\nneedle four");
      await put(subject, "a/x.txt", "needle\n");
      await put(subject, "a/none.txt", "nothing\n");
      same(
        await lines(subject, { pattern: "needle" }),
        { "a/x.txt": ["1:needle"], "b.txt": ["2:two needle", "4:needle four"] },
        "the lines",
      );
      const result = await grep(subject, { pattern: "needle" });
      same([result.truncated, result.timedOut, result.searched], [false, false, 3], "the facts");
    },
  },
  {
    name: "grep: gives lines around matches, each once",
    check: async (subject) => {
      await put(subject, "f", ["0", "x1", "2", "x3", "4", "5", "6", "x7"].join("\n"));
      same(
        await lines(subject, { pattern: "x", before: 1, after: 1 }),
        { f: ["1-0", "2:x1", "3-2", "4:x3", "5-4", "7-6", "8:x7"] },
        "one line around",
      );
      same(
        await lines(subject, { pattern: "x7", before: 100 }),
        { f: ["1-0", "2-x1", "3-2", "4-x3", "5-4", "6-5", "7-6", "8:x7"] },
        "all lines before",
      );
      same(await lines(subject, { pattern: "x1", after: 2 }), { f: ["2:x1", "3-2", "4-x3"] }, "two lines after");
    },
  },
  {
    name: "grep: lists files, or counts lines",
    check: async (subject) => {
      await put(subject, "a", "x x\nx\n");
      await put(subject, "b", "y\n");
      await put(subject, "c", "x");
      const counts = await grep(subject, { pattern: "x", mode: "count" });
      same(
        counts.files,
        [
          { path: subject.at("a"), matches: [], count: 2 },
          { path: subject.at("c"), matches: [], count: 1 },
        ],
        "the counts",
      );
      const names = await grep(subject, { pattern: "x", mode: "files_with_matches" });
      same(
        names.files,
        [
          { path: subject.at("a"), matches: [], count: 1 },
          { path: subject.at("c"), matches: [], count: 1 },
        ],
        "the files",
      );
    },
  },
  {
    name: "grep: searches a single file, whatever the filters say",
    check: async (subject) => {
      await put(subject, "d/f.txt", "x\ny\nx\n");
      const { files } = await subject.fs.grep({ pattern: "x", path: subject.at("d/f.txt"), glob: "*.md", type: "ts" });
      same(files.map(shortLines(subject)), [["d/f.txt", ["1:x", "3:x"]]], "the lines");
    },
  },
  {
    name: "grep: searches only the files that are meant",
    check: async (subject) => {
      for (const path of ["a.ts", "b.tsx", "c.js", "src/d.ts", "src/e.md", ".hidden.ts", ".git/f.ts", "x/.hg/g.ts"])
        await put(subject, path, "x");
      const of = async (query: Partial<GrepQuery>): Promise<string[]> =>
        Object.keys(await lines(subject, { pattern: "x", ...query }));
      same(await of({}), [".hidden.ts", "a.ts", "b.tsx", "c.js", "src/d.ts", "src/e.md"], "all files");
      same(await of({ glob: "*.ts" }), [".hidden.ts", "a.ts", "src/d.ts"], "a name at any depth");
      same(await of({ glob: "src/*" }), ["src/d.ts", "src/e.md"], "a path");
      same(await of({ glob: ["*.{ts,tsx}", "!src"] }), [".hidden.ts", "a.ts", "b.tsx"], "names without a folder");
      same(await of({ glob: ["!*.ts", "!.*"] }), ["b.tsx", "c.js", "src/e.md"], "all but some");
      same(await of({ type: "ts" }), [".hidden.ts", "a.ts", "b.tsx", "src/d.ts"], "a type");
      same(await of({ type: "ts", glob: "*.tsx" }), ["b.tsx"], "a type and a name");
    },
  },
  {
    name: "grep: passes over what .gitignore leaves out, unless it is told otherwise",
    check: async (subject) => {
      await fillIgnored(subject);
      const of = async (query: Partial<GrepQuery>): Promise<string[]> =>
        Object.keys(await lines(subject, { pattern: "^", mode: "files_with_matches", ...query })).sort();
      same(await of({}), [...keptFiles].sort(), "the files");
      same(await of({ includeIgnored: true }), [...keptFiles, ...ignoredFiles].sort(), "all files");
      same(await of({ glob: "*.log" }), ["important.log", "sub/deep/b.log", "vendor/app.log"], "a pattern");
      same(await of({ glob: "!sub" }), keptFiles.filter((path) => !path.startsWith("sub/")).sort(), "a folder less");
      const { fs, at } = subject;
      const named = await fs.grep({ pattern: "^", path: at("build/x.js") });
      same(
        named.files.map(({ path }) => path),
        [at("build/x.js")],
        "an ignored file that is asked for",
      );
      const inside = await fs.grep({ pattern: "^", path: at("build") });
      same(
        inside.files.map(({ path }) => path),
        [at("build/x.js")],
        "an ignored directory that is asked for",
      );
    },
  },
  {
    name: "grep: reads CRLF, missing last line ends, byte order marks and empty lines",
    check: async (subject) => {
      await put(subject, "crlf", "foo\r\nbar foo\r\n\r\nfoo bar\r\n");
      await put(subject, "mark", "\ufefffoo\n\nlast foo");
      same(
        await lines(subject, { pattern: "foo$" }),
        { crlf: ["1:foo", "2:bar foo"], mark: ["1:foo", "3:last foo"] },
        "the end of a line",
      );
      same(
        await lines(subject, { pattern: "^foo" }),
        { crlf: ["1:foo", "4:foo bar"], mark: ["1:foo"] },
        "the start of a line",
      );
      same(await lines(subject, { pattern: "^$" }), { crlf: ["3:"], mark: ["2:"] }, "an empty line");
      same(await lines(subject, { pattern: "\\s$" }), {}, "white space at the end of a line");
      same(await lines(subject, { pattern: "o[^x]*b" }), { crlf: ["4:foo bar"] }, "a class that would take line ends");
    },
  },
  {
    name: "grep: passes over binary files, and reads invalid UTF-8 as far as it is text",
    check: async (subject) => {
      const { fs, at } = subject;
      await fs.write(at("binary"), new Uint8Array([120, 0, 120, 10]));
      await fs.write(at("latin"), new Uint8Array([0xe9, 0x78, 0xff, 0x0a, 0x79]));
      const result = await grep(subject, { pattern: "x" });
      same(result.files.map(shortLines(subject)), [["latin", ["1:\ufffdx\ufffd"]]], "the lines");
      same(result.skipped, { binary: 1, large: 0, unreadable: 0 }, "what was passed over");
    },
  },
  {
    name: "grep: understands flags in front, ignores case, and searches across lines when told to",
    check: async (subject) => {
      await put(subject, "f", "Foo\nbar\nfoo\r\nbar\nend");
      same(await lines(subject, { pattern: "(?i)FOO" }), { f: ["1:Foo", "3:foo"] }, "a flag in front");
      same(await lines(subject, { pattern: "FOO", ignoreCase: true }), { f: ["1:Foo", "3:foo"] }, "ignoring case");
      same(
        await lines(subject, { pattern: "oo\\nbar", multiline: true }),
        { f: ["1:Foo", "2:bar", "3:foo", "4:bar"] },
        "across lines",
      );
      same(
        await lines(subject, { pattern: "foo.*end", multiline: true }),
        { f: ["3:foo", "4:bar", "5:end"] },
        "a dot across lines",
      );
      same(await lines(subject, { pattern: "Foo[^x]*bar" }), {}, "not across lines otherwise");
      await fails(grep(subject, { pattern: "oo\\nbar" }), "GREP_PATTERN_INVALID", "a line end without multiline");
    },
  },
  {
    name: "grep: cuts long lines around the match, on whole characters",
    check: async (subject) => {
      await put(subject, "f", `${"🦊".repeat(50_000)}needle${"é".repeat(50_000)}`);
      const { files } = await grep(subject, { pattern: "needle", maxLineLength: 101 });
      const line = files[0]?.matches[0];
      holds(
        line?.cut === true && line.text.includes("needle") && line.text.length <= 101,
        "the line is cut around the match",
      );
      holds(encodeURIComponent(line?.text ?? "") !== "", "no character is cut in two");
    },
  },
  {
    name: "grep: passes over the first matches and gives no more than the limit",
    check: async (subject) => {
      await put(subject, "a", "x1\nx2\nx3");
      await put(subject, "b", "x4\nx5");
      same(
        await lines(subject, { pattern: "x", offset: 1, limit: 3 }),
        { a: ["2:x2", "3:x3"], b: ["1:x4"] },
        "three lines",
      );
      same((await grep(subject, { pattern: "x", offset: 1, limit: 3 })).truncated, true, "whether there are more");
      same(
        (await grep(subject, { pattern: "x", offset: 1, limit: 4 })).truncated,
        false,
        "whether there are more than all",
      );
      same(await lines(subject, { pattern: "x", offset: 100 }), {}, "past the end");
      const files = await grep(subject, { pattern: "x", mode: "files_with_matches", limit: 1 });
      same([files.files.length, files.truncated], [1, true], "one of two files");
      for (const name of ["limit", "offset", "before", "after", "maxLineLength", "deadlineMs"])
        await fails(grep(subject, { pattern: "x", [name]: -1 }), "FS_INVALID_ARGUMENT", name);
    },
  },
  {
    name: "grep: takes patterns as data and refuses broken, dangerous and unknown ones",
    check: async (subject) => {
      await put(subject, "f", "--pre=sh interface{} (a+)+$");
      same(Object.keys(await lines(subject, { pattern: "--pre=sh" })), ["f"], "a pattern like an option");
      same(Object.keys(await lines(subject, { pattern: "interface{}" })), ["f"], "a pattern with braces");
      for (const pattern of ["(", "[a", "a**", "(?x)a"])
        await fails(grep(subject, { pattern }), "GREP_PATTERN_INVALID", pattern);
      for (const pattern of ["(a+)+$", "(a|a)*b", "(?:\\w+\\s?)*x"])
        await fails(grep(subject, { pattern }), "GREP_PATTERN_UNSAFE", pattern);
      await fails(grep(subject, { pattern: "x", type: "klingon" }), "GREP_TYPE_UNKNOWN", "an unknown type");
    },
  },
  {
    name: "grep: fails where there is nothing, instead of finding nothing",
    check: async (subject) => {
      await fails(subject.fs.grep({ pattern: "x", path: subject.at("missing") }), "FS_NOT_FOUND", "a missing path");
      same((await grep(subject, { pattern: "x" })).files, [], "an empty directory");
    },
  },
];

type Query = Omit<GrepQuery, "path">;

function grep({ fs, root }: FsSubject, query: Query): Promise<GrepResult> {
  return fs.grep({ ...query, path: root });
}

async function lines(subject: FsSubject, query: Query): Promise<Record<string, string[]>> {
  const { files } = await grep(subject, query);
  return Object.fromEntries(files.map(shortLines(subject)));
}

/** Writes lines as grep does: a colon after the number of a match, a hyphen after that of its context. */
function shortLines({ root }: FsSubject): (file: GrepFile) => [string, string[]] {
  return ({ path, matches }) => [
    path.slice(root === "/" ? 1 : root.length + 1),
    matches.map(({ line, kind, text }) => `${line}${kind === "match" ? ":" : "-"}${text}`),
  ];
}
