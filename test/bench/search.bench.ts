/** Grep and Glob: in memory against just-bash, in Node against ripgrep, and how long a search keeps a timer waiting. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { FileSystem, GrepQuery } from "holdall";
import { memoryFileSystem } from "holdall/memory";
import { nodeFileSystem } from "holdall/node";
import { Bash } from "just-bash";
import { compare } from "./harness.ts";

type Files = Record<string, string>;

const words = "import const return async await value index number string result error context signal".split(" ");

/** Writes source-like lines, the same each time; one in so many has the word that is searched for. */
function makeText(length: number, seed: number): string {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  let text = "";
  while (text.length < length) {
    const line = Array.from({ length: 3 + below(8) }, () => words[below(words.length)] ?? "").join(" ");
    text += `${below(500) === 0 ? `${line} needle` : line}\n`;
  }
  return text.slice(0, length);
}

function makeTree(count: number, length: number): Files {
  const files: Files = {};
  for (let index = 0; index < count; index += 1) {
    const folder = `src/part${index % 20}/group${Math.floor(index / 20) % 25}`;
    files[`/work/${folder}/file${index}.${index % 4 === 0 ? "md" : "ts"}`] = makeText(length, index);
  }
  return files;
}

const trees = {
  "10,000 × 2 kB": makeTree(10_000, 2000),
  "100 × 200 kB": makeTree(100, 200_000),
};

for (const [size, files] of Object.entries(trees)) {
  const fs = memoryFileSystem({ files });
  const bash = new Bash({ files, cwd: "/work", executionLimits: { maxCommandCount: 1e9, maxLoopIterations: 1e9 } });
  const shell = (command: string) => async (): Promise<void> => {
    const { stdout, stderr } = await bash.exec(command);
    if (stdout === "") throw new Error(`${command} printed nothing. ${stderr}`);
  };
  const isSmall = size.startsWith("10,000");
  await compare({
    title: `Grep in memory, ${size}, against just-bash grep -rn`,
    rounds: 7,
    base: { name: "just-bash grep -rn", run: shell("grep -rn needle /work") },
    candidates: [
      { name: "through the port", atMost: isSmall ? 1 / 15 : 1 / 4, run: () => grep(fs, { pattern: "needle" }) },
      { name: "names of files", run: () => grep(fs, { pattern: "needle", mode: "files_with_matches" }) },
      { name: "a pattern with .*", run: () => grep(fs, { pattern: "value.*needle" }) },
    ],
  });
  if (isSmall) await compareGlob(fs, shell("find /work -name '*.ts' -type f"));
}

async function grep(fs: FileSystem, query: Omit<GrepQuery, "path">, path = "/work"): Promise<void> {
  const { files } = await fs.grep({ ...query, path, limit: 1_000_000 });
  if (files.length === 0) throw new Error(`${query.pattern} was not found.`);
}

async function compareGlob(fs: FileSystem, find: () => Promise<void>): Promise<void> {
  const glob = (pattern: string) => async (): Promise<void> => {
    const { matches } = await fs.glob({ pattern, path: "/work", limit: 100_000 });
    if (matches.length === 0) throw new Error(`${pattern} was not found.`);
  };
  await compare({
    title: "Glob in memory, 10,000 files, against just-bash find",
    rounds: 7,
    base: { name: "just-bash find -name", run: find },
    candidates: [
      { name: "**/*.ts", atMost: 1 / 30, run: glob("**/*.ts") },
      { name: "**/*.{ts,tsx}", run: glob("**/*.{ts,tsx}") },
      { name: "src/part1/**", run: glob("src/part1/**") },
    ],
  });
}

/**
 * Measures how long a search works between two turns of a timer at most, in milliseconds of processor time: what else the
 * machine does meanwhile is not the search's doing.
 */
async function starvation(fs: FileSystem, query: Omit<GrepQuery, "path">): Promise<number> {
  let since = process.cpuUsage();
  let longest = 0;
  const tick = (): void => {
    const { user, system } = process.cpuUsage(since);
    longest = Math.max(longest, (user + system) / 1000);
    since = process.cpuUsage();
  };
  const timer = setInterval(tick, 1);
  await fs.grep({ limit: 1_000_000, deadlineMs: 3000, ...query, path: "/" });
  tick();
  clearInterval(timer);
  return longest;
}

