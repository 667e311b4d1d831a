/** What a tool tells the permission engine about itself. */

import type { PermissionMode, PermissionRule } from "../message/permission-data.ts";
import type { PermissionFinding } from "./decision.ts";

/** What a check knows beside the input. */
export interface PermissionCheck {
  mode: PermissionMode;
  rules: readonly PermissionRule[];
  /** Absolute, resolved paths of the workspace. */
  workingDirectories: readonly string[];
  /** What the caller handed along; opaque here. */
  context: unknown;
  /** The conversation's state; opaque here. */
  state: unknown;
}

/** A tool's own opinion about one call; `passthrough` leaves it to rules and mode. */
export interface ToolOpinion {
  behavior: "allow" | "deny" | "ask" | "passthrough";
  /** What to tell the person or the model. */
  message?: string;
  /** Why, in a word or a sentence, for the trace. */
  reason?: string;
  /** Marks an `ask` that allow rules cannot silence. Defaults to false. */
  bypassImmune?: boolean;
  /** What the opinion rests on, with its place in the input, for the trace. Defaults to none. */
  findings?: readonly PermissionFinding[];
}

type Awaitable<T> = T | Promise<T>;

/** The facts and seams of a tool that decide over a call. */
export interface PermissionSubject {
  name: string;
  /** Whether no call changes anything. Defaults to false. */
  readOnly?: boolean | undefined;
  /** Whether this call changes nothing; must say false whenever unsure. Defaults to `readOnly`. */
  checkReadOnly?(input: unknown, check: PermissionCheck): Awaitable<boolean>;
  /** The tool's own opinion. Defaults to `passthrough`. */
  checkPermissions?(input: unknown, check: PermissionCheck): Awaitable<ToolOpinion>;
  /**
   * Whether a rule's content matches this call. `deny` and `ask` rules must match when *any* part of the call does,
   * `allow` rules only when *all* parts do. Defaults to never.
   */
  matchRule?(content: string, input: unknown, rule: PermissionRule, check: PermissionCheck): Awaitable<boolean>;
  /** Where in the input a rule with a content matches, for the trace; asked once it has decided. Defaults to nowhere. */
  locateRule?(
    content: string,
    input: unknown,
    rule: PermissionRule,
    check: PermissionCheck,
  ): Awaitable<readonly PermissionFinding[]>;
  /** Rules that would make this question unnecessary next time. Defaults to a rule for the whole tool. */
  generateSuggestions?(input: unknown, check: PermissionCheck): Awaitable<PermissionRule[]>;
  /** Whether the tool stays usable in EXPLORE although it is not read-only (it steers the conversation only). */
  allowedInExplore?: boolean | undefined;
}
