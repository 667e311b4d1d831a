/** The programs and options that command lines are made of: those that the tables name, and those the programs know. */

import { isHazard, readGrammar } from "../../src/bash/command/grammar.ts";
import { git } from "../../src/bash/tables/git.ts";
import { patterns } from "../../src/bash/tables/patterns.ts";
import { programs } from "../../src/bash/tables/programs.ts";
import { readers } from "../../src/bash/tables/readers.ts";
import { tools } from "../../src/bash/tables/tools.ts";
import { writers } from "../../src/bash/tables/writers.ts";
import type { Sandbox } from "./sandbox.ts";

/** A program, or a sub-command of one. */
export interface Program {
  /** The words it starts with, such as `git log`. */
  name: string;
  /** Options of more than one letter, with their dashes; those that end in `=` take a value. */
  options: readonly string[];
  /** Those that the tables call harmful, of any length, with their dashes. */
  harmful: readonly string[];
}

/** What is known of a machine's programs. */
export interface Vocabulary {
  /** Programs that may only read. */
  readers: readonly Program[];
  /** The sub-commands of git. */
  git: readonly Program[];
  /** Programs that change things or run others; some only look when they are told so. */
  others: readonly Program[];
}

/** Options that `-h` does not tell. */
const gitOptions =
  "--stat --patch --oneline --graph --all --decorate --follow --name-only --name-status --raw --format= --pretty= --since= --until= --author= --grep= --max-count= --output= --output-indicator-new= --ext-diff --no-ext-diff --textconv --no-index --word-diff= --show-signature --cherry-pick --merges --reverse --date= --abbrev-commit --stdin --first-parent --diff-filter= --find-object= --submodule= --ignore-submodules= --relative= --src-prefix= --exit-code --check --color= --color-moved --summary --numstat --dirstat --binary --full-index --unified= --anchored= --pickaxe-regex --no-walk --exclude= --branches= --remotes= --tags= --list --contains= --points-at= --sort= --column= --edit-description --show-current --git-dir= --git-path= --show-toplevel --parseopt --sq-quote --verify --batch --batch-check --batch-command --filters --path= --lost-found --write-commit-graph --cached --others --exclude-standard --porcelain= --untracked-files= --ignored --refresh --prune --set-upstream-to= --get --get-all --get-regexp --global --local --file= --name-only --show-origin --type= --edit --unset --add --replace-all --rename-section --default= --open-files-in-pager= --cache --threads= --contents= --incremental --root --progress --score-debug".split(
    " ",
  );

const sets: Record<keyof Vocabulary, Readonly<Record<string, string>>> = {
  readers,
  git,
  others: { ...writers, ...tools, ...programs },
};

/** Asks the programs of a machine for their options; several sandboxes share the work. */
export async function learnVocabulary(sandboxes: readonly Sandbox[]): Promise<Vocabulary> {
  const named = (kind: keyof Vocabulary): Map<string, string> =>
    new Map(Object.entries(sets[kind]).flatMap(splitNames));
  const all = { readers: named("readers"), git: named("git"), others: named("others") };
  for (const name of Object.keys(patterns).flatMap((names) => names.split(" "))) {
    if (!all.others.has(name)) all.others.set(name, "");
  }
  const names = Object.values(all).flatMap((each) => [...each.keys()]);
  const known = await askForOptions(sandboxes, names);
  const list = (kind: keyof Vocabulary): Program[] =>
    [...all[kind]].flatMap(([name, source]) => {
      const own = known.get(name);
      if (own === undefined) return [];
      const extra = kind === "git" ? gitOptions : [];
      const options = [...new Set([...tableOptions(source), ...own, ...extra])];
      return [{ name, options, harmful: harmfulOptions(source) }];
    });
  return { readers: list("readers"), git: list("git"), others: list("others") };
}

/** `git/(log show)` stands for `git log` and `git show`. */
function splitNames([key, source]: [string, string]): [string, string][] {
  const [, prefix = "", names = key] = /^(.+\/)\((.+)\)$/.exec(key) ?? [];
  return names.split(" ").map((name) => [(prefix + name).replaceAll("/", " "), source]);
}

function tableOptions(source: string): string[] {
  const { options, single } = readGrammar(source);
  return [...options].flatMap(([name, kind]) => {
    if (name.length < 2) return [];
    return [`${single ? "-" : "--"}${name}${kind === "" || kind === "!" ? "" : "="}`];
  });
}

function harmfulOptions(source: string): string[] {
  const { options, single } = readGrammar(source);
  return [...options].flatMap(([name, kind]) => {
    if (!isHazard(kind)) return [];
    return [`${name.length === 1 || single ? "-" : "--"}${name}${kind === "!" ? "" : "="}`];
  });
}

const GROUP = 8;

/** Gives the options of those programs that there are. */
async function askForOptions(
  sandboxes: readonly Sandbox[],
  names: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const known = new Map<string, string[]>();
  let next = 0;
  const work = async (sandbox: Sandbox): Promise<void> => {
    while (next < names.length) {
      const group = names.slice(next, next + GROUP);
      next += GROUP;
      const command = group.map(question).join("\n");
      const { output = "" } = await sandbox.run({ command, timeout: 30_000, output: true });
      for (const part of output.split("== ").slice(1)) {
        const [name = "", ...options] = part.trimEnd().split("\n");
        known.set(name, options);
      }
    }
  };
  await Promise.all(sandboxes.map(work));
  return known;
}

/** Makes a line that prints a program's name and its options, if there is such a program. */
function question(name: string): string {
  const [program = ""] = name.split(" ");
  const help = name.startsWith("git ") ? `${name} -h` : /^\w/.test(name) ? `${program} --help` : ":";
  return `if type ${program} > /dev/null 2>&1; then echo "== ${name}"
    timeout 2 ${help} 2>&1 < /dev/null | head -c 20000 |
      grep -oE -e '(^|[ ,[])--?[a-zA-Z][a-zA-Z0-9-]+(\\[?=)?' | tr -d ' ,[' | sort -u; fi`;
}
