/** Builds the package into dist/: one file per module, with types and maps. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Fault, main, root, runTool } from "./command.mjs";
import { preparePackages } from "./setup.mjs";

/** Builds afresh; throws a Fault when the sources have type errors. */
export function build() {
  rmSync(`${root}dist`, { recursive: true, force: true });
  if (runTool("typescript", ["-p", "test/tsconfig.build.json"]) !== 0) {
    throw new Fault("The package does not build: mend the type errors above.");
  }
  for (const file of readdirSync(`${root}dist`, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".js")) renameWorkers(`${root}dist/${file}`);
  }
}

/**
 * The compiler renames the files of imports, not those of `new URL("./x.ts", import.meta.url)`, by which a worker is found.
 * @param {string} path
 */
function renameWorkers(path) {
  const text = readFileSync(path, "utf8");
  const renamed = text.replace(/(new URL\(\s*"\.{1,2}\/[^"]+)\.ts("\s*,\s*import\.meta\.url\s*\))/g, "$1.js$2");
  if (renamed !== text) writeFileSync(path, renamed);
}

await main(import.meta, () => {
  preparePackages();
  build();
});
