/** The facts that a tool's permission check is made of, in one reading. */

import { analyzeBash } from "./analyze.ts";
import type { Finding } from "./findings.ts";
import type { BashAnalysis, BashOptions } from "./types.ts";

/** What a permission check needs to know about a command line. */
export interface BashJudgement {
  /** Whether it changes nothing. Says nothing about whether what it reads is anybody's business: see `mustAsk`. */
  readOnly: boolean;
  /** Whether it may run without a question: it is read-only and there is nothing to ask about. */
  silent: boolean;
  /** All that a careful reviewer would want to be asked about; empty for ordinary reading and ordinary writing. */
  mustAsk: Finding[];
  /** Those of `mustAsk` that no allow rule may silence: errors, injection, dangers. */
  immune: Finding[];
  /** The reading itself, for rules, suggestions and the span of every finding. */
  analysis: BashAnalysis;
}

/**
 * Reads a command line and sorts what was found by what it means for permission.
 *
 * @param command The command line, or its reading when it was read with the same options before.
 * @param options The place where it would run.
 */
export function judgeBash(command: string | BashAnalysis, options: BashOptions = {}): BashJudgement {
  const analysis = typeof command === "string" ? analyzeBash(command, options) : command;
  const immune = [...analysis.errors, ...analysis.injection, ...analysis.dangers];
  const mustAsk = [...immune, ...analysis.outside];
  return { readOnly: analysis.readOnly, silent: analysis.readOnly && mustAsk.length === 0, mustAsk, immune, analysis };
}
