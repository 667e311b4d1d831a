/** Compares command lines with permission rules: narrowly for rules that allow, broadly for rules that forbid or ask. */

import type { PermissionRule } from "../message/permission-data.ts";

/** Programs that run other programs or code: their name says nothing about what happens. */
const wrappers = new Set(
  "sudo doas su env xargs nohup time timeout nice ionice stdbuf setsid exec command builtin eval source . watch parallel find busybox script ssh sh bash zsh dash ksh fish python python3 node deno bun perl ruby php lua awk gawk osascript powershell pwsh npx bunx pnpx uvx docker kubectl trap coproc chroot unshare strace ltrace flock".split(
    " ",
  ),
);

/** Programs whose second word is a file or pattern, not a subcommand. */
const fileCommands = new Set(
  "rm rmdir mv cp ln dd chmod chown chgrp touch mkdir tee sed tar curl wget kill pkill killall cat echo printf grep ls cd".split(
    " ",
  ),
);

const keywords = new Set("if then else elif while until do for case in select function time ! { } coproc".split(" "));

/**
 * Tells whether a rule matches a command line.
 *
 * A rule that allows matches only the very same command line, or, as `prefix:*`, one simple command that starts with
 * the words of the prefix: no operators, redirections, expansions or escapes. A rule that denies or asks matches when a
 * command anywhere in the line starts with its words, also behind `sudo`, `env` and the like or with a path before
 * its name, and when it cannot be told which command would run.
 *
 * @param rule The rule.
 * @param content Its content.
 * @param command The command line.
 */
export function matchCommand(rule: PermissionRule, content: string, command: string): boolean {
  const line = command.trim();
  if (rule.behavior === "allow") {
    if (!content.endsWith(":*")) return line === content.trim();
    const prefix = words(content.slice(0, -2)).join(" ");
    return prefix !== "" && isSimple(line) && `${words(line).join(" ")} `.startsWith(`${prefix} `);
  }
  const wanted = words(content.replace(/:?\*$/, "").toLowerCase());
  if (wanted.length === 0 || line === content.trim() || !hasClosedQuotes(line)) return true;
  return splitCommands(line).some((part) => containsCommand(part, wanted));
}

/**
 * Gives the rules that would have allowed a command line: its first two words for a simple command with a subcommand,
 * else the very command line.
 */
export function suggestCommandRules(command: string): PermissionRule[] {
  const line = command.trim();
  if (line === "") return [];
  const [program = "", subcommand = ""] = words(line);
  const hasSubcommand = isSimple(line) && /^[\w.+-]+$/.test(program) && /^[a-z][a-z-]*$/.test(subcommand);
  if (hasSubcommand && !wrappers.has(program) && !fileCommands.has(program))
    return [allow(`${program} ${subcommand}:*`)];
  // Content that ends like a prefix would mean more than this command.
  return line.endsWith(":*") ? [] : [allow(line)];
}

function allow(content: string): PermissionRule {
  return { tool: "Bash", content, behavior: "allow", source: "suggested" };
}

function words(text: string): string[] {
  return text.split(/[ \t]+/).filter((word) => word !== "");
}

/** One command with plain words and whole quotes; whatever could start, redirect or expand something makes it complex. */
function isSimple(line: string): boolean {
  return !/[;&|<>$`(){}\\\u0000-\u0008\u000a-\u001f\u007f\u0085\u2028\u2029]/.test(line) && hasClosedQuotes(line);
}

function hasClosedQuotes(line: string): boolean {
  return !/["']/.test(line.replace(/\\.|'[^']*'|"(?:[^"\\]|\\.)*"/gs, ""));
}

/** Words of one command; `unsure` when what stands first may not be the command. */
interface CommandPart {
  words: string[];
  unsure: boolean;
}

/** Splits at everything that may start another command; quotes and escapes are dropped, for names may be written with them. */
function splitCommands(line: string): CommandPart[] {
  // `&` beside an arrow belongs to the redirection.
  const joined = line.replace(/\\\r?\n/g, "").replace(/&?[<>]+[&|]?/g, (arrow) => (arrow.includes("<") ? "<" : ">"));
  return joined.split(/(?=[;&|\n\r()`<>])/).map((part) => ({
    // Behind a redirection stands a file name first, then the command may go on.
    unsure: /^[<>]/.test(part),
    words: words(
      part
        .replace(/^[;&|\n\r()`<>]/, "")
        .replace(/["'\\]/g, "")
        .replace(/\s/g, " ")
        .toLowerCase(),
    ),
  }));
}

function containsCommand({ words: all, unsure }: CommandPart, wanted: readonly string[]): boolean {
  let anywhere = unsure;
  for (let at = 0; at < all.length; at += 1) {
    const word = all[at] ?? "";
    if (isAssignment(word) || keywords.has(word)) continue;
    // A name that is only made when it runs may be any name; the brackets of a test are none.
    if (!anywhere && /[$`*?[\]{}~]/.test(word.replace(/^~\/|^\[{1,2}$/, ""))) return true;
    if (startsWith(all.slice(at), wanted)) return true;
    if (wrappers.has(baseName(word))) anywhere = true;
    if (!anywhere) return false;
  }
  return false;
}

function isAssignment(word: string): boolean {
  return /^[a-z_]\w*\+?=/.test(word);
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/** Options, each with a value perhaps, may stand between the words: `git -C dir push` is a `git push`. */
function startsWith(all: readonly string[], wanted: readonly string[]): boolean {
  const [name = "", ...rest] = wanted;
  if (!sameWord(baseName(all[0] ?? ""), baseName(name))) return false;
  let at = 1;
  for (const word of rest) {
    while (at < all.length && !sameWord(all[at] ?? "", word) && isOptionAt(all, at)) at += 1;
    if (!sameWord(all[at] ?? "", word)) return false;
    at += 1;
  }
  return true;
}

function isOptionAt(all: readonly string[], at: number): boolean {
  return all[at]?.startsWith("-") === true || (at > 1 && all[at - 1]?.startsWith("-") === true);
}

/** A `*` in a word of a rule stands for anything. */
function sameWord(word: string, wanted: string): boolean {
  if (!wanted.includes("*")) return word === wanted;
  const pieces = wanted.split("*").map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pieces.join(".*")}$`).test(word);
}
