/** Holds what the compiler and the linter leave open about how files are written. */
import { type ESTree, Visitor } from "vite";
import { describe, expect, test } from "vitest";
import { lineAt, type Module, readModules } from "../support/modules.ts";

const MOST_LINES = 400;
const LEAST_DOCUMENTED = 0.95;

const modules = readModules("src", "adapters");

describe("every file of src and adapters", () => {
  test(`has at most ${MOST_LINES} lines`, () => {
    const wrong = modules.filter(({ text }) => text.split("\n").length - 1 > MOST_LINES);
    expect(
      wrong.map(({ path, text }) => `${path}: ${text.split("\n").length - 1}`),
      "a file of that length holds more than one concept; split it where its parts could be named",
    ).toEqual([]);
  });

  test("begins with a sentence that says what it is for", () => {
    const wrong = modules.filter(({ text }) => !/^(#!.*\n)?\/\*\*( ?|\n \* )\S/.test(text));
    expect(
      wrong.map(({ path }) => path),
      "whoever opens a file wants to know first whether it is the right one",
    ).toEqual([]);
  });

  test("uses neither `any` nor `!`", () => {
    const wrong = modules.flatMap(findEscapes);
    expect(
      wrong,
      "both switch the compiler off exactly where a wrong value would come in; use `unknown` and a check, also where the linter is told to look away",
    ).toEqual([]);
  });
});

describe("what is exported", () => {
  test(`is documented, ${LEAST_DOCUMENTED * 100} % of it at least`, () => {
    const all = modules.filter(({ path }) => !path.endsWith("/index.ts")).flatMap(findExports);
    const bare = all.filter(({ documented }) => !documented).map(({ place }) => place);
    expect(
      1 - bare.length / Math.max(all.length, 1),
      `the editor shows these comments where the name is used; there is none at\n${bare.join("\n")}\n`,
    ).toBeGreaterThanOrEqual(LEAST_DOCUMENTED);
  });
});

function findEscapes({ path, text, program }: Module): string[] {
  const found: string[] = [];
  const add = ({ start }: ESTree.Node): void => void found.push(`${path}:${lineAt(text, start)}`);
  new Visitor({ TSAnyKeyword: add, TSNonNullExpression: add }).visit(program);
  return found;
}

function findExports({ path, text, program, comments }: Module): { place: string; documented: boolean }[] {
  const declarations = program.body.filter(
    (node) => node.type === "ExportNamedDeclaration" && node.declaration !== null,
  );
  return declarations.map(({ start }) => {
    const comment = comments.findLast(({ end }) => end <= start);
    const documented =
      comment?.type === "Block" && comment.value.startsWith("*") && text.slice(comment.end, start).trim() === "";
    return { place: `${path}:${lineAt(text, start)}`, documented };
  });
}
