/** How long a tool keeps a timer waiting: hostile patterns and files, very many files, and large ones. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentState, type FileSystem, type GrepQuery, type JsonObject, Toolkit } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { nodeBackend, nodeFileSystem } from "holdall/node";
import { bashTool, editTool, notebookEditTool, readTool, textFileTools, writeTool } from "holdall/tools";

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

/** Adds up to a text as a model sends it: in one piece. */
function makeText(line: (index: number) => string): string {
  const lines: string[] = [];
  for (let length = 0; length < 10 << 20; length += (lines.at(-1)?.length ?? 0) + 1) lines.push(line(lines.length));
  return inOnePiece(`${lines.join("\n")}\n`);
}

function inOnePiece(text: string): string {
  return JSON.parse(JSON.stringify(text));
}

interface LargeFile {
  name: string;
  text: string;
  calls: Readonly<Record<string, readonly [tool: string, makeInput: (round: number, text: string) => JsonObject]>>;
}

const usualCalls: LargeFile["calls"] = {
  Read: ["Read", () => ({ offset: 150_000, limit: 100 })],
  Edit: ["Edit", (round) => ({ old_string: `value${100_000 + round} =`, new_string: `other${round} =` })],
  Write: ["Write", (round, text) => ({ content: inOnePiece(`${text}${round}`) })],
};

function notebookOf(count: number, makeCell: (id: string) => JsonObject): string {
  const cells = Array.from({ length: count }, (_, index) => ({ cell_type: "code", ...makeCell(`cell-${index}`) }));
  return inOnePiece(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1));
}

const notebookCalls: LargeFile["calls"] = {
  Read: ["Read", () => ({ limit: 100 })],
  NotebookEdit: ["NotebookEdit", (round) => ({ cell_id: "cell-10", new_source: `y = ${round}` })],
};

const large: readonly LargeFile[] = [
  {
    name: "10 MiB of ASCII",
    text: makeText((index) => `  const value${index} = compute(${index}, "text of the line");`),
    calls: {
      ...usualCalls,
      "Edit at both ends": [
        "Edit",
        (round) => ({
          old_string: `value${200 + round} =`,
          new_string: `other${round} =`,
          edits: [{ old_string: `value${180_000 + round} =`, new_string: `other${round} =` }],
        }),
      ],
      "view_text_file of all": ["view_text_file", () => ({})],
      "view_text_file of a part": ["view_text_file", () => ({ ranges: "[90000,90050]" })],
      insert_text_file: ["insert_text_file", (round) => ({ content: `new ${round}`, line_number: 90_000 })],
      "Edit of every line": [
        "Edit",
        (round) => ({
          old_string: round % 2 === 0 ? "const" : "let",
          new_string: round % 2 === 0 ? "let" : "const",
          replace_all: true,
        }),
      ],
    },
  },
  {
    name: "10 MiB with CRLF",
    text: makeText((index) => `  const value${index} = compute(${index}, "text of the line");\r`),
    calls: usualCalls,
  },
  {
    name: "12 MiB beyond ASCII",
    text: makeText((index) => `  const value${index} = « é 漢字 🦊 » + ${index};`),
    calls: usualCalls,
  },
  {
    name: "10 MiB of line ends",
    text: "\n".repeat(10 << 20),
    calls: {
      Read: ["Read", () => ({ offset: 7_000_000, limit: 100 })],
      "Edit that is ambiguous": ["Edit", () => ({ old_string: "\n\n\n", new_string: "x" })],
      Write: ["Write", (round, text) => ({ content: `${text}${round}` })],
    },
  },
  {
    name: "10 MiB of one letter",
    text: "a".repeat(10 << 20),
    calls: {
      Read: ["Read", () => ({})],
      "Edit that does not fit": ["Edit", () => ({ old_string: `${"a".repeat(100_000)}b`, new_string: "x" })],
    },
  },
  {
    name: "a notebook of many cells",
    text: notebookOf(20_000, (id) => ({ id, outputs: [], source: [`x = "${id}"\n`, "print(x)\n".repeat(20)] })),
    calls: notebookCalls,
  },
  {
    name: "a notebook of images",
    text: notebookOf(20, (id) => ({
      id,
      outputs: [{ data: { "image/png": "iVBORw0KGgo".repeat(45_000) } }],
      source: "",
    })),
    calls: notebookCalls,
  },
  {
    name: "3 MiB of lines",
    text: makeText((index) => `  const value${index} = compute(${index}, "text of the line");`).slice(0, 3 << 20),
    calls: {
      "Edit that does not fit": ["Edit", () => ({ old_string: "  const value5 = compute(6,\n  x", new_string: "x" })],
    },
  },
];

for (const { name, text, calls } of large) {
  const path = calls === notebookCalls ? "/workspace/large.ipynb" : "/workspace/large.txt";
  const backend = memoryBackend({ files: { [path]: text } });
  const tools = [readTool, editTool, writeTool, notebookEditTool].map((makeTool) => makeTool({ backend }));
  const toolkit = new Toolkit({ tools: [...tools, ...textFileTools({ backend })] });
  const state = createAgentState();
  state.toolContext.readFiles[path] = { version: (await backend.fs.read(path)).version };
  for (const [call, [tool, makeInput]] of Object.entries(calls)) {
    const field = tool === "NotebookEdit" ? "notebook_path" : "file_path";
    const inputs = Array.from({ length: GAP_ROUNDS + 1 }, (_, round) => ({ [field]: path, ...makeInput(round, text) }));
    await showLongestGap(`${call}: ${name}`, async () => {
      const result = await toolkit.run({ name: tool, input: inputs.shift() ?? {} }, { state });
      const isExpected = (result.state === "success") === !call.includes(" that ");
      if (!isExpected) throw new Error(`${call}: ${JSON.stringify(result.output)}`);
    });
  }
}

// A picture of the largest size that Read shows.
const picture = new Uint8Array(5 << 20);
picture.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
const gallery = memoryBackend({ files: { "/workspace/a.png": picture } });
const viewer = new Toolkit({ tools: [readTool({ backend: gallery, inputTypes: ["image/png"] })] });
await showLongestGap("Read: an image of 5 MiB", async () => {
  const result = await viewer.run({ name: "Read", input: { file_path: "/workspace/a.png" } });
  if (result.state !== "success") throw new Error(JSON.stringify(result.output));
});

const shellFolder = mkdtempSync(join(tmpdir(), "holdall-output-"));
try {
  const shells = new Toolkit({ tools: [bashTool({ backend: nodeBackend({ root: shellFolder }) })] });
  for (const command of ["seq 1 1500000", "yes | head -c 30000000"])
    await showLongestGap(`Bash: ${command}`, async () => {
      const result = await shells.run({ name: "Bash", input: { command } });
      if (result.state !== "success") throw new Error(JSON.stringify(result.output).slice(0, 500));
    });
} finally {
  rmSync(shellFolder, { recursive: true });
}
