/** Makes a backend of real files. */

import { homedir } from "node:os";
import { type Backend, createBackend, resolvePath, type Shell, type ShellFactory } from "holdall";
import { type NodeFileSystemOptions, openFileSystem } from "./node-file-system.ts";
import { findShell } from "./shell/find-shell.ts";
import { nodeShell } from "./shell/node-shell.ts";
import { startWorker } from "./workers/start-worker.ts";

/** What a backend on this host is made of. */
export interface NodeBackendOptions extends NodeFileSystemOptions {
  /** The working directory; relative paths start at `root`. Defaults to `root`. */
  cwd?: string;
  /** What `~` stands for. Defaults to the home directory of the process's user. */
  home?: string;
  /** The shell, what makes one over the files, or false for none. Defaults to `nodeShell()`, where there is one. */
  shell?: Shell | ShellFactory | false;
}

/**
 * Makes a backend over the real files below a directory.
 *
 * @example
 * const backend = nodeBackend({ root: "/srv/project" });
 */
export function nodeBackend(options: NodeBackendOptions): Backend {
  const { fs, root, paths, close } = openFileSystem(options);
  const cwd = resolvePath(options.cwd ?? ".", root);
  const home = options.home ?? paths.fromHost(homedir());
  const shell = options.shell ?? (findShell(undefined) !== undefined && nodeShell());
  const os = process.platform === "win32" ? "windows" : "posix";
  return createBackend({ name: "node", os, fs, cwd, home, shell, startWorker, close });
}
