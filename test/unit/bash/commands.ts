/** Makes command lines at random, from the grammar of the shell. */

import type { Random } from "../property.ts";

const letters = [..." \n\t;&|<>(){}[]$`'\"\\*?~!#=-+.,/:@%^a1xX_"];
const pieces = [
  " ",
  "$(",
  "${",
  "<<E\n",
  "\nE\n",
  "$((",
  "))",
  "[[ ",
  " ]]",
  "ls ",
  "rm x",
  "if ",
  "then ",
  "fi ",
  "do ",
  "done ",
  "case ",
  "esac ",
  "é",
  "\u200b",
  "\u00a0",
] as const;
/** What a line is made of. */
export interface Ingredients {
  /** Simple commands that go where a command is expected. */
  readonly simple: readonly [string, ...string[]];
}

const words = [
  "a.txt",
  "src",
  "'a b'",
  '"x"',
  "*.ts",
  "./*",
  "$X",
  '"$X"',
  "-n",
  "--",
  "{a,b}",
  "~",
  "\\$",
  "$'a'",
] as const;

/** Makes a line in which `simple` commands stand in all kinds of places. */
export function randomLine(random: Random, ingredients: Ingredients, depth = 3): string {
  const simple = (): string => random.pick(ingredients.simple);
  if (depth <= 0 || random.once(4)) return simple();
  const inner = (): string => randomLine(random, ingredients, depth - 1);
  const text = (): string => inner().replaceAll("'", "'\\''");
  const make = random.pick([
    () => `${inner()}; ${inner()}`,
    () => `${inner()} && ${inner()}`,
    () => `${inner()} || ${inner()}`,
    () => `${inner()} | ${inner()}`,
    () => `${inner()}\n${inner()}`,
    () => `( ${inner()} )`,
    () => `{ ${inner()}; }`,
    () => `{ ! ${inner()}; }`,
    () => `if ${inner()}; then ${inner()}; else ${inner()}; fi`,
    () => `while ${inner()}; do ${inner()}; done`,
    () => `for f in a b; do ${inner()}; done`,
    () => `case a in a) ${inner()};; *) ${inner()};; esac`,
    () => `echo "$( ${inner()} )"`,
    () => `cat <( ${inner()} )`,
    () => `eval '${text()}'`,
    () => `sh -c '${text()}'`,
    () => `trap '${text()}' EXIT`,
    () => `timeout 5 sh -c '${text()}'`,
    () => `f() { ${inner()}; }`,
    () => `{ cat <<E${depth}\n$( ${inner()} )\nE${depth}\n}`,
    () => `x=$( ${inner()} )`,
    () => `[[ -n $( ${inner()} ) ]]`,
  ] as const);
  return make();
}

/** Makes a simple command out of a name and words that may be anything. */
export function randomCommand(random: Random, names: readonly [string, ...string[]]): string {
  const count = random.below(4);
  return [random.pick(names), ...Array.from({ length: count }, () => random.pick(words))].join(" ");
}

/** Writes a word in another way that the shell reads alike. */
export function requote(random: Random, word: string): string {
  return random.pick([
    () => `'${word.replaceAll("'", "'\\''")}'`,
    () => `"${word.replace(/[\\"$`]/g, "\\$&")}"`,
    () => [...word].map((letter) => (letter === "\n" ? "'\n'" : `\\${letter}`)).join(""),
    () => `${word.charAt(0)}''${word.slice(1)}`,
    () => `$'${[...word].map((letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`).join("")}'`,
  ] as const)();
}

/** A character, or a piece of the grammar. */
function randomPiece(random: Random): string {
  return random.once(3) ? random.pick(pieces) : (letters[random.below(letters.length)] ?? " ");
}

/** Makes a line out of anything, or of a known one with a few characters changed. */
export function randomText(random: Random, known: readonly string[]): string {
  if (random.once(2)) return Array.from({ length: random.below(40) }, () => randomPiece(random)).join("");
  let line = known[random.below(known.length)] ?? "";
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const at = random.below(line.length + 1);
    line = line.slice(0, at) + (random.once(3) ? "" : randomPiece(random)) + line.slice(at + random.below(3));
  }
  return line;
}
