/** The Grep tool: searches the content of files. */

import { boolean, description, integer, minValue, number, object, optional, picklist, pipe, string } from "valibot";
import type { Backend } from "../backend/backend.ts";
import { type GrepMode, type GrepQuery, MAX_GREP_CONTEXT } from "../backend/search.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { answer } from "./answer.ts";
import { lazy } from "./lazy.ts";
import { DEFAULT_HEAD_LIMIT, MAX_HEAD_LIMIT } from "./limits.ts";
import { searchPath, searchRules } from "./search-root.ts";

/** How the tool is set up. */
export interface GrepToolOptions {
  /** Where the files are. */
  backend: Backend;
}

/**
 * Makes the Grep tool, which searches files for a regular expression and answers in the forms of ripgrep.
 *
 * @example
 * const toolkit = new Toolkit({ tools: [grepTool({ backend })] });
 */
export function grepTool({ backend }: GrepToolOptions): Tool {
  const load = lazy(() => import("./grep-text.ts"));
  return defineTool({
    name: "Grep",
    description:
      "Searches the content of files for a regular expression (JavaScript syntax; `(?i)` at the start ignores case) and lists matching files, matching lines with context, or counts. Binary files, version control folders and what .gitignore leaves out are passed over. Use it instead of grep or rg in Bash, and Glob to find files by name.",
    input: grepInput(),
    readOnly: true,
    ...searchRules("Grep", backend, (input: { path?: string | undefined }) => searchPath(backend, input)),
    execute: (input, call) =>
      answer(call, async () => {
        const query = toQuery(searchPath(backend, input), input);
        const stat = await backend.fs.stat(query.path, { signal: call.signal });
        const result = await backend.fs.grep({ ...query, signal: call.signal });
        const { showMatches } = await load();
        return showMatches(result, { query, numbers: input.n, singleFile: stat?.kind === "file" });
      }),
  });
}

interface GrepInput {
  pattern: string;
  output_mode: GrepMode;
  glob?: string | undefined;
  type?: string | undefined;
  "-A"?: number | undefined;
  "-B"?: number | undefined;
  "-C"?: number | undefined;
  i: boolean;
  multiline: boolean;
  include_ignored: boolean;
  head_limit: number;
  offset: number;
}

function toQuery(path: string, input: GrepInput): GrepQuery {
  const around = input["-C"];
  const limit = Math.min(input.head_limit || MAX_HEAD_LIMIT, MAX_HEAD_LIMIT);
  const shared = { pattern: input.pattern, path, mode: input.output_mode, limit, offset: input.offset };
  return {
    ...shared,
    ignoreCase: input.i,
    multiline: input.multiline,
    includeIgnored: input.include_ignored,
    before: Math.min(around ?? input["-B"] ?? 0, MAX_GREP_CONTEXT),
    after: Math.min(around ?? input["-A"] ?? 0, MAX_GREP_CONTEXT),
    ...(input.glob === undefined ? {} : { glob: splitGlobs(input.glob) }),
    ...(input.type === undefined ? {} : { type: input.type }),
  };
}

/** Models write several patterns with spaces or commas between them; a comma inside braces belongs to the pattern. */
function splitGlobs(globs: string): string[] {
  return globs.match(/(?:\{(?:[^{}]|\{[^{}]*\})*\}|[^\s,])+/g) ?? [];
}

function grepInput() {
  const count = (text: string) => pipe(number(), integer(), minValue(0), description(text));
  const flag = (fallback: boolean, text: string) => optional(pipe(boolean(), description(text)), fallback);
  return object({
    pattern: pipe(string(), description("The regular expression.")),
    path: optional(
      pipe(
        string(),
        description(
          "The file or folder to search, absolute or relative to the working directory. Defaults to the working directory.",
        ),
      ),
    ),
    output_mode: optional(
      pipe(
        picklist(["files_with_matches", "content", "count"]),
        description("What to list: files, matching lines, or the number of matching lines of each file."),
      ),
      "files_with_matches",
    ),
    glob: optional(
      pipe(
        string(),
        description("Which files to search, such as `*.{ts,tsx}` or `src/**`; a leading `!` leaves files out."),
      ),
    ),
    type: optional(
      pipe(
        string(),
        description("Which type of files to search, such as `ts`, `py` or `rust`. With `glob`, both must hold."),
      ),
    ),
    "-A": optional(count("Lines to show after each match; for content.")),
    "-B": optional(count("Lines to show before each match; for content.")),
    "-C": optional(count("Lines to show before and after each match; for content.")),
    n: flag(true, "Whether to show line numbers; for content."),
    i: flag(false, "Whether to ignore case."),
    multiline: flag(false, "Whether matches may span lines; `.` then matches line breaks."),
    head_limit: optional(
      count("The most matching lines or files to list; 0 for as many as possible."),
      DEFAULT_HEAD_LIMIT,
    ),
    offset: optional(count("How many matching lines or files to pass over first."), 0),
    include_ignored: flag(false, "Whether to search files that .gitignore leaves out, too."),
  });
}
