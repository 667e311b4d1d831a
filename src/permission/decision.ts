/** The outcome of a permission check, with the way it came about. */

import type { PermissionMode, PermissionRule } from "../message/permission-data.ts";

/** A step of the decision: what was looked at and what it said. */
export interface TraceStep {
  /** `deny-rule`, `ask-rule`, `read-only`, `tool`, `allow-rule` or `mode`. */
  step: "deny-rule" | "ask-rule" | "read-only" | "tool" | "allow-rule" | "mode";
  /** What it said; `continue` leaves it to the next step. */
  outcome: "allow" | "deny" | "ask" | "continue";
  /** The rule that matched. */
  rule?: PermissionRule;
  detail?: string;
}

/** What shall happen to a call. */
export interface PermissionDecision {
  behavior: "allow" | "deny" | "ask";
  /** For the person who is asked, or the model that is refused. */
  message: string;
  /** Why, in short: the rule, the tool's reason or the mode. */
  reason: string;
  /** Whether allow rules could not silence the question. */
  bypassImmune: boolean;
  /** Rules that would have made the question unnecessary; empty unless asked. */
  suggestedRules: PermissionRule[];
  /** Every step that was taken, in order. */
  trace: TraceStep[];
  /** The mode in force. */
  mode: PermissionMode;
}
