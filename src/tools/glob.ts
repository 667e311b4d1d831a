/** The Glob tool: finds files by name. */

import { boolean, description, object, optional, pipe, string } from "valibot";
import type { Backend } from "../backend/backend.ts";
import { globBase } from "../base/glob.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { ToolResult } from "../tool/tool-result.ts";
import { answer } from "./answer.ts";
import { fitLines } from "./fit-lines.ts";
import { MAX_GLOB_FILES, MAX_SEARCH_LENGTH } from "./limits.ts";
import { patternRoot, searchPath, searchRules } from "./search-root.ts";

/** How the tool is set up. */
export interface GlobToolOptions {
  /** Where the files are. */
  backend: Backend;
}

/**
 * Makes the Glob tool, which lists files whose path matches a pattern, newest first.
 *
 * @example
 * const toolkit = new Toolkit({ tools: [globTool({ backend })] });
 */
export function globTool({ backend }: GlobToolOptions): Tool {
  const rootOf = (input: { pattern: string; path?: string | undefined }) =>
    patternRoot(backend, searchPath(backend, input), input.pattern);
  return defineTool({
    name: "Glob",
    description: `Finds files by a path pattern and lists their absolute paths, newest first, at most ${MAX_GLOB_FILES}. \`*\` and \`?\` stay within one name, \`**\` crosses folders, \`{a,b}\` and \`[a-z]\` are alternatives, a backslash makes the next character literal. Files whose name starts with a dot are found too; those of version control (such as .git) and those that .gitignore leaves out are not. Use Grep to search in files.`,
    input: object({
      pattern: pipe(
        string(),
        description(
          "The pattern, such as `src/**/*.{ts,tsx}`. It counts from `path`; an absolute one stands for itself.",
        ),
      ),
      path: optional(
        pipe(
          string(),
          description(
            "The folder to search, absolute or relative to the working directory. Defaults to the working directory.",
          ),
        ),
      ),
      include_ignored: optional(
        pipe(boolean(), description("Whether to find files that .gitignore leaves out, too.")),
        false,
      ),
    }),
    readOnly: true,
    ...searchRules("Glob", backend, (input: { pattern: string; path?: string | undefined }) => rootOf(input).root),
    execute: (input, call) =>
      answer(call, async () => {
        const { root, pattern } = rootOf(input);
        const { matches, truncated } = await backend.fs.glob({
          pattern,
          path: root,
          limit: MAX_GLOB_FILES,
          // Who writes a whole path wants that file.
          includeIgnored: input.include_ignored || globBase(`${pattern}/*`) === pattern,
          signal: call.signal,
        });
        if (matches.length === 0) return `No files match ${pattern} in ${root}.`;
        const shown = fitLines(
          matches.map(({ path }) => path),
          MAX_SEARCH_LENGTH,
        );
        const more = truncated || shown.length < matches.length;
        const note = `\n\n[The ${shown.length} newest files are shown; there are more. Narrow the pattern or give a deeper path.]`;
        return ToolResult.success(shown.join("\n") + (more ? note : ""), { count: shown.length, truncated: more });
      }),
  });
}
