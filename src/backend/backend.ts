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
  /**
   * Starts a thread for work that would hold this one, where the host has none of the web's workers. A backend that
   * cannot, or fails to, leaves the work to this thread.
   */
  startWorker?: StartWorker;
  /** Lets go of what the backend holds; calls afterwards fail. */
  close?(): Promise<void>;
}

/**
 * Starts a thread that does one kind of work.
 *
 * @param work `pdf`: it runs `servePdf` of `holdall/tools`.
 * @param hears What it says, in order, and that it has ended by itself or could not be started.
 */
export type StartWorker = (work: "pdf", hears: WorkerListener) => WorkerHandle;

/** Who listens to a thread. */
export interface WorkerListener {
  message(data: unknown): void;
  failure(): void;
}

/** A thread that was started. */
export interface WorkerHandle {
  /** Gives it a copy of plain data. */
  post(data: unknown): void;
  /** Stops it at once, whatever it does. */
  end(): void;
}

/** Where a shell is made: it gets the ground it shall work on. */
export interface ShellGround {
  fs: FileSystem;
  cwd: string;
  home?: string;
}

/** Makes a shell over a file system, so that an adapter of one kind fits backends of any kind. */
export type ShellFactory = (ground: ShellGround) => Shell;
