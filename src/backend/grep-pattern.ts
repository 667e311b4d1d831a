/** Turns the pattern of a grep into a regular expression that searches whole texts as if line by line. */

import { HoldallError } from "../base/errors.ts";
import { type Atoms, askAll, createAtoms } from "../base/regexp-atoms.ts";
import { type Automaton, compileAutomaton } from "../base/regexp-automaton.ts";
import { judgeRegExp } from "../base/regexp-safety.ts";
import { looksAround, MAX_GROUP_DEPTH, parseRegExp, printRegExp, type RegExpItem } from "../base/regexp-syntax.ts";
import { type Steps, takeAll } from "../base/steps.ts";

/** How the pattern is read. */
export interface GrepPatternOptions {
  ignoreCase?: boolean;
  multiline?: boolean;
}

/** A pattern that is ready to search with. */
export interface GrepPattern {
  /** Global and multi-line; whoever uses it sets `lastIndex` first. */
  regexp: RegExp;
  /** UTF-16 units of text that one execution may be given, so that it comes back in time. */
  window: number;
  /** The same for an execution that looks at one place only. */
  reach: number;
  /** What finds matches in longer texts, whatever they are. Absent where the window is wide, and where it cannot. */
  automaton?: Automaton;
  /** Whether an execution takes time in proportion to its window, whatever the text. */
  isLinear: boolean;
  /** Whether matches may span lines. */
  multiline: boolean;
  /** Whether a match depends on what is around it, so that one at a cut end is not certain. */
  looksAround: boolean;
}

/** The longest pattern, in UTF-16 units. */
export const MAX_GREP_PATTERN = 4096;

/** Groups with alternatives and parts that may be missing, of one pattern: an engine needs some milliseconds to compile as many. */
export const MAX_GREP_CHOICES = 200;

/** Unicode classes of one pattern that ignores case, which an engine has to write out. */
export const MAX_GREP_CLASSES = 32;

/** What one execution of a pattern that is sure to be quick may look at. */
const WIDEST = 1 << 16;

/**
 * What one execution may look at, by the degree of the pattern, so that a text made to stop it takes some milliseconds: an
 * automaton searches what is longer.
 */
const WINDOWS = [WIDEST, WIDEST, 1 << 10, 160, 64, 36];

/** The same where there is no automaton. What is longer is searched in pieces that overlap by half. */
const LAST_WINDOWS = [WIDEST, WIDEST, 1536, 136, 56, 36];

/** Parts of a pattern, repetitions written out, from which on a place in the text takes longer than usual. */
const USUAL_PARTS = 64;

/** The same for parts that are repeated without end. */
const USUAL_LOOPS = 4;

/**
 * Compiles a pattern.
 *
 * Without `multiline`, `\s`, `[^x]` and the like are rewritten so that they do not take line ends: one execution over
 * a whole file then finds what one for each line would. An explicit `\r` still finds the one of a CRLF.
 *
 * @throws HoldallError `GREP_PATTERN_INVALID`, or `GREP_PATTERN_UNSAFE` for one that may take too long to match.
 */
export function compileGrepPattern(pattern: string, options: GrepPatternOptions = {}): GrepPattern {
  return takeAll(prepareGrepPattern(pattern, options));
}

