/** A command line cut into pieces, each with what was found in it. */
import type { BashAnalysis, Finding } from "holdall/bash";
import { ROOT } from "../workspace/limits.ts";

/** How much a finding weighs: whether a rule may silence it. */
export type Weight = "bad" | "ask";

/** Something found in a command line. */
export interface Remark {
  weight: Weight;
  message: string;
  /** The part of the line that it is about. */
  about: string;
  start: number;
  end: number;
}

/** A piece of the line, and what was found there. */
export interface Piece {
  start: number;
  text: string;
  remarks: readonly Remark[];
}

/** A command line as it was read. */
export interface Reading {
  pieces: readonly Piece[];
  remarks: readonly Remark[];
}

/** Reads a command line; what reads it is loaded when it is first needed. */
export async function readCommand(command: string): Promise<Reading> {
  const { analyzeBash } = await import("holdall/bash");
  const remarks = listRemarks(analyzeBash(command, { cwd: ROOT, workingDirectories: [ROOT] }));
  return { pieces: cut(command, remarks), remarks };
}

function listRemarks({ command, errors, injection, dangers, outside, units }: BashAnalysis): Remark[] {
  const reasons = units.flatMap((unit) => unit.reasons);
  const weigh = (findings: readonly Finding[], weight: Weight): Remark[] =>
    findings.map(({ message, start, end }) => ({ weight, message, start, end, about: command.slice(start, end) }));
  const all = [...weigh([...errors, ...injection, ...dangers], "bad"), ...weigh([...outside, ...reasons], "ask")];
  // The same about a part of the same place is said once.
  return all.filter(
    ({ message, start, end }, index) =>
      !all.slice(0, index).some((other) => other.message === message && other.start <= end && start <= other.end),
  );
}

function cut(command: string, remarks: readonly Remark[]): Piece[] {
  const edges = new Set([0, command.length, ...remarks.flatMap(({ start, end }) => [start, end])]);
  const sorted = [...edges].sort((one, other) => one - other);
  return sorted.slice(0, -1).map((start, index) => {
    const end = sorted[index + 1] ?? command.length;
    const here = remarks.filter((remark) => remark.start < end && start < remark.end);
    return { start, text: command.slice(start, end), remarks: here };
  });
}
