/** Writes what a search of files found, in the forms of ripgrep. */

import type { GrepFile, GrepQuery, GrepResult } from "../backend/search.ts";
import { plural } from "../base/text.ts";
import type { ToolChunk } from "../message/blocks.ts";
import { ToolResult } from "../tool/tool-result.ts";
import { fitLines } from "./fit-lines.ts";
import { MAX_SEARCH_LENGTH } from "./limits.ts";

/** How to write it. */
export interface ShowOptions {
  query: GrepQuery;
  /** Whether lines have their numbers. */
  numbers: boolean;
  /** Whether the search was for one file, whose path need not be repeated. */
  singleFile: boolean;
}

/** Writes the answer of a search: the matches, and what the model should know about their limits. */
export function showMatches(result: GrepResult, options: ShowOptions): ToolChunk {
  const { query } = options;
  const { lines, shown } = query.mode === "content" ? contentLines(result, options) : fileLines(result, options);
  const offset = query.offset ?? 0;
  const more = result.truncated || shown < countMatches(result, query);
  const notes = [
    ...(more ? [`There are more: call Grep with offset ${offset + shown}, or narrow pattern, path or glob.`] : []),
    ...(result.timedOut
      ? ["The search took too long and was ended: not all files were searched. Narrow path, glob or type."]
      : []),
    ...skippedNotes(result, options.singleFile),
  ];
  if (lines.length === 0)
    lines.push(offset > 0 ? `No matches after the first ${offset}.` : `No matches found for pattern: ${query.pattern}`);
  const text = lines.join("\n") + (notes.length === 0 ? "" : `\n\n[${notes.join(" ")}]`);
  return ToolResult.success(text, { count: shown, truncated: more, timedOut: result.timedOut });
}

interface Shown {
  lines: string[];
  /** Matching lines or files among them. */
  shown: number;
}

function countMatches({ files }: GrepResult, query: GrepQuery): number {
  return query.mode === "content" ? files.reduce((sum, file) => sum + file.count, 0) : files.length;
}

function fileLines(result: GrepResult, { query, singleFile }: ShowOptions): Shown {
  const write = ({ path, count }: GrepFile): string =>
    query.mode !== "count" ? path : singleFile ? String(count) : `${path}:${count}`;
  const lines = fitLines(result.files.map(write), MAX_SEARCH_LENGTH);
  return { lines, shown: lines.length };
}

/** A match is `path:line:text`, its context `path-line-text`; a line of `--` stands where lines are left out. */
function contentLines(result: GrepResult, { query, numbers, singleFile }: ShowOptions): Shown {
  const grouped = (query.before ?? 0) + (query.after ?? 0) > 0;
  const lines: string[] = [];
  let shown = 0;
  let length = 0;
  for (const file of result.files) {
    let last = Number.NEGATIVE_INFINITY;
    for (const { line, text, kind, cut } of file.matches) {
      const mark = kind === "match" ? ":" : "-";
      const written = `${singleFile ? "" : file.path + mark}${numbers ? line + mark : ""}${text}${cut ? " [line cut]" : ""}`;
      length += written.length + 1;
      // At least one match, so that the next page is another one.
      if (length > MAX_SEARCH_LENGTH && shown > 0) return { lines, shown };
      if (grouped && lines.length > 0 && line !== last + 1) lines.push("--");
      lines.push(written);
      if (kind === "match") shown += 1;
      last = line;
    }
  }
  return { lines, shown };
}

function skippedNotes({ skipped }: GrepResult, singleFile: boolean): string[] {
  const notes: string[] = [];
  if (skipped.binary > 0 && singleFile) notes.push("The file is binary and was not searched.");
  if (skipped.large > 0) notes.push(`${plural(skipped.large, "file")} too large to search.`);
  if (skipped.unreadable > 0) notes.push(`${plural(skipped.unreadable, "file")} could not be read.`);
  return notes;
}
