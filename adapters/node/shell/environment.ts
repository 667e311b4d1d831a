/** The variables that commands get of this process's own: few, because the others are full of secrets. */

import { isInside, SHELL_ENVIRONMENT } from "holdall";

/** What a shell stands on. */
export interface EnvironmentOptions {
  /** The working directory; programs in it are not found by their bare names. */
  cwd: string;
  home: string | undefined;
  /** Added by whoever makes the shell; wins. */
  added: Readonly<Record<string, string>>;
}

/**
 * Makes the variables of commands.
 *
 * Of `PATH`, relative entries and those inside the working directory are left out: whoever may write files there could
 * otherwise put a program in the place of one that may run.
 *
 * @param host The variables of this process.
 */
export function commandEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  { cwd, home, added }: EnvironmentOptions,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && isHandedOn(name)) environment[name] = value;
  }
  // Without a language, programs take letters beyond ASCII for separate bytes.
  if (["LANG", "LC_ALL", "LC_CTYPE"].every((name) => environment[name] === undefined)) environment.LANG = "C.UTF-8";
  if (environment.PATH !== undefined) environment.PATH = trusted(environment.PATH, cwd);
  return { ...environment, ...(home !== undefined && { HOME: home }), ...added };
}

function isHandedOn(name: string): boolean {
  // Windows has names in any case.
  const upper = name.toUpperCase();
  return SHELL_ENVIRONMENT.some((one) => (one.endsWith("*") ? upper.startsWith(one.slice(0, -1)) : upper === one));
}

function trusted(path: string, cwd: string): string {
  // On Windows the separator is another one, and the working directory is always looked into first.
  if (path.includes(";")) return path;
  return path
    .split(":")
    .filter((entry) => entry.startsWith("/") && (cwd === "/" || !isInside(entry, cwd)))
    .join(":");
}
