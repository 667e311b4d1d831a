/** The portable search, loaded when it is first needed: it is half of all code here, and most calls need none of it. */

import type { LongText } from "../base/long-text.ts";
import type { FileFacts, FilesAhead } from "./file-facts.ts";
import type { GlobHost } from "./glob.ts";
import type { SearchHost } from "./grep.ts";
import type { GlobQuery, GlobResult, GrepQuery, GrepResult } from "./search.ts";

export type { FileFacts, FilesAhead, GlobHost, LongText, SearchHost };

/** Finds files by a glob pattern in any file system; see {@link GlobQuery} for what is found and how it is ordered. */
export async function globFiles(host: GlobHost, query: GlobQuery): Promise<GlobResult> {
  const { globFiles: search } = await import("./glob.ts");
  return search(host, query);
}

/**
 * Finds text by a regular expression in any file system; see {@link GrepQuery} for what is found and how it is ordered.
 * An adapter passes a `read` of its own that lends bytes instead of copying them.
 */
export async function grepFiles(host: SearchHost, query: GrepQuery): Promise<GrepResult> {
  const { grepFiles: search } = await import("./grep.ts");
  return search(host, query);
}
