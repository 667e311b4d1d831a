/** What checking a model's arguments gives. */

/** One fault of a model's arguments. */
export interface InputIssue {
  /** Where, such as `items[2].name`; empty for the whole. */
  path: string;
  /** What is wrong, in one sentence. */
  message: string;
}

/** What validating gave: the value to go on with, or what is wrong. */
export type Validated = { ok: true; value: unknown } | { ok: false; issues: InputIssue[] };

/** The most issues that are reported for one call. */
export const MAX_ISSUES = 8;
