/** What a grammar cannot say: programs in arguments, and combinations of options. */

import { isSecret } from "../path/protected.ts";
import { mayBeOption, unknownArgument } from "../read/argument.ts";
import { isSecretName } from "../read/expansion.ts";
import type { Argument, Call } from "../state.ts";
import { isHarmlessAwk } from "./awk.ts";
import { demandSpelling, refuse, refuseHazard, takePath, takeText, warn } from "./call.ts";
import { judgeKubernetes, judgeOpenFiles, judgeSockets, judgeUpload } from "./machines.ts";
import { givenOption, operandsOf, type Parsed, valueText } from "./options.ts";
import { readSedScript } from "./sed.ts";

/** A look at a command after its grammar was read. */
export type Afterwards = (call: Call, parsed: Parsed) => void;

/** By command name, or name and sub-command. */
export const afterwards: Readonly<Record<string, Afterwards>> = {
  sed: judgeSed,
  awk: (call, parsed) => {
    const [index] = parsed.operands;
    const program = index === undefined ? undefined : call.args[index];
    if (index === undefined || givenOption(parsed, ["f", "file"]) !== undefined) return;
    if (program?.text === undefined || !isHarmlessAwk(program.text)) refuseHazard(call, "operand", index);
  },
  jq: judgeFilter,
  yq: judgeFilter,
  ps: (call) => {
    call.args.forEach((argument, index) => {
      const isBsd = !argument.prefix.startsWith("-") && !call.args[index - 1]?.prefix.startsWith("-");
      if (isBsd ? /^[a-zA-Z]*e[a-zA-Z]*$/.test(argument.prefix) : /^-[a-zA-Z]*E/.test(argument.prefix))
        warn(call, "dangers", "secret", argument);
    });
  },
  printenv: (call, parsed) => {
    if (parsed.operands.length === 0) warn(call, "dangers", "secret");
    for (const argument of operandsOf(call, parsed)) {
      if (argument.text === undefined || isSecretName(call.scan, argument.text))
        warn(call, "dangers", "secret", argument);
    }
  },
  less: judgePager,
  more: judgePager,
  nm: judgeResponse,
  size: judgeResponse,
  objdump: judgeResponse,
  readelf: judgeResponse,
  strings: judgeResponse,
  lsof: judgeOpenFiles,
  ss: judgeSockets,
  man: (call) => {
    for (const argument of call.args) if (argument.shown.includes("/")) refuse(call, "operand", argument);
  },
  git: judgeGit,
  "git/blame": judgeBlame,
  "git/annotate": judgeBlame,
  "git/config": judgeGitConfig,
  "git/credential/fill": (call) => warn(call, "dangers", "secret"),
  "git/push": (call, parsed) => {
    for (const index of parsed.operands)
      if (/^[+:]/.test(call.args[index]?.prefix ?? "")) refuseHazard(call, "option", index);
  },
  "kubectl/get": judgeKubernetes,
  "kubectl/describe": judgeKubernetes,
  curl: judgeUpload,
  wget: judgeUpload,
  dd: (call) => {
    for (const argument of call.args) {
      const [, key, path] = /^(if|of)=(.*)$/s.exec(argument.text ?? "") ?? [];
      if (path !== undefined) takeText(call, argument, path, key === "if" ? "read" : "write");
    }
  },
};

/** A file behind `@` brings more options, one of which loads a library. */
function judgeResponse(call: Call, parsed: Parsed): void {
  for (const index of parsed.operands) {
    const argument = call.args[index];
    if (argument?.prefix.startsWith("@")) refuseHazard(call, "operand", index);
  }
}

/** What stands behind a plus is typed into the pager, which runs programs; a number of a line is harmless. */
function judgePager(call: Call): void {
  for (const argument of call.args) {
    if (argument.prefix.startsWith("+") && !/^\+\d*[gG]?$/.test(argument.text ?? "")) refuse(call, "option", argument);
  }
}

function judgeSed(call: Call, parsed: Parsed): void {
  const operands = operandsOf(call, parsed);
  const scripts: (Argument | undefined)[] = [];
  const texts: (string | undefined)[] = [];
  for (const { name, value, index } of parsed.options) {
    if (name !== "e" && name !== "expression") continue;
    scripts.push(typeof value === "string" ? call.args[index] : value);
    texts.push(valueText(value));
  }
  if (scripts.length === 0 && givenOption(parsed, ["f", "file"]) === undefined) {
    scripts.push(operands.shift());
    texts.push(scripts[0]?.text);
  }
  const suffix = givenOption(parsed, ["i", "in-place"]);
  const inPlace = suffix !== undefined;
  // The grammar took them for files that are only read.
  const { paths } = call.scan.result;
  if (inPlace) while (paths.length > 0 && paths[paths.length - 1]?.unit === call.at) paths.pop();
  const [first] = scripts;
  const known = texts.every((text) => text !== undefined);
  const script = known ? readSedScript(texts.join("\n")) : undefined;
  if (first !== undefined && !script?.harmless) {
    refuseHazard(call, "operand", call.args.indexOf(first));
    demandSpelling(call, Number.POSITIVE_INFINITY);
    if (known || first.computed) warn(call, "dangers", "sed-script", first);
  }
  for (const path of script?.reads ?? []) if (first !== undefined) takeText(call, first, path, "read");
  if (inPlace) for (const argument of operands) takePath(call, argument, "write");
  // The old file is kept under a name that may lie anywhere: `-i'../*'`.
  const place = suffix === undefined ? undefined : call.args[suffix.index];
  if (place !== undefined && (place.text === undefined || valueText(suffix?.value)?.includes("/"))) {
    takePath(call, unknownArgument(place.start, place.end, { shown: place.shown }), "write");
  }
}

