import { describe, expect, test } from "vitest";
import { HoldallError } from "../../../src/base/errors.ts";
import { compileGlob, compileGlobMatcher, globBase } from "../../../src/base/glob.ts";
import { expandBraces } from "../../../src/base/glob-braces.ts";
import { forAll } from "../property.ts";

describe("compileGlob", () => {
  test.each<[pattern: string, matching: string[], other: string[]]>([
    ["*.ts", ["a.ts", ".ts", ".hidden.ts"], ["a.tsx", "src/a.ts", "ts", "", "/a.ts"]],
    ["**/*.ts", ["a.ts", "src/a.ts", "src/x/y/a.ts", "/a.ts"], ["a.js", "src/a.ts/b"]],
    ["src/**", ["src", "src/a", "src/a/b"], ["srcs", "a/src"]],
    ["src/**/test/*.ts", ["src/test/a.ts", "src/a/b/test/a.ts"], ["src/test/x/a.ts", "test/a.ts"]],
    ["**", ["a", "a/b", "", ".git/config"], []],
    ["a**b", ["ab", "axxb"], ["a/b"]],
    [".github/workflows/*.yml", [".github/workflows/ci.yml"], ["github/workflows/ci.yml"]],
    ["*.{ts,tsx}", ["a.ts", "b.tsx"], ["c.js", "d.{ts,tsx}"]],
    ["*.{ts", ["a.{ts"], ["a.ts"]],
    ["{a,{b,c}d}e", ["ae", "bde", "cde"], ["be", "ade"]],
    ["{a}", ["{a}"], ["a"]],
    ["{,x}a", ["a", "xa"], ["{,x}a"]],
    ["v{1..3}", ["v1", "v2", "v3"], ["v4", "v{1..3}"]],
    ["v{3..1}", ["v1", "v3"], ["v0"]],
    ["v{-1..1}", ["v-1", "v0", "v1"], ["v2"]],
    ["\\{a,b\\}", ["{a,b}"], ["a", "b"]],
    ["[id].tsx", ["i.tsx", "d.tsx"], ["[id].tsx", "id.tsx"]],
    ["\\[id\\].tsx", ["[id].tsx"], ["i.tsx"]],
    ["[!a]*.ts", ["b.ts", ".x.ts"], ["a.ts", ".ts"]],
    ["[^a-c]x", ["dx"], ["ax", "cx"]],
    ["[]a]", ["]", "a"], ["b"]],
    ["[!]a]", ["b"], ["]", "a"]],
    ["[a-]", ["a", "-"], ["b"]],
    ["[a\\]b]", ["a", "]", "b"], ["\\"]],
    ["[+-\\]]", ["+", "A", "]"], ["\\x", "a"]],
    ["[a", ["[a"], ["a"]],
    ["!*.md", ["!a.md"], ["a.md", "b.ts"]],
    ["\\*", ["*"], ["a", "\\a"]],
    ["a\\", ["a\\"], ["a"]],
    ["?", ["a", "é", "😀"], ["", "ab", "/"]],
    ["?😀*", ["😀😀", "a😀b"], ["😀", "ab"]],
    ["[😀-😂]", ["😁"], ["😄", "\ud83d"]],
    ["[\ue000-😀]", ["\uffff", "😀"], ["😁"]],
    ["*a*a*b", ["aab", "xaxaxb"], ["ab", "aaa"]],
    ["/w/*.ts", ["/w/a.ts"], ["w/a.ts", "/w/x/a.ts"]],
    ["a//b/", ["a/b", "a//b"], ["a"]],
    ["\u00e9", ["\u00e9"], ["e\u0301"]],
    ["$a.(b)+|^", ["$a.(b)+|^"], ["$a.b"]],
  ])("reads %j", (pattern, matching, other) => {
    const matches = compileGlob(pattern);
    expect(matching.filter((path) => !matches(path))).toEqual([]);
    expect(other.filter((path) => matches(path))).toEqual([]);
  });

  test("takes letters in either case when told to", () => {
    const matches = compileGlob("SRC/[A-C]*.TS", { ignoreCase: true });
    expect(["src/a.ts", "Src/Bx.Ts", "src/d.ts"].map(matches)).toEqual([true, true, false]);
  });

  test.each([
    ["{1..30000000}"],
    ["{a,b}".repeat(25)],
    ["a".repeat(5000)],
    [`{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}${"{1..1}".repeat(600)}`],
    [`{${"x,".repeat(1000)}y${"z".repeat(200)}}`.repeat(2)],
  ])("refuses what would explode (%#)", (pattern) => {
    let failure: unknown;
    try {
      compileGlob(pattern);
    } catch (error) {
      failure = error;
    }
    expect(HoldallError.is(failure, "GLOB_TOO_COMPLEX")).toBe(true);
  });

  test("reads a segment as an expression over code points does", () => {
    const pieces: Record<string, string> = {
      "*": ".*",
      "?": ".",
      "[ab]": "[ab]",
      "[!a]": "[^a]",
      "[é-😀]": "[é-😀]",
      "\\*": "\\*",
      "[": "\\[",
    };
    const plain = ["a", "b", "ab", "é", "😀", "*"] as const;
    return forAll(2000, (random) => {
      const parts = Array.from({ length: random.below(7) }, () =>
        random.pick(["a", "*", "?", "[ab]", "[!a]", "[é-😀]", "\\*", "[", ...plain] as const),
      );
      // An open bracket would take what follows it.
      const ordered = [...parts.filter((part) => part !== "["), ...parts.filter((part) => part === "[")];
      const source = ordered.map((part) => pieces[part] ?? part).join("");
      const name = Array.from({ length: random.below(8) }, () => random.pick([...plain, "["])).join("");
      const expected = new RegExp(`^${source}$`, "su").test(name);
      // A star alone would be a segment of its own kind when there are two.
      expect([ordered, name, compileGlob(`x${ordered.join("")}`)(`x${name}`)]).toEqual([ordered, name, expected]);
    });
  });

  test.each([
    ["**/**/**/**/**/*a*a*a*a*b", `${"a/".repeat(200)}${"a".repeat(3000)}`],
    [`${"*a".repeat(500)}b`, "a".repeat(3000)],
    [`${"**/".repeat(300)}x`, `${"a/".repeat(300)}y`],
    [`{a,b}{a,b}{a,b}{a,b}${"{".repeat(4000)}`, "a"],
    ["[".repeat(4000), "a"],
    [`*${"[a-b]?".repeat(100)}*${"a".repeat(100)}*c`, "a".repeat(3000)],
  ])("stays quick on %#", (pattern, path) => {
    expect(compileGlob(pattern)(path)).toBe(false);
  });
});

