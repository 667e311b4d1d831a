/** Finds out the size and time of files that a walk met. */

import { HoldallError } from "../base/errors.ts";
import { type Breather, CHECK_UNITS, ENTRY_UNITS } from "./breather.ts";
import type { FileStat, FileSystemParts } from "./file-system.ts";
import type { Run } from "./walk.ts";

/** What is known of some files, a column for each fact: an object for each file would keep the collector busy. */
export interface FileFacts {
  /** Bytes; NaN for what is not known, or no file. */
  readonly sizes: Float64Array;
  /** Milliseconds since 1970; NaN for what is not known, or no file. */
  readonly times: Float64Array;
}

/** Looks at files while the walk that meets them goes on. */
export interface FilesAhead {
  /** Takes a path, in the order of the walk. */
  add(path: string): void;
  /**
   * Fills in the size and time of the plain files among the paths, in the order in which they were added. What it leaves
   * as it is, is looked at again by itself: a symlink, for one.
   *
   * @param rest Counts files that this thread looked at, and is waited for: others get their turn. Fails on an abort.
   */
  finish(facts: FileFacts, rest: (files: number) => Promise<void> | undefined): Promise<void>;
  /** Ends it, wherever it is. */
  stop(): void;
}

/** What finding out takes. */
export interface FileFactsOptions {
  /** Has looked at all entries. Defaults to none. */
  ahead: FilesAhead | undefined;
  breather: Breather;
  signal: AbortSignal | undefined;
}

/** Stats that are waited for at the same time. */
const STATS_AT_ONCE = 16;

/** Files that a walk met. */
export interface MetFiles extends FileFacts {
  /** Gives the path of one; it is made only now, for most are never asked about. */
  pathOf(index: number): string;
  /** Whether there are more. */
  isCut: boolean;
}

/** Collects files and links, with what listings tell of them, until there are more than a limit. */
export async function meetFiles(
  runs: AsyncIterable<Run>,
  ahead: FilesAhead | undefined,
  limit: number,
): Promise<MetFiles> {
  const folders: string[] = [];
  const names: string[] = [];
  const sizes: number[] = [];
  const times: number[] = [];
  for await (const run of runs) {
    let at = -1;
    for (const { path, name, kind, size, modifiedAt } of run.entries) {
      at += 1;
      if (kind === "directory") continue;
      // One more, to know that there are more.
      if (names.push(name) > limit) break;
      folders.push(run.folders[at] ?? "");
      const isKnown = kind === "file" && size !== undefined && modifiedAt !== undefined;
      sizes.push(isKnown ? size : Number.NaN);
      times.push(isKnown ? modifiedAt : Number.NaN);
      ahead?.add(path);
    }
    if (names.length > limit) break;
  }
  return {
    pathOf: (index) => `${folders[index]}${names[index]}`,
    sizes: new Float64Array(sizes),
    times: new Float64Array(times),
    isCut: names.length > limit,
  };
}

/** Completes what listings told of files; links to anything but files, and what is gone, stay unknown. */
export async function findFacts(
  host: Pick<FileSystemParts, "stat">,
  files: MetFiles,
  { ahead, breather, signal }: FileFactsOptions,
): Promise<void> {
  const { pathOf, sizes, times } = files;
  await ahead?.finish(files, (count) => pause(breather, count * ENTRY_UNITS, signal));
  const unknown: number[] = [];
  sizes.forEach((size, index) => {
    if (Number.isNaN(size)) unknown.push(index);
  });
  for (let from = 0; from < unknown.length; from += STATS_AT_ONCE) {
    const batch = unknown.slice(from, from + STATS_AT_ONCE);
    const found = await Promise.all(batch.map((index) => statFile(host, pathOf(index), signal)));
    found.forEach((stat, at) => {
      const index = batch[at] ?? 0;
      if (stat?.kind !== "file") return;
      sizes[index] = stat.size;
      times[index] = stat.modifiedAt;
    });
    // Only a look at a disk lets others run by itself.
    await pause(breather, STATS_AT_ONCE * ENTRY_UNITS, signal);
  }
  await pause(breather, CHECK_UNITS, signal);
}

function pause(breather: Breather, units: number, signal: AbortSignal | undefined): Promise<void> | undefined {
  return breather.spend(units)?.then(() => signal?.throwIfAborted());
}

async function statFile(
  host: Pick<FileSystemParts, "stat">,
  path: string,
  signal: AbortSignal | undefined,
): Promise<FileStat | undefined> {
  try {
    return await host.stat(path, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    // A link that leads nowhere, in a circle or out of the workspace is no file to list.
    if (HoldallError.is(error)) return undefined;
    throw error;
  }
}
