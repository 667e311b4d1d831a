/** The contract of file systems: what every adapter promises, whatever it stands on. */

import type { FileSystem } from "holdall";
import { type ContractCase, type ContractSkip, makeCases } from "./contract-case.ts";
import { abortCases } from "./fs-abort.ts";
import { conditionCases } from "./fs-conditions.ts";
import { directoryCases } from "./fs-directories.ts";
import { globCases } from "./fs-glob.ts";
import { grepCases } from "./fs-grep.ts";
import { linkCases } from "./fs-links.ts";
import { pathCases } from "./fs-paths.ts";
import { readWriteCases } from "./fs-read-write.ts";
import { renameCases } from "./fs-rename.ts";
import { streamCases } from "./fs-streams.ts";
import type { FsAbility, FsCase, FsSubject } from "./fs-subject.ts";
import { watchCases } from "./fs-watch.ts";

/** A file system of which only a directory is to be used. */
export interface FileSystemGround {
  fs: FileSystem;
  /** An empty directory, absolute. */
  root: string;
}

/** What the contract is checked on. */
export interface FileSystemContractOptions {
  /** Makes a fresh file system whose `/` is empty, or one with an empty directory in it. */
  create(): FileSystem | FileSystemGround | Promise<FileSystem | FileSystemGround>;
  /** Takes it down. */
  destroy?(fs: FileSystem): void | Promise<void>;
  /** Cases it cannot fulfil. */
  skip?: readonly ContractSkip[];
  /** What it can do beyond what is required; cases about the rest are left out. */
  can?: Readonly<Partial<Record<FsAbility, boolean>>>;
}

const definitions: readonly FsCase[] = [
  ...pathCases,
  ...readWriteCases,
  ...conditionCases,
  ...directoryCases,
  ...renameCases,
  ...streamCases,
  ...abortCases,
  ...linkCases,
  ...watchCases,
  ...globCases,
  ...grepCases,
];

/**
 * Makes the cases of the file system contract.
 *
 * @param options What to check, and what it can do.
 * @example
 * for (const { name, run } of fileSystemContract({ create: () => memoryFileSystem(), can: { symlinks: true } })) test(name, run);
 */
export function fileSystemContract({
  create,
  destroy,
  skip = [],
  can = {},
}: FileSystemContractOptions): ContractCase[] {
  return makeCases(definitions, {
    can,
    skip,
    open: async () => {
      const created = await create();
      const { fs, root } = "root" in created ? created : { fs: created, root: "/" };
      return { fs, root, can, at: (path) => (root === "/" ? `/${path}` : `${root}/${path}`) } satisfies FsSubject;
    },
    close: async ({ fs }) => destroy?.(fs),
  });
}
