/** The folder for what is not finished: contents on their way, and the journal of a move. */

import { HoldallError, type Timers } from "holdall";
import type { Locks } from "./locks.ts";
import { isMovable } from "./movable.ts";
import { nameOf } from "./opfs-error.ts";
import type { Filler, Source } from "./source.ts";
import { createLimit, whenUnlocked } from "./timing.ts";

/** A content that lies in a file of its own. */
export interface StagedFile {
  file: FileSystemFileHandle;
  discard(): Promise<void>;
}

/** A move of a directory that may have been interrupted. */
export interface Move {
  from: string;
  to: string;
}

/** The folder for what is not finished. */
export interface Scratch {
  put(source: Source): Promise<StagedFile>;
  /** Gives the move that was under way; undefined when none was. */
  readJournal(): Promise<Move | undefined>;
  writeJournal(move: Move): Promise<void>;
  clearJournal(): Promise<void>;
  close(): void;
}

/** What a scratch folder is opened with. */
export interface ScratchOptions {
  folder: FileSystemDirectoryHandle;
  /** Where it lies, from the root of the private file system. */
  place: readonly string[];
  /** What its locks are called. */
  lock: string;
  locks: Locks;
  filler: Filler;
  timers: Timers;
  clock: () => number;
}

const JOURNAL = "journal";

/** Contents that are written at the same time. */
const AT_ONCE = 16;

/** Milliseconds after which contents are taken for left behind, where tabs do not see each other: a day. */
const MAX_AGE = 24 * 60 * 60 * 1000;

/** Opens the folder, and takes away what dead tabs have left in it. */
export async function openScratch(options: ScratchOptions): Promise<Scratch> {
  const { folder, place, lock, locks, filler, timers } = options;
  const tab = crypto.randomUUID();
  const release = await locks.hold(`${lock}:tab:${tab}`);
  const limit = createLimit(AT_ONCE);
  let count = 0;
  // Beside everything else: it is no hurry.
  void sweep(options, tab).catch(() => {});

  const put = (source: Source): Promise<StagedFile> =>
    limit(async () => {
      count += 1;
      const name = `${tab}.${count}`;
      const file = await folder.getFileHandle(name, { create: true });
      // A stream that has failed may hold its file for another moment. What stays is swept later.
      const discard = (): Promise<void> => whenUnlocked(timers, () => folder.removeEntry(name)).catch(() => {});
      try {
        await filler.fill(file, [...place, name], source);
        return { file, discard };
      } catch (error) {
        await discard();
        throw error;
      }
    });

  return {
    put,
    async readJournal() {
      try {
        const file = await (await folder.getFileHandle(JOURNAL)).getFile();
        return parseMove(await file.text());
      } catch (error) {
        if (nameOf(error) === "NotFoundError") return undefined;
        throw error;
      }
    },
    async writeJournal(move) {
      const { file } = await put(new TextEncoder().encode(JSON.stringify(move)));
      if (isMovable(file)) await file.move(folder, JOURNAL);
    },
    clearJournal: () => folder.removeEntry(JOURNAL),
    close: release,
  };
}

/** The journal is put in place whole, so one that cannot be read was not written by us. */
function parseMove(text: string): Move {
  const move: unknown = JSON.parse(text);
  if (typeof move === "object" && move !== null && "from" in move && "to" in move) {
    const { from, to } = move;
    if (typeof from === "string" && typeof to === "string") return { from, to };
  }
  throw new HoldallError("FS_IO", "the journal of a move cannot be read. Remove it from the scratch folder.");
}

async function sweep({ folder, lock, locks, clock }: ScratchOptions, own: string): Promise<void> {
  for await (const [name, handle] of folder.entries()) {
    const [tab] = name.split(".");
    if (tab === own || name === JOURNAL || handle.kind !== "file") continue;
    const remove = (): Promise<void> => folder.removeEntry(name);
    if (locks.seesOthers) await locks.ifFree(`${lock}:tab:${tab}`, remove);
    else if ((await ageOf(folder, name, clock)) > MAX_AGE) await remove();
  }
}

async function ageOf(folder: FileSystemDirectoryHandle, name: string, clock: () => number): Promise<number> {
  const file = await (await folder.getFileHandle(name)).getFile();
  return clock() - file.lastModified;
}
