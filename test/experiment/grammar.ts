/** Makes text at random from a grammar in a file. */

import type { Random } from "../unit/property.ts";

/** What a symbol may become. */
export type LineGrammar = ReadonlyMap<string, readonly string[]>;

/** Makes the text of symbols that a grammar does not know. */
export type Terminals = Readonly<Record<string, (random: Random) => string>>;

const MAX_DEPTH = 14;
const reference = /<('?)([a-z][a-z-]*)>/g;

/**
 * Reads a grammar: the name of a symbol on a line of its own, under it, indented, what it may become, divided by two
 * spaces. `<name>` stands for a symbol, `<'name>` for one in single quotes, `⏎` for a line break, `ε` for nothing.
 */
export function readLineGrammar(text: string): LineGrammar {
  const grammar = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith(" ")) current.push(...line.trim().split("  ").map(readEscapes));
    else if (line !== "") {
      current = [];
      grammar.set(line, current);
    }
  }
  return grammar;
}

function readEscapes(text: string): string {
  return text === "ε" ? "" : text.replaceAll("⏎", "\n");
}

/** Makes a text; where it grows too deep, it takes what stands first. */
export function makeText(
  grammar: LineGrammar,
  terminals: Terminals,
  random: Random,
  symbol: string,
  depth = 0,
): string {
  const terminal = terminals[symbol];
  if (terminal !== undefined) return terminal(random);
  const [first, ...others] = grammar.get(symbol) ?? [];
  if (first === undefined) throw new Error(`The grammar does not know <${symbol}>.`);
  const chosen = depth > MAX_DEPTH ? first : random.pick([first, ...others]);
  return chosen.replace(reference, (_, quote: string, name: string) => {
    const text = makeText(grammar, terminals, random, name, depth + 1);
    return quote === "" ? text : text.replaceAll("'", "'\\''");
  });
}
