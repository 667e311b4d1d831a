/** Reads a command line and tells what it would do, without running anything. */

import { peel } from "./command/classify.ts";
import { settleArithmetic, settleDeclared } from "./read/evaluate.ts";
import { isPlain } from "./read/plain.ts";
import { createScan, note } from "./scan.ts";
import { screen } from "./screen.ts";
import type { Scan } from "./state.ts";
import type { BashAnalysis, BashOptions, Unit } from "./types.ts";
import { nest } from "./walk/simple-command.ts";
import { walkAlone, walkParsed, walkScript, walkText } from "./walk/statement.ts";

const noOptions: BashOptions = {};
const walkers = { walkScript, walkText, nest, peel };

/**
 * Reads a command line for bash or a POSIX `sh`.
 *
 * Pure and synchronous. Takes time in proportion to the length, which is limited, as is nesting. Whatever cannot be
 * read completely ends up in `errors` or `injection`, and then `readOnly` is false: those must be asked about.
 *
 * @param command The command line, as the shell would get it.
 * @param options The place where it would run.
 * @returns What it would run, touch, and why it may need a question.
 */
export function analyzeBash(command: string, options: BashOptions = noOptions): BashAnalysis {
  const scan = createScan(command, options, walkers);
  // In a plain line is nothing to look for before it is read.
  if (isPlain(command)) read(scan, walkAlone);
  else if (screen(scan)) read(scan, walkParsed);
  const { result } = scan;
  result.readOnly =
    scan.changes === 0 &&
    result.errors.length === 0 &&
    result.injection.length === 0 &&
    areReadOnly(result.units) &&
    (result.units.length > 0 || command.trim() !== "");
  return result;
}

function areReadOnly(units: readonly Unit[]): boolean {
  for (const unit of units) if (!unit.readOnly) return false;
  return true;
}

function read(scan: Scan, walk: (scan: Scan, text: string) => void): void {
  try {
    walk(scan, scan.root);
    if (scan.evaluated.length > 0) settleArithmetic(scan);
    if (scan.declared.length > 0) settleDeclared(scan);
    if (scan.callers !== undefined) settleFunctions(scan, scan.callers);
  } catch {
    // Out of stack, or a fault of the parser: what could not be read must not pass.
    note(scan, "errors", "too-complex", { start: 0, end: scan.root.length });
  }
}

/** Functions that call each other in a circle multiply until the machine stands still. */
function settleFunctions(scan: Scan, callers: ReadonlyMap<string, ReadonlySet<string>>): void {
  const done = new Set<string>();
  const open = new Set<string>();
  const circles = (name: string): boolean => {
    if (open.has(name)) return true;
    const called = callers.get(name);
    if (called === undefined || done.has(name)) return false;
    open.add(name);
    for (const next of called) if (circles(next)) return true;
    open.delete(name);
    done.add(name);
    return false;
  };
  for (const name of callers.keys()) {
    if (!circles(name)) continue;
    note(scan, "dangers", "fork-bomb", { start: 0, end: scan.root.length });
    scan.changes += 1;
    return;
  }
}
