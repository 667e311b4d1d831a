/** The small language in which the tables say what a command's arguments mean. */

/**
 * What an option does: "" nothing, ":" takes a value, "?" takes a value only if it is attached, "<" reads the file it
 * takes, ">" writes the file it takes, "!" changes or runs something, "%" does so with the value it takes, "=" takes
 * two values.
 */
export type OptionKind = "" | ":" | "?" | "<" | ">" | "!" | "%" | "=";

/**
 * What an operand is: `r`ead, `l`isted, `m` only looked at, `w`ritten, `d`eleted, `t`ext, `p` a program or pattern,
 * `o`utput of a command that writes as its work, `x` not harmless, `+` harmless only with that sign in front.
 */
export interface OperandKind {
  readonly kind: string;
  /** Where one of these options stands, a `p` or `w` is missing and an `x` is harmless. */
  readonly unless: readonly string[];
}

/** The grammar of one command. */
export interface Grammar {
  /**
   * `R`eads, changes (`W`), has sub-commands (`*`, or `^` where it changes something without one), or is a wrapper:
   * one to look through (`T`), that is not read-only itself (`P`), or that an allow rule must name (`O`).
   */
  readonly type: string;
  /** How many operands of a wrapper stand before the command. */
  readonly skip: number;
  /** Options that are not listed are harmless. */
  readonly lenient: boolean;
  /** Options end at the first operand. */
  readonly ordered: boolean;
  /** Long options start with one dash. */
  readonly single: boolean;
  /** Digits may be an option. */
  readonly digits: boolean;
  /** Is configured by the folder it runs in. */
  readonly configured: boolean;
  /** Prints names of files: always, or only where an option says so. */
  readonly names: boolean;
  readonly namesByOption: boolean;
  /** Passes on what comes in, in part. */
  readonly filter: boolean;
  /** Can print nothing but a number. */
  readonly counts: boolean;
  /** Runs what it is given, so that a rule has to name it. */
  readonly risky: boolean;
  /** Nothing that could come in as an argument makes it change anything. */
  readonly anyArgument: boolean;
  /** Packs or unpacks archives, where it does not only look into them. */
  readonly archive: boolean;
  readonly options: ReadonlyMap<string, OptionKind>;
  /** The kinds of the options of one ASCII letter, by its code. */
  readonly letters: readonly (OptionKind | undefined)[];
  readonly operands: readonly OperandKind[];
  /** The index of the operand kind that stands for any number; -1 for none. */
  readonly star: number;
}

/** Tells whether an option changes something. */
export function isHazard(kind: OptionKind | undefined): boolean {
  return kind === ">" || kind === "!" || kind === "%";
}

/**
 * Reads a grammar such as `R~ e: f< regexp: | p/e,regexp r*`.
 *
 * The first word is the type with its marks: `~` lenient, `+` ordered, `-` single dashes, `#` digits, `c` configured,
 * `n` names, `s` names by option, `f` filter, `k` counts, `!` risky, `a` archives, and a digit for the operands of a wrapper.
 * Then come options: `-abc` are flags of one letter, `o>` an option with its kind. Behind the bar come operands; `*`
 * stands for any number.
 */
export function readGrammar(source: string): Grammar {
  const [front = "", back = ""] = source.split("|");
  const [head = "", ...listed] = front.trim().split(/\s+/);
  const options = new Map<string, OptionKind>();
  for (const item of listed) {
    if (item.startsWith("-")) for (const letter of item.slice(1)) options.set(letter, "");
    else {
      const [, name = "", kind = ""] = /^(.*?)([:?<>!%=]?)$/.exec(item) ?? [];
      options.set(name, kind as OptionKind);
    }
  }
  const items = back.trim().split(/\s+/).filter(Boolean);
  const type = head.charAt(0);
  const has = (mark: string): boolean => head.includes(mark, 1);
  return {
    type,
    skip: Number(/\d/.exec(head)?.[0] ?? 0),
    lenient: has("~"),
    ordered: has("+") || "*^TPO".includes(type),
    single: has("-"),
    digits: has("#"),
    configured: has("c"),
    names: has("n"),
    namesByOption: has("s"),
    filter: has("f"),
    counts: has("k"),
    risky: has("!"),
    anyArgument: has("~") && ![...options.values()].some(isHazard) && !/\b[wdox+]/.test(back),
    archive: has("a"),
    options,
    letters: Array.from({ length: 128 }, (_, code) => options.get(String.fromCharCode(code))),
    operands: items.map((item) => ({ kind: item.charAt(0), unless: item.split("/")[1]?.split(",") ?? [] })),
    star: items.findIndex((item) => item.endsWith("*") || item.charAt(1) === "*"),
  };
}

/** Finds a long option, also when it is abbreviated: an abbreviation that can mean something harmful does. */
export function findLong(grammar: Grammar, name: string): { name: string; kind: OptionKind } | undefined {
  const exact = grammar.options.get(name);
  if (exact !== undefined) return { name, kind: exact };
  let found: { name: string; kind: OptionKind } | undefined;
  for (const [candidate, kind] of grammar.options) {
    if (candidate.length < 2 || name === "" || !candidate.startsWith(name)) continue;
    if (found === undefined || isHazard(kind)) found = { name: candidate, kind };
  }
  return found;
}
