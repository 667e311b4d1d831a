/** Several file systems in one tree. */

import {
  type Backend,
  createBackend,
  createFileSystem,
  type FileSystem,
  resolvePath,
  type Shell,
  type ShellFactory,
} from "holdall";
import { mountParts } from "./mount-parts.ts";
import { type Mounts, mountTable } from "./mount-table.ts";

/** How a tree of mounts is made. */
export interface MountOptions {
  /** Shown to people and in errors. Defaults to `mounts`. */
  name?: string;
  /** How paths and command lines are written there. Defaults to `posix`. */
  os?: Backend["os"];
  /** The working directory. Defaults to `/`. */
  cwd?: string;
  /** The home directory. None by default. */
  home?: string;
  /** The shell, or what makes one over the tree; the shells of mounted backends know only their own files. */
  shell?: Shell | ShellFactory;
}

/**
 * Makes a backend that shows several backends or file systems in one tree. Closing it leaves them open.
 *
 * @param mounts What is mounted where; see {@link mountFileSystem}.
 * @param options How the tree is made.
 * @example
 * const backend = mountBackend({ "/": memoryBackend(), "/data": readOnly(indexedDbBackend()) });
 */
export function mountBackend(mounts: Mounts, options: MountOptions = {}): Backend {
  const { name = "mounts", os = "posix", cwd = "/" } = options;
  const fs = mountFileSystem(mounts);
  const home = options.home === undefined ? undefined : resolvePath(options.home, cwd);
  return createBackend({ name, os, fs, cwd: resolvePath(cwd), home, shell: options.shell });
}

/**
 * Makes a file system that shows several ones in one tree.
 *
 * The mount with the longest path that fits wins, whatever the file system above has in its place; directories that
 * lead to a mount are there even if that has none. Symlinks are resolved in the tree, absolute ones from its root, so
 * that they can lead from one mount to another but never around one. A mount can be neither removed nor moved. What is
 * moved from one mount to another is copied, then removed. `watch` is there when any mount can watch; mounts below the
 * watched directory that cannot are quiet.
 *
 * @param mounts What is mounted where, by absolute path. Without one at `/`, only the mounts can be written.
 * @throws HoldallError `MOUNT_INVALID` for no mount at all, a relative path, or two that are the same.
 */
export function mountFileSystem(mounts: Mounts): FileSystem {
  return createFileSystem(mountParts(mountTable(mounts)));
}
