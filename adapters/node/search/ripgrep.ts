/** Lets ripgrep, where it is installed, find out which files a long search need not read. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** What ripgrep is to look for. */
export interface RipgrepOptions {
  /** The path of ripgrep. */
  program: string;
  /** The host's path of the directory. */
  folder: string;
  /** ASCII text that each match contains. */
  text: string;
  ignoreCase: boolean;
  /** Files that a search reads by itself before ripgrep is asked. Defaults to {@link PATIENCE}. */
  patience?: number;
}

/** A second pair of eyes for one search. */
export interface Ripgrep {
  /**
   * Tells whether a file surely has no match, so that it need not be read. Before ripgrep is through, and where it does
   * not look, nothing is sure.
   *
   * @param path The host's path of a file.
   */
  rulesOut(path: string): boolean;
  /** Asks ripgrep now; resolves when it is through. */
  ask(): Promise<void>;
  /** Ends it; the search is over. */
  stop(): void;
}

/** Most searches are over before a process has started. */
export const PATIENCE = 2000;

/** Bytes of file names that are taken; more matches than that are not worth to be known. */
const MAX_NAMES = 64 << 20;

/** Folders that may be large, and that a search seldom enters. */
const passedOver: readonly string[] = [".git", ".hg", ".jj", ".sl", ".svn", "node_modules"];

/**
 * Prepares ripgrep for a search.
 *
 * It looks for a text that each match contains, or for a NUL, by which binary files are known: whatever it does not name
 * can neither match nor be binary. What it finds is searched all the same, so answers are the same with and without it.
 */
export function createRipgrep(options: RipgrepOptions): Ripgrep {
  const { patience = PATIENCE } = options;
  let asked = 0;
  let child: ChildProcess | undefined;
  let found: ReadonlySet<string> | undefined;
  const ask = async (): Promise<void> => {
    child = start(options);
    found = await namesFrom(child);
  };
  return {
    rulesOut(path) {
      asked += 1;
      if (asked === patience) void ask();
      return found !== undefined && !found.has(path) && isCovered(path, options.folder);
    },
    ask,
    stop: () => void child?.kill("SIGKILL"),
  };
}

function start({ program, folder, text, ignoreCase }: RipgrepOptions): ChildProcess {
  const pattern = text.replace(/[^A-Za-z0-9_ ]/g, (character) => `\\x${hex(character)}`);
  const child = spawn(
    program,
    [
      ...["--no-config", "--files-with-matches", "--null", "--text", "--hidden", "--no-ignore", "--no-messages"],
      ...passedOver.flatMap((name) => ["--glob", `!**/${name}/**`]),
      ...[ignoreCase ? "--ignore-case" : "--case-sensitive", "--regexp", pattern, "--regexp", "\\x00"],
      ...["--", folder],
    ],
    { stdio: ["ignore", "pipe", "ignore"], windowsHide: true, cwd: folder },
  );
  child.unref();
  return child;
}

/** Collects names; gives undefined when they may not be all, and the search goes on as it does without them. */
function namesFrom(child: ChildProcess): Promise<ReadonlySet<string> | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  child.stdout?.on("data", (bytes: Buffer) => {
    size += bytes.length;
    if (size > MAX_NAMES) child.kill("SIGKILL");
    else parts.push(bytes);
  });
  return new Promise((resolve) => {
    child.on("error", () => resolve(undefined));
    child.on("close", (code) => {
      // 1: nothing was found. 2: some file could not be read, so nothing is sure.
      const isWhole = code === 0 || code === 1;
      resolve(isWhole ? new Set(Buffer.concat(parts).toString("utf8").split("\0")) : undefined);
    });
  });
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, "0");
}

function isCovered(path: string, folder: string): boolean {
  const names = path.slice(folder.length).split(/[/\\]/);
  return !names.some((name) => passedOver.includes(name));
}

/** Finds ripgrep in directories of a `PATH`; those that are relative are left out. */
export function findRipgrep(path: string | undefined): string | undefined {
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  return (path ?? "")
    .split(delimiter)
    .filter((folder) => /^([A-Za-z]:)?[/\\]/.test(folder))
    .map((folder) => join(folder, name))
    .find((program) => existsSync(program));
}
