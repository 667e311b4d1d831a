/** Makes command lines at random: programs with their options and hostile operands, in all kinds of places. */

import { readFileSync } from "node:fs";
import type { Random } from "../unit/property.ts";
import { makeText, readLineGrammar, type Terminals } from "./grammar.ts";
import type { Program, Vocabulary } from "./vocabulary.ts";

/** Makes lines of several kinds. */
export interface LineMaker {
  /** Makes a line of any commands. */
  line(random: Random): string;
  /** Makes a line of commands that edit files, inside of the workspace and by all detours out of it. */
  edits(random: Random): string;
  /** Makes a line out of known ones: words swapped, left out, put in, doubled; or a few characters changed. */
  mutate(random: Random, known: readonly string[]): string;
}

const grammar = readLineGrammar(readFileSync(new URL("lines.grammar", import.meta.url), "utf8"));
const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
const tokens = /\s+|[;&|<>(){}]+|"(?:\\.|[^"\\])*"|'[^']*'|[^\s;&|<>(){}"']+|["']/g;
const inserted = [
  ..." \n\t'\"`$(){}#!=~*[]\\-\r\u00a0;&|<>",
  " && ",
  " || ",
  " | ",
  " & ",
  "--",
  " -",
  "\\\n",
  "$(",
  "<<E\n",
];

const nothing: Program = { name: "true", options: [], harmful: [] };

/** Makes a maker of lines with the programs of a machine. */
export function createLineMaker(words: Vocabulary): LineMaker {
  const terminals: Terminals = {
    reader: (random) => invocation(random, any(random, words.readers) ?? nothing),
    git: (random) => invocation(random, any(random, words.git) ?? nothing),
    other: (random) => invocation(random, any(random, words.others) ?? nothing),
  };
  const make = (random: Random, symbol: string): string => makeText(grammar, terminals, random, symbol);

  function invocation(random: Random, { name, ...options }: Program): string {
    const parts = [name];
    for (let count = random.below(4); count > 0; count -= 1) parts.push(option(random, options));
    if (random.once(8)) parts.push("--");
    for (let count = random.below(3); count > 0; count -= 1) parts.push(make(random, random.once(3) ? "file" : "word"));
    // Options may stand behind operands.
    if (random.once(6)) parts.push(option(random, options));
    return parts.join(" ");
  }

  function option(random: Random, { options, harmful }: Omit<Program, "name">): string {
    const value = (): string => make(random, "value");
    const chosen = random.once(3) ? any(random, harmful) : random.once(2) ? any(random, options) : undefined;
    if (chosen === undefined || /^-.=?$/.test(chosen)) {
      const front = Array.from({ length: random.below(3) }, () => any(random, letters)).join("");
      const cluster = front + (chosen?.charAt(1) ?? any(random, letters));
      if (random.once(3)) return `-${cluster} ${value()}`;
      return random.once(4) ? `-${cluster}${value()}` : `-${cluster}`;
    }
    const whole = chosen.replace(/\[?=$/, "");
    const name = random.once(5) ? whole.slice(0, 3 + random.below(whole.length)) : whole;
    if (whole === chosen && !random.once(6)) return name;
    return random.once(3) ? `${name} ${value()}` : `${name}=${value()}`;
  }

  return {
    line: (random) => make(random, "line"),
    edits: (random) => make(random, "edits"),
    mutate(random, known) {
      const parts: string[] = (any(random, known) ?? "").match(tokens) ?? [];
      const others: string[] = (any(random, known) ?? "").match(tokens) ?? [];
      for (let count = 1 + random.below(3); count > 0; count -= 1) {
        const at = random.below(parts.length + 1);
        const other = any(random, others) ?? " ";
        random.pick([
          () => parts.splice(at, 1),
          () => parts.splice(at, 0, " ", other, " "),
          () => parts.splice(at, 1, other),
          () => parts.splice(at, 1, make(random, "word")),
          () => parts.splice(at, 0, any(random, inserted) ?? ""),
          () => parts.push(...parts.splice(at, 1)),
          () => parts.splice(at, 0, ...parts.slice(at, at + 2)),
          () => parts.splice(at, 1, changeLetter(random, parts[at] ?? "")),
        ] as const)();
      }
      return parts.join("");
    },
  };
}

function changeLetter(random: Random, part: string): string {
  const cut = random.below(part.length + 1);
  return part.slice(0, cut) + (random.once(3) ? "" : any(random, inserted)) + part.slice(cut + random.below(2));
}

function any<T>(random: Random, list: readonly T[]): T | undefined {
  return list[random.below(list.length)];
}
