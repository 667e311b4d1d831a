/** A word while its parts are put together. */

import { endAt, type Place, startAt } from "../scan.ts";
import type { Argument, Scan, Value } from "../state.ts";

const special = /[*?[\]\\{}]/g;
const literalStart = /^[^*?[]*/;

/** What is known so far. */
export interface Draft {
  /** All of it while nothing unknown came; afterwards the known beginning. */
  text: string;
  /** The pattern it makes, with literal parts escaped. */
  pattern: string;
  /** What stands behind the last unknown part. */
  tail: string;
  choices: readonly string[] | undefined;
  dynamic: boolean;
  many: boolean;
  glob: boolean;
  names: boolean;
  digits: boolean;
  computed: boolean;
  secret: string | undefined;
  tilde: boolean;
  odd: boolean;
  /** How many parts were unknown. */
  unknowns: number;
}

/** Starts a word. */
export function newDraft(): Draft {
  return {
    text: "",
    pattern: "",
    tail: "",
    choices: undefined,
    dynamic: false,
    many: false,
    glob: false,
    names: false,
    digits: false,
    computed: false,
    secret: undefined,
    tilde: false,
    odd: false,
    unknowns: 0,
  };
}

/** Adds text that is known; a wildcard stays one in the pattern. */
export function known(draft: Draft, text: string, wildcard = false): void {
  draft.tail += text;
  if (draft.glob) draft.pattern += wildcard ? text : escapePattern(text);
  draft.choices = draft.choices?.map((choice) => choice + text);
  if (!draft.dynamic && draft.choices === undefined) draft.text += text;
}

/** Turns what is known so far into the start of a pattern. */
export function startPattern(draft: Draft): void {
  if (draft.glob) return;
  draft.glob = true;
  draft.pattern = escapePattern(draft.text);
}

function escapePattern(text: string): string {
  return text.replace(special, "\\$&");
}

/** Adds something that is not known. */
export function unknown(draft: Draft, many: boolean): void {
  draft.dynamic = true;
  draft.choices = undefined;
  draft.many ||= many;
  draft.tail = "";
  draft.unknowns += 1;
}

/** Tells whether nothing was added yet. */
export function isEmpty(draft: Draft): boolean {
  return draft.text === "" && draft.tail === "" && !draft.dynamic;
}

/** Adds the content of a variable. */
export function addValue(draft: Draft, value: Value | undefined, quoted: boolean): void {
  const texts = value?.texts;
  const whole = isEmpty(draft);
  if (value?.digits) {
    // A number is no option and stays one word.
    if (whole) draft.text = "0";
    draft.digits = whole;
    unknown(draft, false);
  } else if (
    texts !== undefined &&
    (quoted || texts.every(staysWhole)) &&
    !draft.dynamic &&
    draft.choices === undefined
  ) {
    const [first] = texts;
    draft.tilde ||= whole && value?.tilde === true;
    if (texts.length === 1 && first !== undefined) known(draft, first);
    else draft.choices = texts.map((text) => draft.text + text);
  } else if (value?.glob !== undefined && whole && quoted && !draft.glob) {
    startPattern(draft);
    known(draft, value.glob, true);
  } else {
    unknown(draft, !quoted);
    // File names may be split at their spaces, but what comes out still stands for names in the workspace.
    if (whole && (value?.names || value?.glob !== undefined)) draft.names = true;
  }
}

/** Tells whether unquoted content is neither split nor expanded again. */
function staysWhole(text: string): boolean {
  return text !== "" && !/[\s*?[\\]/.test(text);
}

/** Ends a word. */
export function finish(scan: Scan, draft: Draft, place: Place, shown?: string): Argument {
  const { dynamic, choices, glob, text, tail } = draft;
  if (draft.secret !== undefined) scan.secrets = true;
  const exact = !dynamic && choices === undefined && !glob;
  const prefix = glob ? (literalStart.exec(text)?.[0] ?? "") : text;
  const spelled =
    shown ??
    (exact && !draft.computed ? text : glob && !dynamic ? draft.pattern : scan.text.slice(place.pos, place.end));
  return {
    text: exact ? text : undefined,
    choices: glob ? undefined : choices,
    prefix,
    tail,
    many: draft.many,
    repeated: false,
    glob: glob && !dynamic && choices === undefined ? draft.pattern : undefined,
    names: draft.names && draft.unknowns === 1 && tail === "",
    digits: draft.digits && draft.unknowns === 1 && tail === "",
    computed: draft.computed,
    secret: draft.secret,
    tilde: draft.tilde,
    odd: draft.odd,
    shown: spelled,
    start: startAt(scan, place.pos),
    end: endAt(scan, place.end),
  };
}
