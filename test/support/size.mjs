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
  const verdict = over <= 0 ? "ok" : `OVER by ${over} bytes; its biggest files, minified but not gzipped:`;
  console.log(
    `  ${name.padEnd(22)} ${kilobytes(start)} of ${String(budget).padStart(2)} kB ${without.padEnd(16)} ${verdict}`,
  );
  if (over <= 0) return;
  for (const [path, bytes] of parts.slice(0, SHOWN_FILES)) console.log(`    ${kilobytes(bytes)} kB  ${path}`);
}

async function measure({ imports, beside }) {
  const { build: bundle } = await import("esbuild");
  const lines = Object.entries(imports).map(([name, names]) => `export { ${names.join(", ")} } from "${name}";`);
  const { outputFiles, metafile } = await bundle({
    stdin: { contents: lines.join("\n"), resolveDir: root, sourcefile: "entry.js" },
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    external: beside,
    absWorkingDir: root,
    outdir: "out",
    write: false,
    metafile: true,
    logLevel: "warning",
  });
  const outputs = Object.entries(metafile.outputs).map(([path, { imports: found, inputs, entryPoint }], index) => {
    const bytes = gzipSync(outputFiles[index].contents, { level: 9 }).length;
    return { path, name: entryPoint ?? `shared: ${biggest(inputs)[0]?.[0]} …`, bytes, found, inputs };
  });
  const first = loadedWith(outputs, "out/stdin.js");
  const atStart = outputs.filter(({ path }) => first.includes(path));
  return {
    start: atStart.reduce((sum, { bytes }) => sum + bytes, 0),
    later: outputs.filter((output) => !atStart.includes(output)).map(({ name, bytes }) => [name, bytes]),
    parts: biggest(Object.assign({}, ...atStart.map(({ inputs }) => inputs))),
  };
}

/** The files of a chunk with their minified bytes, the biggest first. */
function biggest(inputs) {
  const sizes = Object.entries(inputs).map(([path, { bytesInOutput }]) => [path.replace(/^dist\//, ""), bytesInOutput]);
  return sizes.sort(([, a], [, b]) => b - a);
}

/** The chunks that a chunk needs before it runs, itself included. */
function loadedWith(outputs, start) {
  const paths = [start];
  for (const path of paths) {
    const { found } = outputs.find((output) => output.path === path);
    const needed = found.filter(({ kind, external }) => kind === "import-statement" && !external);
    paths.push(...needed.map((each) => each.path).filter((each) => !paths.includes(each)));
  }
  return paths;
}

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(1).padStart(6);
}

await main(import.meta, async () => {
  preparePackages();
  if (!existsSync(`${root}dist`) || !process.argv.includes("--as-built")) build();
  return (await measureSizes()) ? 0 : 1;
});
