/** For tests of the built package: makes sure that it is built, and from these sources. */
import { existsSync, statSync } from "node:fs";
import { listFiles } from "./modules.ts";
import { root } from "./sources.ts";

/** Throws when dist/ is missing or older than the sources: what would be tested is not what is written. */
export function requireBuild(): void {
  const built = `${root}dist/src/index.js`;
  if (!existsSync(built)) throw new Error("dist/ is missing. Run `npm run build` first.");
  const sources = ["src", "adapters", "test/contract"].flatMap((folder) => listFiles(folder, /\.ts$/));
  const since = statSync(built).mtimeMs;
  const newer = sources.find((path) => statSync(root + path).mtimeMs > since);
  if (newer !== undefined) throw new Error(`dist/ is older than ${newer}. Run \`npm run build\` first.`);
}
