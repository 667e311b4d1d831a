import { describe, expect, test } from "vitest";
import { findLong, readGrammar } from "../../../src/bash/command/grammar.ts";
import { type Entry, entryOf, grammarOf } from "../../../src/bash/command/table.ts";
import { expandBraces } from "../../../src/bash/read/braces.ts";
import { git } from "../../../src/bash/tables/git.ts";
import { readers } from "../../../src/bash/tables/readers.ts";
import { tools } from "../../../src/bash/tables/tools.ts";
import { writers } from "../../../src/bash/tables/writers.ts";

describe("readGrammar", () => {
  test("reads marks, options and operands", () => {
    const { options, operands, ...facts } = readGrammar("R~#f -ab e: f< o> x! y% z? arg= regexp: | p/e,regexp r*");
    expect([...options]).toEqual([
      ["a", ""],
      ["b", ""],
      ["e", ":"],
      ["f", "<"],
      ["o", ">"],
      ["x", "!"],
      ["y", "%"],
      ["z", "?"],
      ["arg", "="],
      ["regexp", ":"],
    ]);
    expect(operands).toEqual([
      { kind: "p", unless: ["e", "regexp"] },
      { kind: "r", unless: [] },
    ]);
    expect(facts).toMatchObject({ type: "R", lenient: true, digits: true, filter: true, star: 1, anyArgument: false });
  });

  test("knows which commands are harmless with any argument", () => {
    expect(
      ["R~ | r*", "R~ f< | t*", "R | r*", "R~ o> | r*", "R~ | r w", "R~ | x*"].map(
        (one) => readGrammar(one).anyArgument,
      ),
    ).toEqual([true, true, false, false, false, false]);
  });

  test("an abbreviation that can mean something harmful does", () => {
    const grammar = readGrammar("R reverse output> only-this random-source<");
    expect(["rev", "out", "o", "output", "random", "x", ""].map((name) => findLong(grammar, name))).toEqual([
      { name: "reverse", kind: "" },
      { name: "output", kind: ">" },
      { name: "output", kind: ">" },
      { name: "output", kind: ">" },
      { name: "random-source", kind: "<" },
      undefined,
      undefined,
    ]);
  });
});

/** Goes down a path of sub-commands. */
function follow(path: string): Entry | undefined {
  const [first = "", ...subs] = path.split("/");
  return subs.reduce<Entry | undefined>((entry, sub) => entry?.subs?.get(sub), entryOf(first));
}

describe("tables", () => {
  const names = [readers, writers, git, tools].flatMap((table) => Object.keys(table));
  const single = names.flatMap((key) => {
    const [, prefix = "", list = key] = /^(.+\/)\((.+)\)$/.exec(key) ?? [];
    return list.split(" ").map((name) => prefix + name);
  });

  test("name every command once", () => {
    expect(single.filter((name, index) => single.indexOf(name) !== index)).toEqual([]);
  });

  test("are written in the language of grammars", () => {
    const odd = single.filter((name) => {
      const entry = follow(name);
      if (entry === undefined) return true;
      const { type, options, operands } = grammarOf(entry);
      const badOption = [...options.keys()].some((option) => !/^[\w-]+$/.test(option));
      const badOperand = operands.some(({ kind }) => !"rlmwdtpox+".includes(kind));
      return !"RW*^".includes(type) || badOption || badOperand;
    });
    expect(odd).toEqual([]);
  });

  test("have a tool for every sub-command", () => {
    const parents = single.filter((name) => name.includes("/")).map((name) => name.slice(0, name.lastIndexOf("/")));
    expect(parents.filter((name) => !"*^".includes(follow(name)?.kind || "?"))).toEqual([]);
  });

  test("take no path for a tool with a sub-command", () => {
    expect(entryOf("git/log")).toBe(undefined);
  });

  test("know nothing of what objects inherit", () => {
    expect(["constructor", "toString", "__proto__", "hasOwnProperty"].map((name) => entryOf(name))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("expandBraces", () => {
  test.each<[string, string[] | undefined]>([
    ["a{b,c}d", ["abd", "acd"]],
    ["{a,b}{1,2}", ["a1", "a2", "b1", "b2"]],
    ["{a,{b,c}}", ["a", "b", "c"]],
    ["{x,x}", ["x", "x"]],
    ["{,a}", ["", "a"]],
    ["{1..3}", ["1", "2", "3"]],
    ["{3..1}", ["3", "2", "1"]],
    ["{a}", undefined],
    ["{a,b", undefined],
    ["{01..03}", undefined],
    ["{a..c}", undefined],
    ["{1..10..2}", undefined],
    ["{1..9999}", undefined],
    ["{a,'b'}", undefined],
    ["{a,$b}", undefined],
    [`${"{a,b}".repeat(20)}`, undefined],
  ])("%j: %j", (text, expected) => {
    expect(expandBraces(text)).toEqual(expected);
  });
});
