/** The plain data of permission, which travels inside blocks, events and the state. */

/** How much happens without asking; see the table of modes in `permission/engine.ts`. */
export type PermissionMode = "default" | "accept_edits" | "explore" | "bypass" | "dont_ask";

/** What a rule does to a call it matches. */
export type RuleBehavior = "allow" | "deny" | "ask";

/** One rule. */
export interface PermissionRule {
  /** The exact tool name. */
  tool: string;
  /** What the tool compares with the input, such as `git commit:*`; left out or empty, the rule matches every call. */
  content?: string;
  behavior: RuleBehavior;
  /** Where the rule comes from, such as `session` or `suggested`; shown, never decided on. */
  source?: string;
}

/** The permission settings of a conversation. */
export interface PermissionSettings {
  /** Defaults to the engine's mode. */
  mode?: PermissionMode;
  rules: PermissionRule[];
  /** Absolute paths in which edits count as being in the workspace. */
  workingDirectories: string[];
}
