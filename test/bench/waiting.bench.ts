/** How long a tool keeps a timer waiting: hostile patterns and files, very many files, and large ones. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentState, type FileSystem, type GrepQuery, type JsonObject, Toolkit } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { nodeFileSystem } from "holdall/node";
import { editTool, readTool, writeTool } from "holdall/tools";

/**
 * Measures how long a search works between two turns of a timer at most, in milliseconds. Time in which this process did not
 * run is not the search's doing, and work of its other threads keeps no timer waiting: of both clocks the shorter one counts.
 */
async function longestGap(search: () => Promise<unknown>): Promise<number> {
  let started = performance.now();
  let since = process.cpuUsage();
  let longest = 0;
  const tick = (): void => {
    const { user, system } = process.cpuUsage(since);
    longest = Math.max(longest, Math.min((user + system) / 1000, performance.now() - started));
    started = performance.now();
    since = process.cpuUsage();
  };
  const timer = setInterval(tick, 1);
  await search();
  tick();
  clearInterval(timer);
  return longest;
}

const GAP_ROUNDS = 5;

async function showLongestGap(name: string, search: () => Promise<unknown>): Promise<void> {
  await search();
  const gaps: number[] = [];
  for (let round = 0; round < GAP_ROUNDS; round += 1) gaps.push(await longestGap(search));
  gaps.sort((one, other) => one - other);
  const [median = 0, most = 0] = [gaps[GAP_ROUNDS >> 1], gaps.at(-1)];
  const columns = [median, most].map((milliseconds) => milliseconds.toFixed(1).padStart(7));
  console.log(
    `  ${name.padEnd(44)} ${columns.join(" ms ")} ms  reach ≤ 15 ms  ${median <= 15 ? "reached" : "NOT REACHED"}`,
  );
}

function classes(count: number): string {
  return Array.from({ length: count }, (_, at) => `[${String.fromCharCode(0x4e00 + at)}a]`).join("");
}

const manyWords = Array.from({ length: 250 }, (_, at) => `ab${at}`).join("|");

const hostile: readonly (readonly [name: string, text: string, query: Omit<GrepQuery, "path">])[] = [
  ["plain text", "import const return needle of context\n".repeat(500_000), { pattern: "needless", mode: "count" }],
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
  ["one .* before a look", "x".repeat(2_000_000), { pattern: "x.*(?=y)z" }],
  ["two .* before a look", "x".repeat(2_000_000), { pattern: "x.*x.*(?=y)z" }],
  ["a reference", "x".repeat(2_000_000), { pattern: "(x).*\\1.*y" }],
];

console.log("\nThe longest time a timer waits beside a tool, the median and the most of five runs");
for (const [name, text, query] of hostile) {
  const fs = memoryFileSystem({ files: { "/file.txt": text } });
  await showLongestGap(`Grep: ${name}`, () => fs.grep({ limit: 1_000_000, deadlineMs: 3000, ...query, path: "/" }));
}

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join("\n");
}

/** Rules that take long, beside folders and names that make them take longest. */
const ruled: readonly (readonly [name: string, rules: string, path: (index: number) => string])[] = [
  ["folders between stars", lines(2000, (at) => `**/x/**/y${at}`), (at) => `d${at % 50}/x/e${at % 20}/f${at}`],
  ["many stars in a name", lines(2000, (at) => `*a*a*a*b${at}*`), (at) => `${"a".repeat(240)}${at}`],
  ["long stars in a name", lines(1000, (at) => `*${"a".repeat(120)}b*c*d${at}`), (at) => `${"a".repeat(240)}${at}`],
  ["two stars in a name", lines(2000, (at) => `*a*b${at}`), (at) => `${"a".repeat(240)}${at}`],
  [
    "stars and others in turn",
    lines(2000, (at) => (at % 2 === 0 ? `x${at}` : `*x*x*x${at}`)),
    (at) => `d${at % 50}/f${at}`,
  ],
  ["a long way down", lines(400, () => "**/a/".repeat(120)), (at) => `${"a/".repeat(100 + (at % 100))}f${at}`],
  ["brackets that stay open", lines(60, () => `*x*x*x${"[".repeat(4000)}`), (at) => `f${at}`],
];

for (const [name, rules, path] of ruled) {
  const files: Record<string, string> = { "/.gitignore": rules };
  for (let index = 0; index < 300; index += 1) files[`/${path(index)}`] = "";
  const fs = memoryFileSystem({ files });
  await showLongestGap(`Glob: .gitignore with ${name}`, () => fs.glob({ pattern: "**", path: "/" }));
}

const crowd = Array.from({ length: 100_000 }, (_, index) => `file${index}.ts`);

async function showCrowd(name: string, fs: FileSystem, path: string): Promise<void> {
  await showLongestGap(`Glob: 100,000 files in one folder, ${name}`, () => fs.glob({ pattern: "**/*.ts", path }));
}

await showCrowd("memory", memoryFileSystem({ files: Object.fromEntries(crowd.map((file) => [`/${file}`, ""])) }), "/");
const crowded = mkdtempSync(join(tmpdir(), "holdall-search-"));
try {
  for (const file of crowd) writeFileSync(join(crowded, file), "");
  await showCrowd("Node", nodeFileSystem({ root: crowded }), crowded);
} finally {
  rmSync(crowded, { recursive: true });
}

const large: readonly (readonly [name: string, line: (index: number) => string])[] = [
  ["10 MiB of ASCII", (index) => `  const value${index} = compute(${index}, "text of the line");`],
  ["12 MiB beyond ASCII", (index) => `  const value${index} = « é 漢字 🦊 » + ${index};`],
];

for (const [name, line] of large) {
  const path = "/workspace/large.txt";
  let text = "";
  for (let index = 0; text.length < 10 << 20; index += 1) text += `${line(index)}\n`;
  const backend = memoryBackend({ files: { [path]: text } });
  const toolkit = new Toolkit({ tools: [readTool({ backend }), editTool({ backend }), writeTool({ backend })] });
  const state = createAgentState();
  const show = (tool: string, makeInput: (round: number) => JsonObject): Promise<void> => {
    let round = 0;
    return showLongestGap(`${tool}: ${name}`, async () => {
      const result = await toolkit.run({ name: tool, input: { file_path: path, ...makeInput(round) } }, { state });
      if (result.state !== "success") throw new Error(`${tool} failed: ${JSON.stringify(result.output)}`);
      round += 1;
    });
  };
  await show("Read", () => ({ offset: 150_000, limit: 100 }));
  await show("Edit", (round) => ({ old_string: `value${100_000 + round} =`, new_string: `other${round} =` }));
  await show("Write", (round) => ({ content: `${text}${round}` }));
}
