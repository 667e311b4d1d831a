/** Grep and Glob: in memory against just-bash, in Node against ripgrep. */
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
