/** Makes a file system of real files below a directory. */

import { realpathSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { createFileSystem, type FileSystem, fsError } from "holdall";
import { createBoundary } from "./files/boundary.ts";
import { createStamps, type Disk } from "./files/disk.ts";
import { hostError } from "./files/host-error.ts";
import { createKeyedLock } from "./files/keyed-lock.ts";
import { openFilesFolder } from "./files/open.ts";
import { diskParts } from "./files/parts.ts";
import { type HostPaths, hostKind, hostPaths } from "./paths/host-paths.ts";
import { findRipgrep } from "./search/ripgrep.ts";

/** Where the files are and how they are written. */
export interface NodeFileSystemOptions {
  /** The directory that is a boundary; it must exist. Relative ones start at the process's working directory. */
  root: string;
  /** More directories that may be touched; they must exist. None by default. */
  additionalDirectories?: readonly string[];
  /** Whether a write is on the disk, not only in its cache, before it returns: safe from a power cut, and slower. Defaults to false. */
  durable?: boolean;
  /** The most bytes of one read. Defaults to 512 MiB. */
  maxReadBytes?: number;
  /**
   * The path of ripgrep, or false: it is not used. Long searches may be faster with it, and find the same. Defaults to the
   * first `rg` in a directory of `PATH` on a host with at least four processors; with fewer, the two only get in each
   * other's way.
   */
  ripgrep?: string | false;
  /** Gives the time of changes. Defaults to the host's clock. */
  clock?: () => number;
}

/** Shared by all file systems of the process, because two of them may have the same files. */
const processLocks = /* @__PURE__ */ createKeyedLock();

/** A file system, and what ends it. */
export interface OpenFileSystem {
  fs: FileSystem;
  /** The real path of the root, as the port writes it. */
  root: string;
  paths: HostPaths;
  close(): Promise<void>;
}

/**
 * Makes a file system of the real files below a directory.
 *
 * Its paths are the host's own absolute paths, so that what a shell prints can be read. Whatever lies outside of `root`
 * behind all symlinks fails with `FS_OUTSIDE_ROOT`. On Windows `/C:/work` stands for `C:\work`.
 *
 * A write replaces a file in one step and keeps its permissions and owner. Its condition holds against everybody in this
 * process; against other processes when a file is created, and otherwise until right before the step.
 *
 * @throws HoldallError `FS_NOT_FOUND`, `FS_NOT_DIRECTORY` for a root that is no directory.
 * @example
 * const fs = nodeFileSystem({ root: "/srv/project" });
 */
export function nodeFileSystem(options: NodeFileSystemOptions): FileSystem {
  return openFileSystem(options).fs;
}

/**
 * Makes a file system that can be closed.
 *
 * @param options Where the files are.
 * @param seams Where this process sees what it has open; a test takes it away, as on other hosts.
 */
export function openFileSystem(
  options: NodeFileSystemOptions,
  { openFiles }: { openFiles: string | undefined } = { openFiles: openFilesFolder },
): OpenFileSystem {
  const paths = hostPaths(hostKind(process.platform));
  const roots = [options.root, ...(options.additionalDirectories ?? [])].map((root) => realRoot(root, paths));
  const closing = new AbortController();
  const disk: Disk = {
    paths,
    boundary: createBoundary(roots),
    locks: processLocks,
    openFiles,
    durable: options.durable ?? false,
    maxReadBytes: options.maxReadBytes ?? 512 << 20,
    stamp: createStamps(options.clock ?? Date.now),
    ripgrep: options.ripgrep === false ? undefined : (options.ripgrep ?? usualRipgrep()),
    closing: closing.signal,
  };
  return {
    fs: createFileSystem(diskParts(disk)),
    root: roots[0] ?? "/",
    paths,
    close: async () => closing.abort(fsError("FS_CLOSED", options.root)),
  };
}

function usualRipgrep(): string | undefined {
  return availableParallelism() < 4 ? undefined : findRipgrep(process.env.PATH);
}

function realRoot(root: string, paths: HostPaths): string {
  if (typeof root !== "string" || root === "")
    throw fsError("FS_INVALID_PATH", String(root), "root must be the path of a directory. Give one that exists.");
  try {
    const real = realpathSync.native(resolve(root));
    if (!statSync(real).isDirectory()) throw fsError("FS_NOT_DIRECTORY", root);
    return paths.fromHost(real);
  } catch (error) {
    throw hostError(error, root);
  }
}
