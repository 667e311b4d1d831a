/** Checks types, lint and format: `npm run check`, or `npm run check -- --fix` to have lint and format mended. */
import { existsSync, readdirSync } from "node:fs";
import { main, root, runTool } from "./command.mjs";
import { preparePackages } from "./setup.mjs";

/** Each part has the types of its own host only, so that a slip across hosts is a type error. */
const PARTS = ["src", "adapters", "test", "demo"];

/**
 * Runs all checks, also after one failed.
 * @param {boolean} fix
 * @returns {number} How many failed.
 */
export function check(fix) {
  const types = PARTS.filter(hasSources).map((part) => runTool("typescript", ["--noEmit", "-p", part]));
  const style = runTool("@biomejs/biome", ["check", ...(fix ? ["--write"] : []), "--error-on-warnings"]);
  return [...types, style].filter((code) => code !== 0).length;
}

/** The compiler takes a part without any file for a mistake. */
function hasSources(part) {
  const folder = `${root}${part}`;
  return (
    existsSync(folder) &&
    readdirSync(folder, { recursive: true, encoding: "utf8" }).some((file) => /\.tsx?$/.test(file))
  );
}

await main(import.meta, () => {
  preparePackages();
  const failed = check(process.argv.includes("--fix"));
  console.log(
    failed === 0 ? "Types, lint and format are fine." : "\nMend the faults above; `npm run check -- --fix` formats.",
  );
  return failed === 0 ? 0 : 1;
});
