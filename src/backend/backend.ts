/** The backend port: the ground that file and shell tools stand on. */

import type { FileSystem } from "./file-system.ts";
import type { Shell } from "./shell.ts";

/** A file system, perhaps with a shell over the same files. */
export interface Backend {
  /** Shown to people and in errors, such as `memory`. */
  name: string;
  /** How paths and command lines are written there. */
  os: "posix" | "windows";
  /** The absolute path that relative ones start from. */
  cwd: string;
  /** The absolute path that `~` stands for. */
  home?: string;
  fs: FileSystem;
  shell?: Shell;
  /** Lets go of what the backend holds; calls afterwards fail. */
  close?(): Promise<void>;
}

/** Where a shell is made: it gets the ground it shall work on. */
export interface ShellGround {
  fs: FileSystem;
  cwd: string;
  home?: string;
}

/** Makes a shell over a file system, so that an adapter of one kind fits backends of any kind. */
export type ShellFactory = (ground: ShellGround) => Shell;
