/** Holds the built files to the promise that they run anywhere: what the compiler wrote counts, not what was meant. */
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { type ESTree, Visitor } from "vite";
import { beforeAll, describe, expect, test } from "vitest";
import { requireBuild } from "../support/dist.ts";
import { lineAt, listFiles, type Module, readModule } from "../support/modules.ts";
import { readManifest, root } from "../support/sources.ts";

const HOSTS = new Set(["process", "Buffer", "window", "document", "require", "__dirname", "__filename"]);
const EVALUATION = new Set(["eval", "Function"]);
const BUILTINS = new Set(builtinModules);

const { dependencies, peerDependencies = {} } = readManifest();
let core: Module[] = [];
let all: Module[] = [];

beforeAll(() => {
  requireBuild();
  all = listFiles("dist", /\.js$/).map(readModule);
  core = all.filter(({ path }) => path.startsWith("dist/src/"));
});

describe("the built core", () => {
  test("asks for no module of Node", () => {
    const wrong = core.flatMap(({ path, imports }) => {
      return imports
        .filter(({ specifier }) => isBuiltin(specifier))
        .map(({ specifier, line }) => `${path}:${line} ${specifier}`);
    });
    expect(wrong, "a bundler for browsers stops at the first of these, also where it is never called").toEqual([]);
  });

  test("names no global of one host", () => {
    const wrong = core.flatMap((module) => findGlobals(module, HOSTS));
    expect(
      wrong,
      "the core runs in pages, workers, edge workers and Node; take the value as a parameter instead",
    ).toEqual([]);
  });

  test("turns no text into code", () => {
    const wrong = core.flatMap((module) => findGlobals(module, EVALUATION));
    expect(wrong, "edge workers and pages with a content security policy refuse it").toEqual([]);
  });

  test("has types that need no types of Node", () => {
    const wrong = listFiles("dist/src", /\.d\.ts$/).filter((path) => {
      return /reference types=|\bNodeJS\.|["']node:/.test(readFileSync(root + path, "utf8"));
    });
    expect(wrong, "whoever compiles for a browser has no @types/node, and would see errors in this package").toEqual(
      [],
    );
  });
});

describe("all built files", () => {
  test("import only packages that are declared", () => {
    const declared = new Set([
      ...Object.keys(dependencies),
      ...Object.keys(peerDependencies),
      "holdall",
      "cloudflare:workers",
    ]);
    const wrong = all.flatMap(({ path, imports }) => {
      const foreign = imports.filter(({ specifier }) => !specifier.startsWith(".") && !isBuiltin(specifier));
      return foreign
        .filter(({ specifier }) => !declared.has(packageOf(specifier)))
        .map((each) => `${path}:${each.line} ${each.specifier}`);
    });
    expect(wrong, "a package that is only a development dependency is missing where this one is installed").toEqual([]);
  });

  test("point at files that exist", () => {
    const paths = new Set(all.map(({ path }) => path));
    const wrong = all.flatMap(({ path, imports }) => {
      const own = imports.filter(({ specifier }) => specifier.startsWith("."));
      return own
        .filter(({ target }) => !paths.has(target))
        .map(({ specifier, line }) => `${path}:${line} ${specifier}`);
    });
    expect(wrong, "the compiler renames .ts in imports and leaves other texts alone; see the build command").toEqual(
      [],
    );
  });
});

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || BUILTINS.has(specifier);
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** Uses of a name that the file does not declare itself, also as `globalThis.name`. */
function findGlobals({ path, text, program }: Module, names: ReadonlySet<string>): string[] {
  const keys = new Set<number>();
  const declared = new Set<string>();
  const uses: { name: string; start: number }[] = [];
  const addKey = ({ computed, shorthand, key }: { computed: boolean; shorthand?: boolean; key: ESTree.Node }): void => {
    if (!computed && !shorthand) keys.add(key.start);
  };
  const addParameters = ({ params }: { params: readonly ESTree.Node[] }): void => {
    for (const each of params) if (each.type === "Identifier") declared.add(each.name);
  };
  new Visitor({
    MemberExpression({ computed, object, property }) {
      const isGlobal = object.type === "Identifier" && (object.name === "globalThis" || object.name === "self");
      if (!computed && !isGlobal) keys.add(property.start);
    },
    Property: addKey,
    PropertyDefinition: addKey,
    MethodDefinition: addKey,
    FunctionDeclaration: addParameters,
    FunctionExpression: addParameters,
    ArrowFunctionExpression: addParameters,
    VariableDeclarator: ({ id }) => void (id.type === "Identifier" && declared.add(id.name)),
    Identifier: ({ name, start }) => void (names.has(name) && uses.push({ name, start })),
  }).visit(program);
  const foreign = uses.filter(({ name, start }) => !keys.has(start) && !declared.has(name));
  return foreign.map(({ name, start }) => `${path}:${lineAt(text, start)} ${name}`);
}
