/**
 * Runs the measurements of test/bench against the built package, each file in a process of its own: `npm run bench`, or
 * `npm run bench -- call` for the files whose name contains "call". Nothing fails for being slow: the figures are to read.
 */
import { readdirSync, rmSync } from "node:fs";
import { build } from "./build.mjs";
import { Fault, main, root, run } from "./command.mjs";
import { preparePackages } from "./setup.mjs";

/** One folder a run: two may be made at once. It lies inside the package, so that its own name resolves to dist/ as it does for users. */
const OUTPUT = `test/.output/bench-${process.pid}`;

await main(import.meta, async () => {
  preparePackages();
  const wanted = process.argv.slice(2);
  const files = readdirSync(`${root}test/bench`).filter((file) => /\.bench\.(ts|mjs)$/.test(file));
  const chosen = files.filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
  if (chosen.length === 0)
    throw new Fault(`No measurement is called so. There are: ${files.join(", ") || "none yet"}.`);
  build();
  await compile(chosen);
  console.log(`Node ${process.versions.node}`);
  const codes = chosen.map((file) =>
    run(process.execPath, ["--expose-gc", `${OUTPUT}/${file.replace(/\.(ts|mjs)$/, ".mjs")}`]),
  );
  rmSync(`${root}${OUTPUT}`, { recursive: true });
  return codes.every((code) => code === 0) ? 0 : 1;
});

/** Node 20 does not run TypeScript by itself. */
async function compile(files) {
  const { build: bundle } = await import("esbuild");
  await bundle({
    entryPoints: files.map((file) => `test/bench/${file}`),
    outdir: OUTPUT,
    absWorkingDir: root,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    tsconfigRaw: {},
  });
}
