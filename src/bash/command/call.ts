/** One simple command while it is judged. */

import { type FindingCode, finding } from "../findings.ts";
import { usePath, useText } from "../path/use.ts";
import { note } from "../scan.ts";
import type { Argument, Call, Scan, UnitDraft } from "../state.ts";
import type { PathAccess } from "../types.ts";

/** More reasons than these tell nobody anything. */
export const MAX_REASONS = 16;

/** Says that a command is not read-only. */
export function refuse(call: Call, code: FindingCode, argument?: Argument, detail?: string): void {
  addReason(call.scan, call.unit, code, argument ?? call.unit, detail ?? (argument?.shown || call.name));
}

/** Adds a reason why a unit is not read-only. */
export function addReason(
  scan: Scan,
  unit: UnitDraft,
  code: FindingCode,
  at: { start: number; end: number },
  detail: string,
): void {
  unit.readOnly = false;
  scan.changes += 1;
  const { reasons } = unit;
  if (reasons.length >= MAX_REASONS) return;
  const reason = finding(code, at.start, at.end, detail);
  unit.reasons = reasons.length === 0 ? [reason] : [...reasons, reason];
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

/** Demands that an allow rule spells this argument and the words around it; Infinity: all words. */
export function demandSpelling({ unit, offset }: Call, index: number): void {
  unit.spelling = Math.max(unit.spelling, offset + index + 1);
  unit.open = Math.min(unit.open, offset + index);
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