function classes(count: number): string {
  return Array.from({ length: count }, (_, at) => `[${String.fromCharCode(0x4e00 + at)}a]`).join("");
}

const manyWords = Array.from({ length: 250 }, (_, at) => `ab${at}`).join("|");

const hostile: readonly (readonly [name: string, text: string, query: Omit<GrepQuery, "path">])[] = [
  ["plain text", makeText(20_000_000, 1), { pattern: "needle", mode: "count" }],
  ["one .*", "x".repeat(2_000_000), { pattern: "x.*y" }],
  ["two .*", "x".repeat(2_000_000), { pattern: "x.*x.*y" }],
  ["three .*", "x".repeat(2_000_000), { pattern: "x.*x.*x.*y" }],
  ["four .*", "x".repeat(2_000_000), { pattern: "x.*x.*x.*x.*y" }],
  ["two .*, short lines", `${"x".repeat(250)}\n`.repeat(8000), { pattern: "x.*x.*y" }],
  ["two .* across lines", "x\n".repeat(1_000_000), { pattern: "x.*x.*y", multiline: true }],
  ["many words", "abcd ".repeat(400_000), { pattern: Array.from({ length: 700 }, (_, at) => `ab${at}`).join("|") }],
  ["a long repetition", "ab".repeat(1_000_000), { pattern: "(?:ab){1000}c" }],
  ["many classes", "abcd ".repeat(400_000), { pattern: classes(800) }],
  ["words in a repetition", "abcd ".repeat(400_000), { pattern: `(?:${manyWords})+y` }],
  ["lines around each match", `${"x\n".repeat(250)}a\n`.repeat(20_000), { pattern: "a", before: 100, after: 100 }],
  ["empty lines", "\n".repeat(20_000_000), { pattern: "^$", mode: "count" }],
  ["one match of all lines", "\n".repeat(30 << 20), { pattern: "\\n+", mode: "count", multiline: true }],
  ["looking around", "x".repeat(2_000_000), { pattern: "x.*x.*(?=y)z" }],
  ["a reference", "x".repeat(2_000_000), { pattern: "(x).*\\1.*y" }],
];

console.log("\nThe longest time a timer waits beside a Grep");
for (const [name, text, query] of hostile) {
  const fs = memoryFileSystem({ files: { "/file.txt": text } });
  await starvation(fs, query);
  const longest = await starvation(fs, query);
  console.log(
    `  ${name.padEnd(36)} ${longest.toFixed(1).padStart(7)} ms  reach ≤ 15 ms  ${longest <= 15 ? "reached" : "NOT REACHED"}`,
  );
}

const run = promisify(execFile);

async function hasRipgrep(): Promise<boolean> {
  return run("rg", ["--version"]).then(
    () => true,
    () => false,
  );
}

async function compareOnDisk(size: string, files: Files, atMost: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "holdall-search-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const rg = (...given: string[]) => run("rg", ["--no-config", ...given, folder], { maxBuffer: 1 << 28 });
    const withRipgrep = nodeFileSystem({ root: folder });
    await compare({
      title: `Grep in Node, ${size}, against ripgrep`,
      rounds: 7,
      clock: "wall",
      base: { name: "rg -n", run: () => rg("-n", "--hidden", "needle") },
      candidates: [{ name: "through the port", atMost, run: () => grep(withRipgrep, { pattern: "needle" }, folder) }],
    });
    await compare({
      title: `Glob in Node, ${size}, against rg --files`,
      rounds: 7,
      clock: "wall",
      base: { name: "rg --files", run: () => rg("--files", "--hidden", "-g", "*.ts") },
      candidates: [
        {
          name: "through the port",
          atMost: 2,
          run: () => withRipgrep.glob({ pattern: "**/*.ts", path: folder, limit: 100_000 }),
        },
      ],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (await hasRipgrep()) {
  await compareOnDisk("10,000 × 2 kB", trees["10,000 × 2 kB"], 3);
  await compareOnDisk("100 × 200 kB", trees["100 × 200 kB"], 8);
} else console.log("\nripgrep is not installed: nothing is measured on disk.");
