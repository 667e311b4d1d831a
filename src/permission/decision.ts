/** The outcome of a permission check, with the way it came about. */

import type { PermissionMode, PermissionRule } from "../message/permission-data.ts";

/** A step of the decision: what was looked at and what it said. */
export interface TraceStep {
  /** What was looked at; `confirmation` is a person's answer to the question that came before it. */
  step: "deny-rule" | "ask-rule" | "read-only" | "tool" | "allow-rule" | "mode" | "confirmation";
  /** What it said; `continue` leaves it to the next step. */
  outcome: "allow" | "deny" | "ask" | "continue";
  /** The rule that matched. */
  rule?: PermissionRule;
  /** Why, in a word or a sentence. */
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
  /**
   * Rules that would have made the question unnecessary; also there when DONT_ASK made a denial of a question. Else
   * empty.
   */
  suggestedRules: PermissionRule[];
  /** Every step that was taken, in order; the last one decided. */
  trace: TraceStep[];
  /** The mode in force. */
  mode: PermissionMode;
}
