/** Decides over a command line as the permission engine does, from what the room hands out. */

import {
  acceptsEdits,
  analyzeBash,
  type BashOptions,
  judgeBash,
  matchBashRule,
  uncoveredUnits,
} from "../../../src/bash/index.ts";

/** What a decision depends on beside the command. */
export interface DecisionFacts extends BashOptions {
  mode?: "default" | "accept_edits" | "explore" | "bypass" | "dont_ask" | undefined;
  allow?: readonly string[] | undefined;
  deny?: readonly string[] | undefined;
  ask?: readonly string[] | undefined;
}

/** Decides: deny rules, ask rules, reading, what must be asked, accepted edits, allow rules, the mode. */
export function decide(command: string, facts: DecisionFacts = {}): "allow" | "ask" | "deny" {
  const { mode = "default", allow = [], deny = [], ask = [], ...options } = facts;
  const analysis = analyzeBash(command, options);
  const { silent, immune } = judgeBash(analysis);
  const question = mode === "dont_ask" ? "deny" : "ask";
  if (deny.some((content) => matchBashRule(content, analysis, "deny"))) return "deny";
  if (ask.some((content) => matchBashRule(content, analysis, "ask"))) return question;
  if (silent) return "allow";
  if (mode === "explore") return "deny";
  if (mode === "bypass") return "allow";
  if (immune.length > 0) return question;
  const edits = mode === "accept_edits" || mode === "dont_ask";
  if (edits && acceptsEdits(analysis, { workingDirectories: options.workingDirectories ?? [] })) return "allow";
  return allow.length > 0 && uncoveredUnits(allow, analysis).length === 0 ? "allow" : question;
}
