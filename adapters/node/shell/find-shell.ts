/** Finds the shell of this host. */

import { existsSync } from "node:fs";
import { basename } from "node:path";

/** A program that reads command lines. */
export interface ShellProgram {
  path: string;
  /** How sessions are kept: bash tells functions and all kinds of variables, others exported and plain variables. */
  dialect: "bash" | "posix";
}

/** Places that only an administrator can write to come first; a `PATH` can be led astray. */
const places: readonly string[] = [
  "/bin/bash",
  "/usr/bin/bash",
  "/usr/local/bin/bash",
  "/opt/homebrew/bin/bash",
  "/run/current-system/sw/bin/bash",
  "C:\\Program Files\\Git\\bin\\bash.exe",
  "C:\\Program Files (x86)\\Git\\bin\\bash.exe",
  "/bin/sh",
  "/usr/bin/sh",
  // Termux has no other.
  "/data/data/com.termux/files/usr/bin/bash",
];

/**
 * Finds bash, or else sh.
 *
 * @param wanted The path of the shell to use instead.
 * @returns Undefined where there is none.
 */
export function findShell(wanted: string | undefined): ShellProgram | undefined {
  const path = wanted ?? places.find((place) => existsSync(place));
  return path === undefined ? undefined : { path, dialect: /^bash\b/.test(basename(path)) ? "bash" : "posix" };
}
