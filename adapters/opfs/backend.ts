/** Makes a backend of a tree: what both kinds of folders have in common. */

import {
  type Backend,
  createBackend,
  createFileSystem,
  resolvePath,
  type Shell,
  type ShellFactory,
  type Timers,
} from "holdall";
import { opfsParts } from "./parts.ts";
import { ALONE, type Tree } from "./tree.ts";

/** What every backend of this kind is told. */
export interface TreeBackendOptions {
  /** The home directory, which is created. None by default. */
  home?: string;
  /** The shell, or what makes one over the files. */
  shell?: Shell | ShellFactory;
  /** Sets timers. Defaults to the host's. */
  timers?: Timers;
}

/** Makes the backend. */
export function backendOf(
  name: string,
  tree: Tree,
  cwd: string,
  { home: given, shell }: TreeBackendOptions,
  close: () => void,
): Backend {
  const home = given === undefined ? undefined : resolvePath(given, cwd);
  return createBackend({
    name,
    fs: createFileSystem(opfsParts(tree)),
    cwd,
    home,
    shell,
    close() {
      tree.isClosed = true;
      tree.watchers.close();
      close();
    },
  });
}

/** Creates directories that are missing; one that cannot be created is told of by whoever uses it. */
export async function createDirectories(tree: Tree, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await tree.handles.find(path);
    if (found.kind !== "missing" || found.isBlocked) continue;
    await tree.inTurn(ALONE, undefined, () => tree.handles.makeDirectory(path, []));
  }
}

/** Remembers what a promise gives, and asks again when it failed. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask().catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}
