/** Leaves out what `.gitignore` files say while a tree is walked. */

import { childPath, isInside, parentPath, relativePath } from "../base/path.ts";
import { type Breather, createBreather } from "./breather.ts";
import type { FileSystemParts, WalkEntry } from "./file-system.ts";
import { type IgnoreRules, readRules } from "./gitignore-rules.ts";
import type { ReadingHost } from "./read-ahead.ts";
import { MAX_GITIGNORE_BYTES } from "./search.ts";
import type { TreeOptions } from "./walk.ts";

/** What reading rules needs of a file system. */
export interface IgnoreHost extends Pick<FileSystemParts, "stat">, ReadingHost {}

/** The rules of one walk, which meets parents before children and leaves a directory before the next one. */
export interface GitIgnore {
  /** Reads the rules of a directory that is entered; a promise must be waited for before its entries are asked about. */
  open: NonNullable<TreeOptions["opened"]>;
  /** Tells whether an entry is left out; gives a promise only where there are so many rules that a pause is due. */
  ignores(entry: WalkEntry): boolean | Promise<boolean>;
}

/** What reading rules takes. */
export interface GitIgnoreOptions {
  /** Pauses while rules are compiled, and asked. Defaults to one of its own. */
  breather?: Breather;
  signal?: AbortSignal;
}

type Reading = GitIgnoreOptions & { breather: Breather };

const FILE = ".gitignore";
const REPOSITORY = ".git";

/** The rules of one file, or a part of them. */
interface Level {
  folder: string;
  rules: IgnoreRules;
}

/** What counts in a directory and below; the last level decides first. */
interface Frame {
  folder: string;
  levels: readonly Level[];
}

/**
 * Starts a walk.
 *
 * As in git, rules that stand deeper decide before those above, a later line before an earlier one, and nothing comes
 * back from a directory that is left out. A repository within another one begins anew. A file that cannot be read
 * counts as empty.
 *
 * @param host Where the rules are read.
 * @param root The directory where the walk starts; it is entered in any case.
 */
export function createGitIgnore(host: IgnoreHost, root: string, options: GitIgnoreOptions = {}): GitIgnore {
  const reading = { ...options, breather: options.breather ?? createBreather() };
  const frames: Frame[] = [];
  /** How many of them have rules. */
  let ruled = 0;
  /** Directories that a deeper rule has brought back, while they are not entered yet. */
  const broughtBack = new Set<string>();
  const levelsAt = (path: string): readonly Level[] => {
    let top = frames[frames.length - 1];
    while (top !== undefined && !isInside(path, top.folder)) {
      if (top.levels.length > 0) ruled -= 1;
      frames.pop();
      top = frames[frames.length - 1];
    }
    return top?.levels ?? [];
  };
  /** Asks the levels from one on; the last of them decides first. */
  const judge = (levels: readonly Level[], from: number, entry: WalkEntry): boolean | Promise<boolean> => {
    const isDirectory = entry.kind === "directory";
    let folder: string | undefined;
    let path = "";
    for (let at = from; at >= 0; at -= 1) {
      const level = levels[at];
      if (level === undefined) continue;
      // The parts of one file have it in common.
      if (level.folder !== folder) path = relativePath(entry.path, level.folder);
      folder = level.folder;
      const verdict = level.rules.judge(path, isDirectory);
      if (verdict === "kept" && isDirectory && at > 0) broughtBack.add(entry.path);
      const pause = reading.breather.spend(level.rules.units);
      if (pause !== undefined)
        return pause.then(() => {
          reading.signal?.throwIfAborted();
          return verdict === undefined ? judge(levels, at - 1, entry) : verdict === "ignored";
        });
      if (verdict !== undefined) return verdict === "ignored";
    }
    return false;
  };
  const enter = async (folder: string, own: boolean, isRepository: boolean): Promise<void> => {
    const [before, rules] = await Promise.all([
      isRepository ? [] : folder === root ? levelsAbove(host, root, reading) : levelsAt(folder),
      own ? readLevels(host, folder, reading) : [],
    ]);
    const isExempt = broughtBack.delete(folder) || folder === root;
    const levels: Level[] = [];
    for (const level of before) levels.push(isExempt ? await exempt(level, folder, reading.breather) : level);
    levels.push(...rules);
    if (levels.length > 0) ruled += 1;
    frames.push({ folder, levels });
  };
  return {
    open(directory, kindOf) {
      const own = kindOf(FILE) === "file";
      const isRepository = kindOf(REPOSITORY) !== undefined;
      if (!own && !isRepository && directory !== root && !broughtBack.has(directory)) return undefined;
      return enter(directory, own, isRepository);
    },
    ignores(entry) {
      // Where nothing is left out anywhere, to look at the path would take longer than all the rest of a walk.
      if (ruled === 0) return false;
      const levels = levelsAt(entry.path);
      return judge(levels, levels.length - 1, entry);
    },
  };
}

/** Makes a walk leave out what the rules say, beside what it omits already. */
export function respectingGitIgnore(
  host: IgnoreHost,
  root: string,
  options: TreeOptions & { omits?(entry: WalkEntry, folder: string): boolean },
): TreeOptions {
  const { omits } = options;
  const rules = createGitIgnore(host, root, options);
  return {
    ...options,
    opened: rules.open,
    omits: (entry, folder) => omits?.(entry, folder) === true || rules.ignores(entry),
  };
}

/** Reads the rules between the repository, or the root of all, and the directory where a walk starts. */
async function levelsAbove(host: IgnoreHost, root: string, reading: Reading): Promise<Level[]> {
  const folders: string[] = [];
  for (let folder = root; folder !== "/"; ) {
    folder = parentPath(folder);
    folders.push(folder);
  }
  const found = await Promise.all(
    folders.map(async (folder) => ({
      isRepository: await exists(host, childPath(folder, REPOSITORY), reading.signal),
      levels: await readLevels(host, folder, reading),
    })),
  );
  const end = found.findIndex(({ isRepository }) => isRepository);
  const counting = end === -1 ? found : found.slice(0, end + 1);
  return counting.reverse().flatMap(({ levels }) => levels);
}

async function exists(host: IgnoreHost, path: string, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    return (await host.stat(path, signal && { signal })) !== undefined;
  } catch {
    signal?.throwIfAborted();
    return false;
  }
}

async function readLevels(host: IgnoreHost, folder: string, { breather, signal }: Reading): Promise<Level[]> {
  try {
    const options = { length: MAX_GITIGNORE_BYTES + 1, ...(signal && { signal }) };
    const { bytes } = await host.read(childPath(folder, FILE), options);
    if (bytes.length > MAX_GITIGNORE_BYTES) return [];
    const parts = await readRules(new TextDecoder().decode(bytes), breather);
    return parts.map((rules) => ({ folder, rules }));
  } catch {
    signal?.throwIfAborted();
    return [];
  }
}

/** Keeps rules that leave out a directory, or one on the way to it, from leaving out all that is in it. */
async function exempt({ folder, rules }: Level, directory: string, breather: Breather): Promise<Level> {
  if (directory === folder) return { folder, rules };
  let exempted = rules;
  let path = "";
  for (const name of relativePath(directory, folder).split("/")) {
    path = path === "" ? name : `${path}/${name}`;
    if (exempted.judge(path, true) === "ignored") exempted = exempted.within(path);
    await breather.spend(rules.units);
  }
  return { folder, rules: exempted };
}