/** `jq` and `yq` can print the environment, and read files that their program or an option names. */
function judgeFilter(call: Call, parsed: Parsed): void {
  const [program] = operandsOf(call, parsed);
  if (program !== undefined && program.text === undefined) warn(call, "dangers", "secret", program);
  // With a sub-command the program stands behind it.
  for (const index of parsed.operands) {
    const { text } = call.args[index] ?? {};
    if (text === undefined) continue;
    if (printsEnvironment(text)) warn(call, "dangers", "secret", call.args[index]);
    if (readsMore.test(text)) refuseHazard(call, "operand", index);
  }
  for (const { name, index } of parsed.options) {
    const file = /^(slurp|raw)file$/.test(name) ? call.args[index + 2] : undefined;
    if (file !== undefined) takePath(call, file, "read");
  }
}

/** What reads files in a program, or text as a program. */
const readsMore = /\b(import|include|load\w*\s*\(|eval\s*\()/;

/**
 * Looks at what every sub-command of `gh` can be given: a filter can print the environment, with its tokens, and the
 * name of a repository can lead to another host, which is sent one.
 */
export function judgeGhArguments(call: Call, parsed: Parsed): void {
  for (const argument of operandsOf(call, parsed)) {
    if (/^\w+:\/\/(?!github\.com\/)/.test(argument.prefix)) refuse(call, "operand", argument);
  }
  for (const { name, value, index } of parsed.options) {
    const text = valueText(value);
    if ((name === "R" || name === "repo") && !/^[\w.-]+\/[\w.-]+$/.test(text ?? ""))
      refuseHazard(call, "option", index);
    if (name !== "q" && name !== "jq") continue;
    if (text === undefined || printsEnvironment(text)) warn(call, "dangers", "secret", call.args[index]);
  }
}

function printsEnvironment(program: string): boolean {
  return /\benv\b|\$ENV|strenv|envsubst/.test(program);
}

function judgeGit(call: Call, parsed: Parsed): void {
  const harmless =
    /^(color\.[\w.]+|core\.(quotepath|abbrev)|advice\.\w+|column\.\w+|log\.(date|decorate)|diff\.(noprefix|renames|algorithm))=[\w#-]*$|^(core\.pager|pager\.\w+)=(cat|false)?$/i;
  for (const { name, value, index } of parsed.options) {
    const argument = typeof value === "string" ? call.args[index] : value;
    const text = valueText(value);
    if (name === "c" && (text === undefined || !harmless.test(text))) refuseHazard(call, "option", index + 1, text);
    if (name !== "C" || argument === undefined) continue;
    demandSpelling(call, index + 1);
    if (typeof value === "string") takeText(call, argument, value, "enter");
    else takePath(call, argument, "enter");
    const { scan } = call;
    const inside = scan.result.paths[scan.result.paths.length - 1]?.inside;
    if (!inside) refuseHazard(call, "foreign-directory", index + 1);
  }
}

/** Looks at the arguments that every git sub-command has in common. */
export function judgeGitArguments(call: Call): void {
  const { args } = call;
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index];
    if (argument === undefined || !/[%:]/.test(argument.shown)) continue;
    const { shown } = argument;
    // `HEAD:.env`
    if (!shown.startsWith("-") && isSecret(shown.slice(shown.indexOf(":") + 1)))
      warn(call, "dangers", "secret", argument, shown);
    // These placeholders run a program that checks signatures.
    if (/%G|%\(signature/.test(shown)) refuseHazard(call, "option", index);
    if (!/\b(ext|fd)::/.test(shown)) continue;
    refuseHazard(call, "runs-code", index);
    demandSpelling(call, Number.POSITIVE_INFINITY);
  }
}

/** Behind `--` and a path, `git blame` takes options again. */
function judgeBlame(call: Call): void {
  const end = call.args.findIndex(({ text }) => text === "--");
  if (end < 0) return;
  call.args.forEach((argument, index) => {
    if (index > end && mayBeOption(argument)) refuseHazard(call, "dynamic-option", index);
  });
}

function judgeGitConfig(call: Call, parsed: Parsed): void {
  const [first, ...more] = operandsOf(call, parsed);
  const word = first?.text ?? "";
  const reads = givenOption(parsed, gitConfigReads) !== undefined || word === "list" || word === "get";
  // Behind the name, what looks like an option is a value to some versions.
  const isPlain = !more.some(({ prefix }) => prefix.startsWith("-"));
  if (isPlain && (reads || (more.length === 0 && word.includes(".")))) return;
  refuse(call, "changes");
  demandSpelling(call, (parsed.operands[0] ?? 0) + (word === "set" ? 1 : 0));
}

const gitConfigReads = ["get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "list", "l"];
