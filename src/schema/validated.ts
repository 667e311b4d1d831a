/** What checking a model's arguments gives. */

/** One fault of a model's arguments. */
export interface InputIssue {
  /** Where, such as `items[2].name`; empty for the whole. */
  path: string;
  /** What is wrong, in one sentence without a full stop: what was given, and what is accepted. */
  message: string;
}

/** What validating gave: the value to go on with, or what is wrong. */
export type Validated = { ok: true; value: unknown } | { ok: false; issues: InputIssue[] };

/** The most issues that are reported for one call. */
export const MAX_ISSUES = 8;

/**
 * Writes where something is: `items[2].name`, `headers["x-a.b"]`.
 *
 * The first name always stands as it is, so that it can be compared with the name of a parameter.
 */
export function formatPath(keys: readonly PropertyKey[]): string {
  let path = "";
  for (const key of keys) {
    const name = String(key);
    if (path === "") path = name;
    else if (typeof key === "number") path += `[${name}]`;
    else path += /^[\p{L}\p{N}_$-]+$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  }
  return path;
}
