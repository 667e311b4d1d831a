/** Reads the code as a graph: which file imports which, and what is written in it. For the guards. */
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { listEntries, root } from "./sources.ts";

/** One import, export-from, `import()` or `new URL(…, import.meta.url)` of a file. */
export interface Import {
  /** As it is written. */
  specifier: string;
  /** The file it means, from the root; for another package the specifier itself. */
  target: string;
  /** `type`: gone when built. `static`: loaded before the file runs. `lazy`: loaded when asked for. */
  kind: "type" | "static" | "lazy";
  /** Counted from 1. */
  line: number;
}

/** One file of code. */
export interface Module {
  /** From the root, with slashes: `src/base/path.ts`. */
  path: string;
  text: string;
  program: ESTree.Program;
  comments: ReturnType<typeof parseSync>["comments"];
  imports: readonly Import[];
}

/** Lists the files under a folder of the package whose names match, as paths from the root. */
export function listFiles(folder: string, name: RegExp): string[] {
  return readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .map((file) => posix.join(folder, file.replaceAll("\\", "/")))
    .filter((file) => name.test(file))
    .sort();
}

/** Reads all TypeScript files of the given folders. */
export function readModules(...folders: readonly string[]): Module[] {
  return folders.flatMap((folder) => listFiles(folder, /\.tsx?$/)).map(readModule);
}

/** Reads one file, TypeScript or JavaScript. */
export function readModule(path: string): Module {
  const text = readFileSync(root + path, "utf8");
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  return { path, text, program, comments, imports: findImports(path, text, program) };
}

/** The line of a position, counted from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

/** All files that are loaded once `start` is, itself included, along imports of the given kinds. */
export function reachableFrom(
  start: string,
  graph: ReadonlyMap<string, Module>,
  kinds: readonly Import["kind"][],
): Set<string> {
  const found = new Set([start]);
  for (const path of found) {
    for (const { target, kind } of graph.get(path)?.imports ?? []) {
      if (kinds.includes(kind) && graph.has(target)) found.add(target);
    }
  }
  return found;
}

function findImports(path: string, text: string, program: ESTree.Program): Import[] {
  const imports: Import[] = [];
  const add = (source: ESTree.Node | null, kind: Import["kind"]): void => {
    if (source?.type !== "Literal" || typeof source.value !== "string") return;
    imports.push({
      specifier: source.value,
      target: resolve(path, source.value),
      kind,
      line: lineAt(text, source.start),
    });
  };
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => add(source, importKind === "type" ? "type" : "static"),
    ExportAllDeclaration: ({ source, exportKind }) => add(source, exportKind === "type" ? "type" : "static"),
    ExportNamedDeclaration: ({ source, exportKind }) => add(source, exportKind === "type" ? "type" : "static"),
    ImportExpression: ({ source }) => add(source, "lazy"),
    TSImportType: ({ source }) => add(source, "type"),
    NewExpression: ({ callee, arguments: [first, second] }) => {
      const isUrl = callee.type === "Identifier" && callee.name === "URL";
      if (isUrl && first && second && text.slice(second.start, second.end) === "import.meta.url") add(first, "lazy");
    },
  }).visit(program);
  return imports;
}

function resolve(path: string, specifier: string): string {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(path), specifier);
  return listEntries().find(({ name }) => name === specifier)?.source ?? specifier;
}
