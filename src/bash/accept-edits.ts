/** What may run without a question where edits in the workspace are accepted. */

import { MAX_REASONS } from "./command/call.ts";
import { normalizePath } from "./path/normalize.ts";
import { isPublic } from "./path/protected.ts";
import { isIn } from "./path/use.ts";
import type { BashAnalysis, Unit } from "./types.ts";

/** Commands that edit files and do nothing else. */
const editors = /^(mkdir|touch|rm|rmdir|mv|cp|sed)$/;

/** Where edits are accepted. */
export interface AcceptEditsOptions {
  /** Absolute paths; nothing outside of them may be touched. */
  workingDirectories: readonly string[];
}

/**
 * Tells whether a command line only edits files inside of the working directories: every simple command is
 * `mkdir touch rm rmdir mv cp sed` or changes nothing, every path is known and inside, and nothing about it is
 * dangerous or cannot be read.
 *
 * The paths are compared as text. A symbolic link that leads out is for the caller to follow: `analysis.paths` has
 * them all.
 */
export function acceptsEdits(analysis: BashAnalysis, options: AcceptEditsOptions): boolean {
  const { errors, injection, dangers, units, paths } = analysis;
  if (errors.length > 0 || injection.length > 0 || dangers.length > 0) return false;
  const folders = options.workingDirectories.map((path) => normalizePath(path, "/"));
  const inside = paths.every(({ path, unit }) => {
    if (path === undefined) return false;
    return isIn(path, folders) || (units[unit]?.readOnly === true && isPublic(path));
  });
  if (!inside) return false;
  const edits = units.filter((unit) => !unit.readOnly);
  return edits.every(
    (unit) => isEdit(unit) && paths.some((use) => units[use.unit] === unit) && !spills(unit, analysis, folders),
  );
}

function isEdit(unit: Unit): boolean {
  if (unit.name === undefined || !editors.test(unit.name) || unit.wrappers.length > 0) return false;
  if (unit.assignments.length > 0 || unit.redirects.some((redirect) => redirect.writes)) return false;
  // A name that starts with a wildcard can stand for an option.
  if (unit.words.some((word) => word.text === undefined && /^[*?[{]/.test(word.shown))) return false;
  // A link is another name for the same file, behind which it is not known as protected.
  if (unit.name === "cp" && unit.words.some((word) => /^-[a-zA-Z]*[ls]|^--(l|sy)/.test(word.shown))) return false;
  // Some programs take any text for the end of a backup's name, also one that leads elsewhere.
  if (unit.words.some((word) => /^(-\w*S|--s).*\//.test(word.shown) || /^(-\w*S|--su\w*)$/.test(word.shown)))
    return false;
  if (unit.name !== "sed") return unit.spelling === 0;
  return (
    unit.reasons.length < MAX_REASONS &&
    unit.reasons.every(({ code, message }) => code === "option" && /: -(-in?-|\w*i)/.test(message))
  );
}

/** A folder that is copied onto a working directory may bring files that configure programs. */
function spills(unit: Unit, { paths, units }: BashAnalysis, folders: readonly string[]): boolean {
  if (unit.name !== "cp" || !unit.words.some((word) => /^-\w*[rRa]|^--(r|a)/.test(word.shown))) return false;
  return paths.some((use) => units[use.unit] === unit && use.access === "write" && folders.includes(use.path ?? ""));
}
