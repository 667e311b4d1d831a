/** Keeps out what belongs to a machine or a day and not to the project. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { root } from "../support/sources.ts";

const TOP = [
  "LICENSE",
  "README.md",
  "adapters",
  "demo",
  "package-lock.json",
  "package.json",
  "src",
  "test",
  "tsconfig.json",
  "vite.config.ts",
];
const PROSE = ["CONTRIBUTING.md"];
const MADE = new Set(["node_modules", "dist", ".git", ".output", ".vite"]);
const BINARY = /\.(png|jpe?g|gif|ico|woff2?|zip|tgz|wasm)$/;

const files = listText("");

describe("the repository", () => {
  test("has the top level that was agreed on", () => {
    const found = readdirSync(root).filter(
      (name) => !name.startsWith(".") && !MADE.has(name) && !name.endsWith(".tgz"),
    );
    expect(
      found.filter((name) => !TOP.includes(name) && !PROSE.includes(name)),
      "the top level is the first thing a reader sees; a new name there has to earn it",
    ).toEqual([]);
  });

  test("names no place of the machine it was written on", () => {
    const here = root.slice(0, -1);
    // A checkout right under the file system's root would match half the examples.
    const wrong = here.split("/").length > 2 ? files.filter((path) => read(path).includes(here)) : [];
    expect(wrong, "such a path exists on one machine only").toEqual([]);
  });

  test("names no registry", () => {
    const wrong = files.filter((path) => /\bregistry\.[\w-]+\.\w+/.test(read(path)));
    expect(wrong, "where packages come from is the business of whoever installs them").toEqual([]);
  });

  test("has a lock that works with any registry", () => {
    expect(
      read("package-lock.json"),
      'addresses are left out by "omit-lockfile-registry-resolved" in .npmrc',
    ).not.toContain('"resolved"');
    expect(read(".npmrc")).toContain("omit-lockfile-registry-resolved=true");
  });

  test("has exact versions", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json"));
    const wrong = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+/.test(String(version)),
    );
    expect(wrong, "the tools are a set that was tried together").toEqual([]);
  });

  test("has no notes to self", () => {
    const wrong = files.filter(
      (path) => /\.(ts|tsx|mjs|css|html)$/.test(path) && /(?:\/\/|\*|<!--)\s*(?:TODO|FIXME|XXX)\b/.test(read(path)),
    );
    expect(wrong, "what is left to do is said where work is planned, where it is seen").toEqual([]);
  });
});

function listText(folder: string): string[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (MADE.has(entry.name) || BINARY.test(entry.name)) return [];
    return entry.isDirectory() ? listText(`${path}/`) : entry.isFile() ? [path] : [];
  });
}

function read(path: string): string {
  return readFileSync(root + path, "utf8");
}
