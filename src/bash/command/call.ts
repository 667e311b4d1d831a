/** One simple command while it is judged. */

import { type FindingCode, finding } from "../findings.ts";
import { useText, usePath } from "../path/use.ts";
import type { Argument } from "../read/argument.ts";
import { note, type Scan } from "../scan.ts";
import type { Finding, PathAccess, Unit } from "../types.ts";

/** A unit that is still being made. */
export interface UnitDraft extends Unit {
  name: string | undefined;
  peeled: number[];
  wrappers: string[];
  readOnly: boolean;
  reasons: Finding[];
  spelling: number;
  globals: number;
  open: number;
  calls: boolean;
}

/** The program, its arguments, and where what is found about them goes. */
export interface Call {
  readonly scan: Scan;
  readonly unit: UnitDraft;
  /** The index of the unit in the result. */
  readonly at: number;
  readonly name: string;
  readonly args: readonly Argument[];
  /** The index of `args[0]` among the words of the unit. */
  readonly offset: number;
}

/** Says that a command is not read-only. */
export function refuse(call: Call, code: FindingCode, argument?: Argument, detail?: string): void {
  const { unit } = call;
  const place = argument ?? unit;
  unit.readOnly = false;
  call.scan.changes += 1;
  unit.reasons.push(finding(code, place.start, place.end, detail ?? (argument?.shown || call.name)));
}

/**
 * Says that an argument makes a command more than the ordinary use of its name: an allow rule has to spell it out.
 *
 * @param index The index of the argument; Infinity where no prefix can be enough.
 */
export function refuseHazard(call: Call, code: FindingCode, index: number, detail?: string): void {
  const argument = call.args[index];
  refuse(call, code, argument, detail);
  demandSpelling(call, index);
}

/** Demands that an allow rule spells the words up to this argument. */
export function demandSpelling(call: Call, index: number): void {
  call.unit.spelling = Math.max(call.unit.spelling, call.offset + index + 1);
}

/** Notes a danger or an injection at an argument, or at the whole command. */
export function warn(
  call: Call,
  list: "dangers" | "injection",
  code: FindingCode,
  argument?: { start: number; end: number },
  detail?: string,
): void {
  note(call.scan, list, code, argument ?? call.unit, detail);
}

/** Notes that an argument is used as a path. */
export function takePath(call: Call, argument: Argument, access: PathAccess): void {
  usePath(call.scan, argument, access, call.at);
}

/** Notes that a known text inside an argument is used as a path. */
export function takeText(call: Call, argument: Argument, text: string, access: PathAccess): void {
  useText(call.scan, argument, text, access, call.at);
}
