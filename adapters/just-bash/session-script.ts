/**
 * Carries a session through a shell that forgets everything: statements before a script put its state back, statements
 * after it (and before each `exit` of the shell itself) read the state off.
 *
 * Exported and plain variables are given to just-bash as such; arrays, attributes and functions need the statements.
 * What is read off: the variables, `declare -p` for exports and attributes, `declare -F` for functions, and the elements
 * of every array as arguments of a hidden command, so no value is ever quoted and parsed on the way out.
 */

import type { Device } from "./layout.ts";
import { type ArrayValue, isKept, type SessionState } from "./session-state.ts";

/** Names nobody can guess, so no script meets them. */
export interface HiddenNames {
  /** The command that takes the state. */
  command: string;
  /** The device that takes `declare -p`. */
  declarations: string;
  /** The device that takes `declare -F`. */
  functionNames: string;
}

/** What was read off at the end of a script. */
export interface Reading {
  /** The exit code the script had, before anything was read off. */
  code: number;
  cwd: string;
  variables: Record<string, string>;
  /** Letters of `declare` by name, `x` among them. */
  letters: Map<string, string>;
  arrays: Record<string, ArrayValue>;
  functionNames: Set<string>;
}

/** What a hidden command sees. */
export interface HiddenContext {
  env: ReadonlyMap<string, string>;
  cwd: string;
}

/** Takes the state of a session; one for each command line. */
export interface StateReader {
  /** The hidden command. */
  command(args: readonly string[], context: HiddenContext): Answer;
  devices: ReadonlyMap<string, Device>;
  /** The last complete reading; undefined when the script did not get that far. */
  reading(): Reading | undefined;
}

/** Writes the statements that define the arrays, attributes and aliases of a session again. */
export function restoringSource(state: SessionState): string {
  const lines: string[] = [];
  for (const [name, { associative, entries }] of Object.entries(state.arrays)) {
    lines.push(`declare -${associative ? "A" : "a"} ${name}`);
    for (const [key, value] of entries) lines.push(...assignment(name, associative, key, value));
  }
  for (const [name, letters] of Object.entries(state.attributes)) {
    const target = letters.includes("n") ? `=${quote(state.variables[name] ?? "")}` : "";
    lines.push(`declare -${letters} ${name}${target}`);
  }
  if (Object.keys(state.variables).some((name) => name.startsWith("BASH_ALIAS_")))
    lines.push("shopt -s expand_aliases");
  return lines.join("\n");
}

/** Writes the statements that let `cd -` lead where it led before; just-bash remembers that place by itself only. */
export function returningSource({ cwd, variables: { OLDPWD: before = cwd } }: SessionState): string {
  return `cd -- ${quote(before)} 2>>/dev/null; cd -- ${quote(cwd)} 2>>/dev/null`;
}

/** Writes the statements that read the state off. */
export function readingSource({ command, declarations, functionNames }: HiddenNames): string {
  const quiet = "2>>/dev/null";
  return [
    `${command} start "$?" ${quiet}`,
    `set +eux ${quiet}`,
    `declare -p >>${declarations} ${quiet}`,
    `declare -F >>${functionNames} ${quiet}`,
    `eval "$(${command} list)" ${quiet}`,
    `${command} finish ${quiet}`,
  ].join("\n");
}

/** What the hidden command answers. */
interface Answer {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Makes the reader that belongs to {@link readingSource}. */
export function createStateReader(names: HiddenNames): StateReader {
  let draft: Reading | undefined;
  let complete: Reading | undefined;
  const text = { declarations: "", functionNames: "" };
  const device = (name: keyof typeof text): Device => ({
    read: () => new Uint8Array(0),
    write: (bytes) => {
      text[name] += new TextDecoder().decode(bytes);
    },
  });
  const steps: Record<string, (args: readonly string[], context: HiddenContext) => Answer> = {
    start: (args, context) => {
      text.declarations = "";
      text.functionNames = "";
      draft = startReading(args, context);
      return answer();
    },
    list: () => {
      if (draft === undefined) return answer();
      draft.letters = readLetters(text.declarations);
      draft.functionNames = new Set(text.functionNames.split("\n").map((line) => line.split(" ").pop() ?? ""));
      return answer(0, askForArrays(names.command, draft.letters));
    },
    array: ([name = "", ...elements]) => {
      if (draft === undefined) return answer();
      draft.arrays[name] = { associative: draft.letters.get(name)?.includes("A") ?? false, entries: pairs(elements) };
      return answer();
    },
    finish: () => {
      complete = draft;
      return answer(complete?.code);
    },
  };
  return {
    command: ([step = "", ...args], context) => steps[step]?.(args, context) ?? answer(),
    devices: new Map([
      [names.declarations, device("declarations")],
      [names.functionNames, device("functionNames")],
    ]),
    reading: () => complete,
  };
}

function answer(exitCode = 0, stdout = ""): Answer {
  return { stdout, stderr: "", exitCode };
}

function startReading([status, wanted]: readonly string[], { env, cwd }: HiddenContext): Reading {
  const code = wanted === undefined ? Number(status) : exitCode(wanted);
  const variables = Object.fromEntries([...env].filter(([name]) => isKept(name)));
  return { code, cwd, variables, letters: new Map(), arrays: {}, functionNames: new Set() };
}

/** Writes a statement for each array that hands its keys and values to the hidden command. */
function askForArrays(command: string, letters: ReadonlyMap<string, string>): string {
  const arrays = [...letters].filter(([name, flags]) => isKept(name) && /[aA]/.test(flags));
  return arrays.map(([name]) => `${command} array ${name} "\${!${name}[@]}" "\${${name}[@]}"`).join("\n");
}

/** Puts the keys of the first half with the values of the second. */
function pairs(elements: readonly string[]): [key: string, value: string][] {
  const half = elements.length / 2;
  return elements.slice(0, half).map((key, index) => [key, elements[half + index] ?? ""]);
}

/** Reads the lines of `declare -p`; lines within values do not look like one, or name nothing that is asked for. */
function readLetters(declared: string): Map<string, string> {
  const letters = new Map<string, string>();
  for (const line of declared.split("\n")) {
    const [, flags, name] = /^declare -([A-Za-z-]+) ([A-Za-z_][A-Za-z0-9_]*)(?:=|$)/.exec(line) ?? [];
    if (flags !== undefined && name !== undefined && !letters.has(name)) letters.set(name, flags.replaceAll("-", ""));
  }
  return letters;
}

/** Does what `exit` does with its argument. */
function exitCode(text: string): number {
  return /^[+-]?\d+$/.test(text) ? Number(text) & 255 : 2;
}

function assignment(name: string, associative: boolean, key: string, value: string): string[] {
  if (!associative) return [`${name}[${key}]=${quote(value)}`];
  if (/^[A-Za-z0-9_.:/ -]+$/.test(key)) return [`${name}['${key}']=${quote(value)}`];
  // just-bash takes other characters in a subscript only from a variable.
  return [`_key=${quote(key)}`, `${name}["$_key"]=${quote(value)}`, "unset _key"];
}

/** Quotes text so that it stays on one line. */
function quote(text: string): string {
  if (!control.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const octal = (one: string): string => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`;
  return `$'${text.replace(/['\\]/g, "\\$&").replace(everyControl, octal)}'`;
}

/** Control characters of ASCII. */
const control = /[^\P{Cc}\u0080-\u009f]/u;
const everyControl = new RegExp(control, "gu");