/** Compiles a pattern as {@link compileGrepPattern} does, in steps short enough to pause between them. */
export function* prepareGrepPattern(pattern: string, options: GrepPatternOptions = {}): Steps<GrepPattern> {
  const { multiline = false } = options;
  if (pattern.length > MAX_GREP_PATTERN)
    throw invalid(pattern, `it is longer than ${MAX_GREP_PATTERN} characters. Use a shorter one`);
  const { source, ignoreCase, dotAll } = readFlags(pattern, options.ignoreCase ?? false);
  const translated = translate(source);
  const isUnicode = /\\[pP]\{|\\u\{|[\ud800-\udfff]/.test(translated);
  const flags = `gm${ignoreCase ? "i" : ""}${multiline || dotAll ? "s" : ""}${isUnicode ? "u" : ""}`;
  const classes = ignoreCase ? (translated.match(/\\[pP]\{/g)?.length ?? 0) : 0;
  if (classes > MAX_GREP_CLASSES)
    throw invalid(pattern, `it ignores case and has more than ${MAX_GREP_CLASSES} classes such as \\p{L}. Use fewer`);
  parse(pattern, translated, flags);
  const choices = parseRegExp(translated);
  if (choices === undefined) throw invalid(pattern, `its groups nest deeper than ${MAX_GROUP_DEPTH}. Use fewer`);
  yield undefined;
  const atoms = createAtoms(flags);
  if (!multiline) yield* askAll(atoms, choices);
  const searched = printRegExp(choices, (atom) =>
    multiline ? widenLineEnd(atom) : withoutLineEnds(atom, atoms, pattern),
  );
  const rewritten = searched === translated ? choices : (parseRegExp(searched) ?? choices);
  yield* askAll(atoms, rewritten);
  yield undefined;
  const cost = judgeRegExp(rewritten, atoms);
  if (cost.kind === "exponential") throw unsafe(pattern, cost.part);
  if (countChoices(rewritten) > MAX_GREP_CHOICES)
    throw invalid(pattern, `more than ${MAX_GREP_CHOICES} parts of it are optional or alternatives. Use fewer`);
  yield undefined;
  const limits = limitsOf(rewritten, atoms, cost.degree);
  yield undefined;
  // In a group, because V8 looks for a bare text with a slower algorithm than for an expression.
  const regexp = parse(pattern, `(?:${searched})`, flags);
  compile(pattern, regexp);
  return {
    regexp,
    ...limits,
    isLinear: limits.window === WIDEST,
    multiline,
    looksAround: choices.some((items) => items.some(needsNeighbours)),
  };
}

function limitsOf(
  choices: readonly RegExpItem[][],
  atoms: Atoms,
  degree: number,
): Pick<GrepPattern, "window" | "reach" | "automaton"> {
  const loops = degree > 1 ? countLoops(choices) : 0;
  const parts = Math.max(1, countParts(choices) / USUAL_PARTS, loops / USUAL_LOOPS);
  const windowFor = (windows: readonly number[], power: number): number =>
    Math.max(32, Math.floor((windows[Math.ceil(power)] ?? 48) / parts ** (1.5 / Math.max(1, power))));
  const reach = windowFor(LAST_WINDOWS, degree - 1);
  const window = windowFor(WINDOWS, degree);
  const automaton = window < WIDEST ? compileAutomaton(choices, atoms) : undefined;
  return automaton === undefined ? { window: windowFor(LAST_WINDOWS, degree), reach } : { window, reach, automaton };
}

/** Counts parts that may take any number of characters: each of them may run through a whole window from any place in it. */
function countLoops(choices: readonly RegExpItem[][]): number {
  const countItem = (item: RegExpItem): number => {
    if (item.kind === "group") return countLoops(item.choices);
    if (item.kind !== "repeat") return Number(item.kind === "back");
    return Number(item.max > USUAL_PARTS) + countItem(item.item);
  };
  return choices.reduce((sum, items) => sum + items.reduce((all, item) => all + countItem(item), 0), 0);
}

/** Counts what takes characters, as often as it is repeated at most in a row that is not variable. */
function countParts(choices: readonly RegExpItem[][]): number {
  const countItem = (item: RegExpItem): number => {
    if (item.kind === "group") return countParts(item.choices);
    if (item.kind !== "repeat") return 1;
    return countItem(item.item) * Math.max(1, item.max === Number.POSITIVE_INFINITY ? item.min : item.max);
  };
  return choices.reduce((sum, items) => sum + items.reduce((all, item) => all + countItem(item), 0), 0);
}

/** Counts where an engine has to choose, as the pattern is written; alternatives of the whole of it are cheap. */
function countChoices(choices: readonly RegExpItem[][]): number {
  const countItem = (item: RegExpItem): number => {
    if (item.kind === "group") return Number(item.choices.length > 1) + countChoices(item.choices);
    if (item.kind !== "repeat") return 0;
    return Number(item.min !== item.max && item.max !== Number.POSITIVE_INFINITY) + countItem(item.item);
  };
  return choices.reduce((sum, items) => sum + items.reduce((all, item) => all + countItem(item), 0), 0);
}

function parse(pattern: string, source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw refused(pattern, error);
  }
}

/** Lets the engine compile an expression, which it does when it is first used. Some find out only now that it is too large. */
function compile(pattern: string, regexp: RegExp): void {
  try {
    regexp.test("");
  } catch (error) {
    throw refused(pattern, error);
  }
}

function refused(pattern: string, error: unknown): HoldallError {
  const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression:\s*/, "") : String(error);
  return invalid(pattern, `${reason}. Put a backslash before ( ) [ ] { } . * + ? ^ $ | \\ to find them as they are`);
}

function invalid(pattern: string, why: string): HoldallError {
  return new HoldallError("GREP_PATTERN_INVALID", `the pattern ${show(pattern)} cannot be used: ${why}.`, {
    data: { pattern },
  });
}

function unsafe(pattern: string, part: string): HoldallError {
  return new HoldallError(
    "GREP_PATTERN_UNSAFE",
    `the pattern ${show(pattern)} could take longer than anybody waits: ${show(part)} can match the same text in too many ways. Repeat a part only once ("a+", not "(a+)+"), make alternatives start differently ("a|b", not "a|a"), or use fewer of .* and \\s*.`,
    { data: { pattern, part } },
  );
}

function show(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}

/** Reads flags such as `(?i)` at the start, which JavaScript does not know. */
function readFlags(pattern: string, ignoreCase: boolean): { source: string; ignoreCase: boolean; dotAll: boolean } {
  let rest = pattern;
  const flags = { ignoreCase, dotAll: false };
  for (let match = openingFlags.exec(rest); match !== null; match = openingFlags.exec(rest)) {
    const [whole, on = "", off = ""] = match;
    const other = /[^imsu]/.exec(on + off)?.[0];
    if (other !== undefined) throw invalid(pattern, `the flag ${other} is not known. Use i or s`);
    if (/i/.test(on + off)) flags.ignoreCase = on.includes("i");
    if (/s/.test(on + off)) flags.dotAll = on.includes("s");
    rest = rest.slice(whole.length);
  }
  return { source: rest, ...flags };
}

const openingFlags = /^\(\?(?=[a-zA-Z-]+\))([a-zA-Z]*)(?:-([a-zA-Z]*))?\)/;

