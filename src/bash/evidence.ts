/** What a reading found, as one list that says which check found it and in which simple command. */

import type { Finding, FindingCode } from "./findings.ts";
import type { BashAnalysis, Unit } from "./types.ts";

/**
 * The checks, in the order of their weight: `injection` (what hides what will run, and what cannot be read), `command`
 * (commands that destroy), `sed` (scripts that write or run), `path` (protected, secret and foreign files), `removal`
 * (of what everything stands on), `read-only` (why a simple command is more than reading).
 */
export type BashLayer = "injection" | "command" | "sed" | "path" | "removal" | "read-only";

/** A finding with its check and its simple command. */
export interface BashEvidence extends Finding {
  layer: BashLayer;
  /** The index in `analysis.units` of the innermost simple command around it; left out where there is none. */
  unit?: number;
}

/** The most findings that are handed out: nobody reads more, and each is looked up among all units. */
export const MAX_EVIDENCE = 32;

const layers: Partial<Record<FindingCode, BashLayer>> = {
  "sed-script": "sed",
  "protected-path": "path",
  secret: "path",
  device: "path",
  "recursive-removal": "removal",
  "system-removal": "removal",
};

/**
 * Lists what a permission check of a line rests on, the gravest first: what cannot be read or hides, dangers, places
 * outside of the workspace, and why its simple commands are more than reading.
 *
 * @param analysis The reading of the line.
 * @returns At most {@link MAX_EVIDENCE} findings.
 */
export function collectEvidence(analysis: BashAnalysis): BashEvidence[] {
  const { errors, injection, dangers, outside, units } = analysis;
  const found: BashEvidence[] = [];
  const add = (finding: Finding, layer: BashLayer, unit = innermost(units, finding)): void => {
    const { code, message, start, end } = finding;
    if (found.length < MAX_EVIDENCE) found.push({ layer, code, message, start, end, ...(unit < 0 ? {} : { unit }) });
  };
  for (const finding of errors.slice(0, MAX_EVIDENCE)) add(finding, "injection");
  for (const finding of injection.slice(0, MAX_EVIDENCE)) add(finding, "injection");
  for (const finding of dangers.slice(0, MAX_EVIDENCE)) add(finding, layers[finding.code] ?? "command");
  for (const finding of outside.slice(0, MAX_EVIDENCE)) add(finding, "path");
  for (let index = 0; index < units.length && found.length < MAX_EVIDENCE; index += 1) {
    for (const reason of units[index]?.reasons ?? []) add(reason, "read-only", index);
  }
  return found;
}

/** Finds the shortest unit around a span; the later one of two alike, which stands inside. */
function innermost(units: readonly Unit[], { start, end }: Finding): number {
  let best = -1;
  let length = Number.POSITIVE_INFINITY;
  for (let index = 0; index < units.length; index += 1) {
    const unit = units[index];
    if (unit === undefined || unit.start > start || unit.end < end || unit.end - unit.start > length) continue;
    best = index;
    length = unit.end - unit.start;
  }
  return best;
}
