/** What a session remembers between two calls: one plain JSON value. */

import { MAX_SESSION_TEXT } from "./limits.ts";
import type { FunctionDefinition } from "./syntax.ts";

/** An indexed or associative array; keys and values as text. */
export interface ArrayValue {
  associative: boolean;
  entries: readonly (readonly [key: string, value: string])[];
}

/** Where a session stands and what it has defined. */
export interface SessionState {
  /** Absolute. */
  cwd: string;
  /** Variables, exported or not; aliases are among them as `BASH_ALIAS_name`. */
  variables: Readonly<Record<string, string>>;
  /** Names of the exported ones. */
  exported: readonly string[];
  arrays: Readonly<Record<string, ArrayValue>>;
  /** Letters of `declare` by name: `i`, `l`, `n`, `r`, `u`. */
  attributes: Readonly<Record<string, string>>;
  /** Definitions by name, as just-bash parsed them. */
  functions: Readonly<Record<string, FunctionDefinition>>;
}

/** Starts a session. */
export function newSessionState(cwd: string): SessionState {
  return { cwd, variables: {}, exported: [], arrays: {}, attributes: {}, functions: {} };
}

/** Tells whether a name is one of a variable that a session keeps. */
export function isKept(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !transient.test(name);
}

/** Set afresh by every shell, or bound to one command line. */
const transient =
  /^(_|__proto__|PWD|SHELLOPTS|BASHOPTS|PIPESTATUS|FUNCNAME|DIRSTACK|GROUPS|EUID|UID|PPID|RANDOM|SECONDS|LINENO|SHLVL|BASH_(?!ALIAS_).*|BASHPID|HOSTTYPE|MACHTYPE|OSTYPE|OPTIND)$/;

/** Drops what does not fit into {@link MAX_SESSION_TEXT}: functions first, then arrays, then variables. */
export function fitted(state: SessionState): SessionState {
  let room = MAX_SESSION_TEXT;
  const fits = ([name, value]: [string, unknown]): boolean => {
    const size = name.length + (typeof value === "string" ? value.length : JSON.stringify(value).length);
    if (size > room) return false;
    room -= size;
    return true;
  };
  const shrink = <T>(values: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(values).filter(fits));
  return {
    ...state,
    variables: shrink(state.variables),
    arrays: shrink(state.arrays),
    functions: shrink(state.functions),
  };
}
