/** Makes every test file of a project run in the worker instead of in Node. */
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { root } from "../sources.ts";

const runner = fileURLToPath(new URL("./run-file.ts", import.meta.url));

/**
 * Replaces the text of each test file by a call that has the worker run it, so that vitest's file and name filters, counts
 * and reports work as in the other projects.
 */
export function inWorkerd(): Plugin {
  return {
    name: "in-workerd",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(".test.ts")) return undefined;
      const file = id.slice(root.length);
      return {
        code: `import { runFile } from ${JSON.stringify(runner)};\nawait runFile(${JSON.stringify(file)});`,
        map: null,
      };
    },
  };
}