describe("compileGlobMatcher", () => {
  test.each<[pattern: string, entered: string[], other: string[]]>([
    ["*.ts", [""], ["src", "a.ts"]],
    ["src/*/x/*.ts", ["", "src", "src/a", "src/a/x"], ["lib", "src/a/y", "src/a/x/b"]],
    ["src/**/*.ts", ["", "src", "src/a/b/c"], ["lib"]],
    ["**", ["", "a", "a/b"], []],
    ["{a,b/c}/*.ts", ["", "a", "b", "b/c"], ["c", "a/c"]],
    ["/w/*/x", ["/", "/w", "/w/a"], ["/v", "/w/a/b"]],
  ])("knows the folders of %j", (pattern, entered, other) => {
    const { enters } = compileGlobMatcher(pattern);
    expect(entered.filter((folder) => !enters(folder))).toEqual([]);
    expect(other.filter((folder) => enters(folder))).toEqual([]);
  });

  test.each<[pattern: string, folder: string, names: string[]]>([
    ["*.ts", "", ["a.ts"]],
    ["*.ts", "src", []],
    ["src/**/*.TS", "src", ["b.TS"]],
    ["src/**/*.TS", "src/x/y", ["b.TS"]],
    ["{src,/}/[ab].*", "src", ["a.ts", "b.TS"]],
    ["/*.ts", "/", ["a.ts"]],
    ["/w/**", "/w", ["a.ts", "b.TS", "c"]],
    ["/w/**", "/v", []],
  ])("tells which names %j matches in %j", (pattern, folder, names) => {
    const matcher = compileGlobMatcher(pattern);
    const all = ["a.ts", "b.TS", "c"];
    const path = (name: string): string => (folder === "" || folder === "/" ? folder : `${folder}/`) + name;
    expect(all.filter(matcher.inFolder(folder))).toEqual(names);
    expect(all.filter((name) => matcher.matches(path(name)))).toEqual(names);
  });

  test("enters every folder above a path that matches", () => {
    const names = ["a", "b", ".c"];
    const patterns = ["**/a", "a/**/b", "*/b/**", "{a,b/c}/**", "a/?/[ab]", "**/a/**/b"];
    const paths = names.flatMap((one) => [
      one,
      ...names.flatMap((two) => [`${one}/${two}`, ...names.map((three) => `${one}/${two}/${three}`)]),
    ]);
    for (const pattern of patterns) {
      const matcher = compileGlobMatcher(pattern);
      for (const path of paths.filter(matcher.matches)) {
        const parts = path.split("/");
        for (let depth = 0; depth < parts.length; depth += 1)
          expect([pattern, path, matcher.enters(parts.slice(0, depth).join("/"))]).toEqual([pattern, path, true]);
      }
    }
  });
});

describe("expandBraces", () => {
  test.each([
    ["a", ["a"]],
    ["{a,a}", ["a"]],
    ["{a,b}{c,d}", ["ac", "ad", "bc", "bd"]],
    ["{{a,b}", ["{a", "{b"]],
    ["{a,{b}", ["{a,{b}"]],
    ["}{a,b}{", ["}a{", "}b{"]],
    ["{1..2}{x}", ["1{x}", "2{x}"]],
    ["{a..c}", ["{a..c}"]],
  ])("expands %j", (pattern, expected) => {
    expect(expandBraces(pattern).sort()).toEqual([...expected].sort());
  });
});

describe("globBase", () => {
  test.each([
    ["src/a/*.ts", "src/a"],
    ["src/a.ts", "src"],
    ["*.ts", ""],
    ["a.ts", ""],
    ["/w/**", "/w"],
    ["src/{a,b}/c", "src"],
    ["a/\\[b\\]/c", "a"],
  ])("gives the folder of %j", (pattern, expected) => {
    expect(globBase(pattern)).toBe(expected);
  });
});
