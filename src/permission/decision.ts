/** The outcome of a permission check, with the way it came about. */

import type { PermissionMode, PermissionRule } from "../message/permission-data.ts";

/**
 * One thing that was found in the input, so that a dialog can point at it: the text from `start` to `end` in the input's
 * `field` is what `message` speaks of.
 */
export interface PermissionFinding {
  /** The kind; stable for each tool, such as `protected-path` of Bash, or `rule` where a rule matched. */
  code: string;
  /** A sentence for people. */
  message: string;
  /** Which check of the tool found it; those of Bash are told by `BashLayer` of `holdall/bash`, a rule's is `rule`. */
  layer: string;
  /** The part of the input it belongs to, counted from 0: for Bash the simple command. Left out for the whole. */
  unit?: number;
  /** The name of the input field that the positions count in, such as `command`. */
  field: string;
  /** The first UTF-16 unit. */
  start: number;
  /** The UTF-16 unit behind the last one. */
  end: number;
}

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
  /**
   * Where in the input: for the step `tool` what the tool found, for a rule the parts that it matched. Left out where
   * there is nothing to point at; at most {@link MAX_TRACE_FINDINGS}.
   */
  findings?: PermissionFinding[];
}

/** The most findings of one step that are kept. */
export const MAX_TRACE_FINDINGS = 32;

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
