/** Holds the shape of the house: which room may import which. */
import { describe, expect, test } from "vitest";
import { type Module, reachableFrom, readModules } from "../support/modules.ts";

/** A room imports only rooms with a lower number. */
const RANKS: Readonly<Record<string, number>> = {
  base: 0,
  message: 1,
  schema: 1,
  backend: 1,
  bash: 1,
  event: 2,
  state: 2,
  permission: 2,
  tool: 3,
  model: 3,
  toolkit: 4,
  tools: 4,
  skill: 4,
  mcp: 4,
  agent: 5,
};

/** Rooms that have a lower rank and are closed all the same. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  agent: ["tools", "skill", "mcp"],
};

const src = readModules("src");
const adapters = readModules("adapters");

function roomOf(path: string): string {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? "";
}

function importsOf(modules: readonly Module[]) {
  return modules.flatMap(({ path, imports }) =>
    imports.map((each) => ({ ...each, path, place: `${path}:${each.line}` })),
  );
}

describe("the rooms of src", () => {
  test("are all ranked", () => {
    const rooms = [...new Set(src.map(({ path }) => roomOf(path)).filter(Boolean))];
    expect(
      rooms.filter((room) => RANKS[room] === undefined),
      "a room without a rank is outside the rule that keeps the house readable; give it one in RANKS",
    ).toEqual([]);
  });

  test("import only rooms of a lower rank", () => {
    const wrong = importsOf(src).flatMap(({ path, target, place }) => {
      const [from, to] = [roomOf(path), roomOf(target)];
      if (from === "" || to === "" || from === to) return [];
      const isLower = (RANKS[to] ?? Number.NaN) < (RANKS[from] ?? Number.NaN);
      return isLower && !CLOSED[from]?.includes(to) ? [] : [`${place} imports ${target}`];
    });
    expect(
      wrong,
      "one tool call must be readable by walking down the ranks; a way back up ties the rooms into one. " +
        "Move what both need down, or hand it in as a parameter",
    ).toEqual([]);
  });

  test("import by file, never through an index.ts", () => {
    const wrong = importsOf(src).filter(({ target }) => target.endsWith("/index.ts"));
    expect(
      wrong.map(({ place, target }) => `${place} imports ${target}`),
      "an index.ts is a public entry; a file that imports it loads the whole entry and easily closes a cycle",
    ).toEqual([]);
  });

  test("never import adapters, nor themselves by the package's name", () => {
    const wrong = importsOf(src).filter(({ target, specifier }) => {
      return target.startsWith("adapters/") || target.startsWith("test/") || /^holdall(\/|$)/.test(specifier);
    });
    expect(
      wrong.map(({ place, specifier }) => `${place} imports ${specifier}`),
      "src must be whole without any host; what differs between hosts is handed in through a port",
    ).toEqual([]);
  });
});

describe("the adapters", () => {
  test("import the package by its public names and their own files only", () => {
    const wrong = importsOf(adapters).filter(({ path, specifier, target }) => {
      const own = path.split("/").slice(0, 2).join("/");
      return specifier.startsWith(".") && !target.startsWith(`${own}/`);
    });
    expect(
      wrong.map(({ place, specifier }) => `${place} imports ${specifier}`),
      "an adapter must be able to move to a package of its own; what it needs of this one has to be public",
    ).toEqual([]);
  });
});

describe("all files", () => {
  test("have no cycle among the imports that load", () => {
    const graph = new Map([...src, ...adapters].map((module) => [module.path, module]));
    const wrong = [...graph.values()].flatMap(({ path, imports }) => {
      return imports
        .filter(({ target, kind }) => kind === "static" && reachableFrom(target, graph, ["static"]).has(path))
        .map(({ target }) => `${path} -> ${target} -> … -> ${path}`);
    });
    expect(
      wrong,
      "in a cycle, what a file sees of another depends on which was asked for first; bundlers differ there",
    ).toEqual([]);
  });
});
