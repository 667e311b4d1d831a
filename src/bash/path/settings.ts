/** The workspace, as the reading of paths needs it. */

import type { BashDialect, BashOptions } from "../types.ts";
import { normalizePath } from "./normalize.ts";
import { isRemarkable, makeProtection, type Protection } from "./protected.ts";

/** Marks what is not known in a path; no command that contains it is let pass. */
export const UNKNOWN = "\0";

/** Stands for a folder that is not known. */
export const UNKNOWN_FOLDER = "/\0here";

/** Stands for a home that is not known. */
export const UNKNOWN_HOME = "/\0home";

/** Options with their defaults, made once. */
export interface Settings {
  readonly home: string;
  /** The folder it starts in, as the only element. */
  readonly start: readonly string[];
  /** Whether nothing about that folder makes what lies in it a secret, so that the rest of a path tells. */
  readonly isOrdinary: boolean;
  /** What counts as the workspace for reading. */
  readonly inside: readonly string[];
  readonly protection: Protection;
  readonly dialect: BashDialect;
}

let plain: Settings | undefined;

/** Reads options; what the defaults make is kept. */
export function readSettings(options: BashOptions): Settings {
  for (const key in options) if (options[key as keyof BashOptions] !== undefined) return makeSettings(options);
  plain ??= makeSettings({});
  return plain;
}

function makeSettings(options: BashOptions): Settings {
  const directories = (options.workingDirectories ?? []).map((path) => normalizePath(path, "/"));
  const start = options.cwd === undefined ? (directories[0] ?? UNKNOWN_FOLDER) : normalizePath(options.cwd, "/");
  return {
    home: options.home === undefined ? UNKNOWN_HOME : normalizePath(options.home, "/"),
    start: [start],
    isOrdinary: start !== "/" && !isRemarkable(start),
    inside: directories.includes(start) ? directories : [...directories, start],
    protection: makeProtection(options.dangerousFiles, options.dangerousDirectories),
    dialect: options.dialect ?? "any",
  };
}