/** What `[[:name:]]` stands for. */
const posixClasses: Readonly<Record<string, string>> = {
  alnum: "a-zA-Z0-9",
  alpha: "a-zA-Z",
  ascii: "\\x00-\\x7f",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\s",
  upper: "A-Z",
  word: "\\w",
  xdigit: "0-9a-fA-F",
};

/** Writes in JavaScript what other engines spell differently: `(?P<name>…)` and `[[:alpha:]]`. */
function translate(source: string): string {
  let isInClass = false;
  return source.replace(/\\[\s\S]|\[:(\w+):\]|\(\?P<|[[\]]/g, (found: string, name: string | undefined) => {
    if (found === "(?P<") return isInClass ? found : "(?<";
    if (name !== undefined) return isInClass ? (posixClasses[name] ?? found) : found;
    if (found === "[") isInClass = true;
    if (found === "]") isInClass = false;
    return found;
  });
}

/** Tells whether an item asks for what stands next to a match. */
function needsNeighbours(item: RegExpItem): boolean {
  if (item.kind === "repeat") return needsNeighbours(item.item);
  if (item.kind === "group") return looksAround(item.open) || item.choices.some((items) => items.some(needsNeighbours));
  return item.kind === "edge";
}

/** Lets a line feed of a pattern match CRLF as well. */
function widenLineEnd(atom: string): string {
  return isLineFeed(atom) ? "(?:\\r?\\n)" : atom;
}

function isLineFeed(atom: string): boolean {
  return /^(?:\n|\\n|\\\n|\\x0a|\\u000a|\\u\{0*a\}|\\cj)$/i.test(atom);
}

const lineLess: Readonly<Record<string, string>> = {
  ".": "[^\\r\\n]",
  "\\s": "[^\\S\\r\\n]",
  "\\W": "[^\\w\\r\\n]",
  "\\D": "[^\\d\\r\\n]",
};

/** Keeps an atom from taking line ends. */
function withoutLineEnds(atom: string, atoms: Atoms, pattern: string): string {
  const { characters, takes } = atoms.of(atom);
  if (!takes(LINE_FEED)) return atom;
  if ((characters & NO_LINE_END) === 0n && !takes(0xe9) && !takes(0x2028))
    throw invalid(pattern, "a line end is never part of a line. Search with multiline to match across lines");
  if (atom.startsWith("[^")) return `${atom.slice(0, -1)}\\r\\n]`;
  return lineLess[atom] ?? `(?:(?![\\r\\n])${atom})`;
}

const LINE_FEED = 10;

/** All of ASCII but CR and LF. */
const NO_LINE_END: bigint = ((1n << 128n) - 1n) & ~((1n << 10n) | (1n << 13n));
