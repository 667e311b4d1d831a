/** Searches real files: the portable search over files that are read without waiting. */

import {
  type GlobQuery,
  type GlobResult,
  type GrepQuery,
  type GrepResult,
  globFiles,
  grepFiles,
  joinSignals,
} from "holdall";
import type { Disk } from "../files/disk.ts";
import { findReal } from "../files/real-path.ts";
import { requiredText } from "./required-text.ts";
import { createRipgrep, type Ripgrep } from "./ripgrep.ts";
import type { SearchGround } from "./search-ground.ts";
import { syncHost } from "./sync-host.ts";

/** Lists the files that match a pattern; see the port. */
export async function globDisk(disk: Disk, query: GlobQuery): Promise<GlobResult> {
  const host = syncHost(await groundOf(disk, query.path));
  const joined = joinSignals(query.signal, disk.closing);
  try {
    return await globFiles(host, { ...query, signal: joined.signal });
  } finally {
    joined.close();
  }
}

/** Searches files for a pattern; see the port. */
export async function grepDisk(disk: Disk, query: GrepQuery): Promise<GrepResult> {
  const ground = await groundOf(disk, query.path);
  const required = requiredText(query.pattern);
  const ignoreCase = query.ignoreCase === true;
  const helper: Ripgrep | undefined =
    required === undefined || disk.ripgrep === undefined
      ? undefined
      : createRipgrep({ program: disk.ripgrep, folder: disk.paths.toHost(ground.real), text: required, ignoreCase });
  // Letter case can be told from bytes only when it counts.
  const host = syncHost(ground, { required: ignoreCase ? undefined : required, helper });
  const joined = joinSignals(query.signal, disk.closing);
  try {
    return await grepFiles(host, { ...query, signal: joined.signal });
  } finally {
    joined.close();
    helper?.stop();
  }
}

async function groundOf(disk: Disk, path: string): Promise<SearchGround> {
  const { path: real } = await findReal(disk, path);
  const { paths, boundary, openFiles } = disk;
  return { paths, boundary, openFiles, path, real };
}
