/** Turns the package's export map into the source files behind it, so that no list of entries is written twice. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the package, with a trailing slash. */
export const root: string = fileURLToPath(new URL("../../", import.meta.url));

/** One entry of the export map. */
export interface Entry {
  /** The specifier that users write: `holdall`, `holdall/tools`. */
  name: string;
  /** The source file, relative to the root: `src/tools/index.ts`. */
  source: string;
  /** The built file, relative to the root: `dist/src/tools/index.js`. */
  built: string;
}

/** What is read of package.json. */
export interface Manifest {
  name: string;
  exports: Record<string, string | { types: string; default: string }>;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  peerDependencies?: Record<string, string>;
  [field: string]: unknown;
}

/** Reads package.json afresh. */
export function readManifest(): Manifest {
  return JSON.parse(readFileSync(`${root}package.json`, "utf8")) as Manifest;
}

/** Lists the entries of the export map that are code. */
export function listEntries(manifest: Manifest = readManifest()): Entry[] {
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    const built = target.default.replace(/^\.\//, "");
    const source = built.replace(/^dist\//, "").replace(/\.js$/, ".ts");
    return [{ name: manifest.name + subpath.slice(1), source, built }];
  });
}

/** Makes the aliases that let tests and the playground import the package by its public names, from the sources. */
export function sourceAliases(): { find: RegExp; replacement: string }[] {
  return listEntries().map(({ name, source }) => ({ find: new RegExp(`^${name}$`), replacement: root + source }));
}
