/** Puts a backend together. */

import type { Backend, ShellFactory } from "./backend.ts";
import type { FileSystem } from "./file-system.ts";
import type { Shell } from "./shell.ts";

/** What a backend is put together from. */
export interface BackendParts {
  /** Shown to people and in errors. */
  name: string;
  /** Defaults to `posix`. */
  os?: Backend["os"] | undefined;
  fs: FileSystem;
  /** Absolute. */
  cwd: string;
  /** Absolute. None by default. */
  home?: string | undefined;
  /** The shell, or what makes one over the files. None by default. */
  shell?: Shell | ShellFactory | false | undefined;
  /** Starts threads. None by default. */
  startWorker?: Backend["startWorker"] | undefined;
  /** Lets go of the files, behind the shell. */
  close?(): void | Promise<void>;
}

/**
 * Puts a backend together: makes its shell over its files, and closes the one before the other.
 *
 * @param parts What it is put together from.
 */
export function createBackend(parts: BackendParts): Backend {
  const { name, os = "posix", fs, cwd, home, shell: given, startWorker, close } = parts;
  const ground = { fs, cwd, ...(home !== undefined && { home }) };
  const shell = typeof given === "function" ? given(ground) : given;
  return {
    name,
    os,
    ...ground,
    ...(shell && { shell }),
    ...(startWorker && { startWorker }),
    async close() {
      try {
        if (shell) await shell.close?.();
      } finally {
        await close?.();
      }
    },
  };
}
