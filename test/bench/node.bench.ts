/** Grep and Glob over real files, against ripgrep as a program, which is started anew for each search. */
import { execFile } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { globFiles, grepFiles } from "holdall";
import { nodeFileSystem } from "holdall/node";
import { compare } from "./harness.ts";

const run = promisify(execFile);
const LIMIT = 100_000;

/** Everything, whatever a `.gitignore` says. */
const ALL = "-uu";

async function ripgrep(...options: readonly string[]): Promise<string> {
  // 1: nothing was found.
  const { stdout } = await run("rg", ["--no-config", ...options], { maxBuffer: 1 << 28 }).catch(
    (error: { code?: unknown; stdout: string }) => (error.code === 1 ? error : Promise.reject(error)),
  );
  return stdout;
}

function fileText(size: number, index: number): string {
  let text = "";
  for (let line = 0; text.length < size; line += 1)
    text += `const value${line} = compute(${(line * index * 31) % 997}, "some text of a usual kind"); // remark\n`;
  return index % 100 === 7 ? `${text}needle_here();\n` : text;
}

/** Makes 200 folders one after the other, as a checkout does: files of one folder lie together on the disk, and in its caches. */
async function makeTree(root: string, files: number, size: number): Promise<void> {
  for (let index = 0; index < files; index += 1) {
    const group = Math.floor((index * 200) / files);
    const folder = join(root, `d${group % 20}`, `e${group}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `f${index}.ts`), fileText(size, index));
  }
}

/** What newest first costs at least: each file must be asked for its time. */
function statAll(directory: string): number {
  let size = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`;
    size += entry.isDirectory() ? statAll(path) : lstatSync(path).size;
  }
  return size;
}

async function compareSearches(root: string, title: string, atMost: number): Promise<void> {
  const fs = nodeFileSystem({ root, ripgrep: "rg" });
  const alone = nodeFileSystem({ root, ripgrep: false });
  for (const [what, pattern] of [
    ["a rare word", "needle_here"],
    ["a word with digits", "value\\d+7 "],
    ["no certain word", "[a-z]+dle_[a-z]+"],
  ] as const) {
    const query = { pattern, path: root, mode: "files_with_matches", limit: LIMIT, includeIgnored: true } as const;
    await compare({
      title: `Grep, ${title}, ${what}`,
      base: { name: "rg --files-with-matches", run: () => ripgrep("-l", ALL, pattern, root) },
      candidates: [
        { name: "nodeFileSystem", run: () => alone.grep(query), atMost },
        { name: "helped by ripgrep", run: () => fs.grep(query) },
        { name: "portable, over the port", run: () => grepFiles(alone, query) },
      ],
      rounds: 7,
      roundTime: 1,
      clock: "wall",
    });
  }
}

const folder = await mkdtemp(join(tmpdir(), "holdall-bench-"));
try {
  const [small, big] = [join(folder, "small"), join(folder, "big")];
  await makeTree(small, 10_000, 2000);
  await makeTree(big, 200, 200_000);
  await compareSearches(small, "10,000 files of 2 kB", 3);
  await compareSearches(big, "200 files of 200 kB", 8);
  const fs = nodeFileSystem({ root: small });
  const query = { pattern: "**/*.ts", path: small, limit: LIMIT } as const;
  const all = { ...query, includeIgnored: true } as const;
  // One run is short, and takes half as long again now and then.
  const often = { rounds: 15, roundTime: 150, clock: "wall" } as const;
  await compare({
    title: "Glob, 10,000 files, newest first",
    base: { name: "rg --files", run: () => ripgrep("--files", small) },
    candidates: [
      { name: "nodeFileSystem", run: () => fs.glob(query), atMost: 2 },
      { name: "rg --files --sort modified", run: () => ripgrep("--files", "--sort", "modified", small) },
    ],
    ...often,
  });
  await compare({
    title: "Glob, 10,000 files, newest first, whatever a .gitignore says",
    base: { name: `rg --files ${ALL}`, run: () => ripgrep("--files", ALL, small) },
    candidates: [
      { name: "nodeFileSystem", run: () => fs.glob(all) },
      { name: "portable, over the port", run: () => globFiles(fs, all) },
      { name: "readdirSync and lstatSync, nothing else", run: async () => statAll(small) },
    ],
    ...often,
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
