/**
 * Measures what the package costs a web page: `npm run size`. Fails when a combination is over its budget, and then names
 * the biggest files in it.
 */
import { existsSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "./build.mjs";
import { main, root } from "./command.mjs";
import { preparePackages } from "./setup.mjs";

/**
 * What an application imports, and how many kB (of 1000 bytes, minified and gzipped) of it may load at start. Chunks that
 * are loaded on demand are listed, not counted.
 *
 * The budgets up to Bash are "beside valibot": an application that defines tools has valibot (or another schema library)
 * anyway, so it is left out there. The whole agent is counted with everything.
 */
const COMBINATIONS = [
  {
    name: "Toolkit, defineTool",
    budget: 16,
    beside: ["valibot"],
    imports: { holdall: ["Toolkit", "defineTool"] },
  },
  {
    name: "+ file tools, memory",
    budget: 30,
    beside: ["valibot"],
    imports: {
      holdall: ["Toolkit", "defineTool"],
      "holdall/tools": ["readTool", "writeTool", "editTool", "globTool", "grepTool"],
      "holdall/memory": ["memoryBackend"],
    },
  },
  {
    name: "+ Bash",
    budget: 65,
    beside: ["valibot"],
    imports: {
      holdall: ["Toolkit", "defineTool"],
      "holdall/tools": ["codingTools"],
      "holdall/memory": ["memoryBackend"],
    },
  },
  {
    name: "whole browser agent",
    budget: 80,
    beside: [],
    imports: {
      holdall: ["Agent", "Toolkit", "defineTool"],
      "holdall/model": ["openAiCompatible"],
      "holdall/tools": ["codingTools"],
      "holdall/memory": ["memoryBackend"],
    },
  },
];

const SHOWN_FILES = 15;

/**
 * Bundles each combination from dist/ and prints a table.
 * @returns {Promise<boolean>} Whether all are within their budgets.
 */
export async function measureSizes() {
  const rows = [];
  for (const combination of COMBINATIONS) rows.push({ ...combination, ...(await measure(combination)) });
  console.log("\nMinified and gzipped, loaded at start");
  for (const row of rows) tell(row);
  console.log("Loaded on demand");
  for (const [name, bytes] of new Map(rows.flatMap((row) => row.later)))
    console.log(`  ${name.padEnd(40)} ${kilobytes(bytes)} kB`);
  return rows.every(({ budget, start }) => start <= budget * 1000);
}

function tell({ name, budget, start, beside, parts }) {
  const over = start - budget * 1000;
  const without = beside.length > 0 ? `beside ${beside.join(", ")}` : "with everything";
  const verdict = over <= 0 ? "ok" : `OVER by ${over} bytes; its biggest files, neither minified nor gzipped:`;
  console.log(
    `  ${name.padEnd(22)} ${kilobytes(start)} of ${String(budget).padStart(2)} kB ${without.padEnd(16)} ${verdict}`,
  );
  if (over <= 0) return;
  for (const [path, bytes] of parts.slice(0, SHOWN_FILES)) console.log(`    ${kilobytes(bytes)} kB  ${path}`);
}

/** Bundles with what Vite bundles with, which is how most pages will get it. */
async function measure({ imports, beside }) {
  const { rolldown } = await import("rolldown");
  const lines = Object.entries(imports).map(([name, names]) => `export { ${names.join(", ")} } from "${name}";`);
  const entry = `${root}entry.js`;
  const bundle = await rolldown({
    input: entry,
    cwd: root,
    platform: "browser",
    external: beside,
    preserveEntrySignatures: "strict",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? lines.join("\n") : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "es", minify: true });
  await bundle.close();
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const atStart = loadedWith(chunks, output.find((chunk) => chunk.isEntry).fileName);
  return {
    start: atStart.reduce((sum, chunk) => sum + gzipped(chunk), 0),
    later: output.filter((chunk) => !atStart.includes(chunk)).map((chunk) => [nameOf(chunk), gzipped(chunk)]),
    parts: atStart.flatMap(filesOf).sort(([, one], [, other]) => other - one),
  };
}

/** The files of a chunk with their bytes before they are minified, the biggest first. */
function filesOf({ modules }) {
  const sizes = Object.entries(modules).map(([path, { renderedLength }]) => [
    path.replace(root, "").replace("dist/", ""),
    renderedLength,
  ]);
  return sizes.sort(([, one], [, other]) => other - one);
}

function nameOf(chunk) {
  return filesOf(chunk)[0]?.[0] ?? chunk.fileName;
}

function gzipped({ code }) {
  return gzipSync(code, { level: 9 }).length;
}

/** The chunks that a chunk needs before it runs, itself included. */
function loadedWith(chunks, start) {
  const found = [chunks.get(start)];
  for (const { imports } of found) {
    for (const name of imports) {
      const chunk = chunks.get(name);
      if (chunk !== undefined && !found.includes(chunk)) found.push(chunk);
    }
  }
  return found;
}

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(1).padStart(6);
}

await main(import.meta, async () => {
  preparePackages();
  if (!existsSync(`${root}dist`) || !process.argv.includes("--as-built")) build();
  return (await measureSizes()) ? 0 : 1;
});
