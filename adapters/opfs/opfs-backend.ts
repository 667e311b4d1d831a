/** A backend in the browser's private file system. */

import { type Backend, createSharedWatchers, hostTimers, resolvePath } from "holdall";
import { backendOf, createDirectories, once, type TreeBackendOptions } from "./backend.ts";
import { chooseFiller, type FillerOptions } from "./filler.ts";
import { createHandles } from "./handles.ts";
import { createLeftovers } from "./leftovers.ts";
import { hostLocks } from "./locks.ts";
import { finishMove } from "./move.ts";
import { safeNames } from "./names.ts";
import { fromHandle, unavailable } from "./opfs-error.ts";
import { openScratch, type Scratch } from "./scratch.ts";
import { ALONE, type Tree } from "./tree.ts";
import { createTurns } from "./turns.ts";
import { createVersions } from "./versions.ts";
import { scratchWriter, swapWriter } from "./writers.ts";

/** Which folder of the private file system to use, and how. */
export interface OpfsBackendOptions extends TreeBackendOptions, FillerOptions {
  /**
   * The name of a folder in the private file system. Backends of one name, in any tab or worker of the site, see the same
   * files; they lie in `NAME/files`, and what is not finished in `NAME/scratch`. Defaults to `holdall`.
   */
  name?: string;
  /** The working directory, which is created. Defaults to `/workspace`. */
  cwd?: string;
  /** Gives the time, for what was left behind and for versions. Defaults to the host's clock. */
  clock?: () => number;
}

/**
 * Makes a backend whose files live in the browser's private file system (OPFS): real files, which survive a reload, and
 * which other code of the site can open.
 *
 * A content is written aside and then put in place of the old one, so a file is always whole, also when the tab is killed.
 * Browsers without writable streams (Safari before 26) get a worker that writes through sync access handles. Changes take
 * turns across tabs by Web Locks; a condition (`ifVersion`) holds against every other Holdall tab, and against other code as
 * long as that does not write in the very moment.
 *
 * Versions are made of the content up to 4 MiB; above, of size, time and samples, so a change of the same size within one
 * tick of the clock (a second in WebKit) that misses every sample is not seen. There are no symlinks, and directories have
 * no times. A file that other code keeps open through a sync access handle is waited for a second, then fails with `FS_IO`
 * and `retryable`. Where the browser moves no directories (Chromium), their files are moved one by one; other tabs may see
 * the tree in two places meanwhile, and the next visit finishes what a crash interrupts.
 *
 * @example
 * const backend = opfsBackend({ name: "my-project" });
 * await backend.fs.write("/workspace/plan.md", new TextEncoder().encode("ship on friday\n"));
 */
export function opfsBackend(options: OpfsBackendOptions = {}): Backend {
  const { name = "holdall", clock = Date.now, timers = hostTimers } = options;
  const cwd = resolvePath(options.cwd ?? "/workspace");
  const lock = `holdall:opfs:${name}`;
  const locks = hostLocks();
  const filler = chooseFiller(options);
  const openBase = once(() => openFolder(name));
  let opened: Scratch | undefined;
  const scratch = once(async () => {
    const folder = await (await openBase()).getDirectoryHandle("scratch", { create: true });
    opened = await openScratch({ folder, place: [name, "scratch"], lock, locks, filler, timers, clock });
    return opened;
  });
  const openRoot = async (): Promise<FileSystemDirectoryHandle> =>
    (await openBase()).getDirectoryHandle("files", { create: true });
  const tree: Tree = {
    handles: createHandles(openRoot, safeNames),
    versions: createVersions(clock),
    inTurn: createTurns({ locks, name: lock, timers }),
    writer: filler.byStream ? swapWriter(scratch, timers) : scratchWriter(scratch, timers),
    leftovers: createLeftovers(),
    watchers: createSharedWatchers(lock),
    timers,
    scratch,
    isReadOnly: false,
    isClosed: false,
    moving: undefined,
    ready: once(async () => {
      await recover(tree);
      await createDirectories(tree, options.home === undefined ? [cwd] : [cwd, resolvePath(options.home, cwd)]);
    }),
  };
  return backendOf("opfs", tree, cwd, options, () => {
    filler.close();
    opened?.close();
  });
}

/** Finishes the move of a directory in which an earlier visit has ended. */
async function recover(tree: Tree): Promise<void> {
  const scratch = await tree.scratch?.();
  if ((await scratch?.readJournal()) === undefined) return;
  // Once more in turn: it may belong to a tab that is alive.
  await tree.inTurn(ALONE, undefined, async () => {
    const move = await scratch?.readJournal();
    if (move === undefined) return;
    await finishMove(tree, move.from, move.to);
    await scratch?.clearJournal();
  });
}

async function openFolder(name: string): Promise<FileSystemDirectoryHandle> {
  if (typeof navigator !== "object" || navigator.storage?.getDirectory === undefined) throw unavailable("/");
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
  } catch (error) {
    throw fromHandle(error, "/");
  }
}
