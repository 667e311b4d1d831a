/** All tables as one: what is known about a name, or a name with its sub-commands. */

import type { Call } from "../state.ts";
import { git } from "../tables/git.ts";
import { patterns } from "../tables/patterns.ts";
import { programs } from "../tables/programs.ts";
import { readers } from "../tables/readers.ts";
import { tools } from "../tables/tools.ts";
import { writers } from "../tables/writers.ts";
import { type Afterwards, afterwards } from "./afterwards.ts";
import { type Grammar, readGrammar } from "./grammar.ts";
import { builtins } from "./shell-builtins.ts";

/** What the tables say about one name. */
export interface Entry {
  /** Its grammar or kind, as it is written; empty where there is only a pattern. */
  source: string;
  /** The first letter of that. */
  kind: string;
  /** What all arguments, joined by spaces, look like when it changes nothing. */
  pattern: RegExp | undefined;
  grammar: Grammar | undefined;
  /** What looks at it after its grammar was read. */
  after: Afterwards | undefined;
  /** What judges it where it is a builtin of the shell. */
  builtin: ((call: Call) => void) | undefined;
}

let entries: Map<string, Entry> | undefined;

/** Finds what is known about a name such as `sort` or `git/remote/get-url`. */
export function entryOf(name: string): Entry | undefined {
  entries ??= readTables();
  return entries.get(name);
}

/** Gives the grammar of an entry, which is read once. */
export function grammarOf(entry: Entry): Grammar {
  entry.grammar ??= readGrammar(entry.source);
  return entry.grammar;
}

function readTables(): Map<string, Entry> {
  const all = new Map<string, Entry>();
  const add = (name: string, more: Partial<Entry>): void => {
    const entry = all.get(name) ?? {
      source: "",
      kind: "",
      pattern: undefined,
      grammar: undefined,
      after: undefined,
      builtin: undefined,
    };
    all.set(name, Object.assign(entry, more));
  };
  for (const table of [readers, writers, git, tools, programs]) {
    for (const [key, source] of Object.entries(table)) {
      // `git/(log show)` stands for `git/log` and `git/show`.
      const [, prefix = "", names = key] = /^(.+\/)\((.+)\)$/.exec(key) ?? [];
      for (const name of names.split(" ")) add(prefix + name, { source, kind: source.charAt(0) });
    }
  }
  for (const [names, pattern] of Object.entries(patterns)) {
    for (const name of names.split(" ")) add(name, { pattern });
  }
  for (const [name, after] of Object.entries(afterwards)) add(name, { after });
  for (const [name, builtin] of Object.entries(builtins)) add(name, { builtin });
  return all;
}
