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
  /** The program it belongs to, where its sub-commands have more in common than their grammars say. */
  family: "git" | "gh" | undefined;
  /** What all arguments, joined by spaces, look like when it changes nothing. */
  pattern: RegExp | undefined;
  grammar: Grammar | undefined;
  /** What is known about its sub-commands. */
  subs: Map<string, Entry> | undefined;
  /** What looks at it after its grammar was read. */
  after: Afterwards | undefined;
  /** What judges it where it is a builtin of the shell. */
  builtin: ((call: Call) => void) | undefined;
}

let entries: Map<string, Entry> | undefined;

/** Finds what is known about a command name. */
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
  for (const table of [readers, writers, git, tools, programs]) {
    for (const [key, source] of Object.entries(table)) {
      // `git/(log show)` stands for the sub-commands `log` and `show` of `git`.
      const [, prefix = "", names = key] = /^(.+\/)\((.+)\)$/.exec(key) ?? [];
      for (const name of names.split(" ")) add(all, prefix + name, { source, kind: source.charAt(0) });
    }
  }
  for (const [names, pattern] of Object.entries(patterns)) {
    for (const name of names.split(" ")) add(all, name, { pattern });
  }
  for (const [name, after] of Object.entries(afterwards)) add(all, name, { after });
  for (const [name, builtin] of Object.entries(builtins)) add(all, name, { builtin });
  return all;
}

/** Adds facts about a path of sub-commands; a program whose file happens to lie at such a path is not meant by it. */
function add(all: Map<string, Entry>, path: string, facts: Partial<Entry>): void {
  let level = all;
  let found: Entry | undefined;
  const family = path.startsWith("git/") ? "git" : path.startsWith("gh/") ? "gh" : undefined;
  for (const name of path.split("/")) {
    if (found !== undefined) {
      found.subs ??= new Map();
      level = found.subs;
    }
    found = level.get(name) ?? newEntry(family);
    level.set(name, found);
  }
  if (found !== undefined) Object.assign(found, facts);
}

function newEntry(family: Entry["family"]): Entry {
  return {
    source: "",
    kind: "",
    family,
    pattern: undefined,
    grammar: undefined,
    subs: undefined,
    after: undefined,
    builtin: undefined,
  };
}
