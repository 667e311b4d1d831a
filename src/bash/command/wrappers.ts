/** Looks through wrappers: which command stands behind them, and what they add. */

import { unknownArgument } from "../read/argument.ts";
import { isHarmlessVariable } from "../read/variables.ts";
import type { Call } from "../state.ts";
import { demandSpelling, refuse, refuseHazard, warn } from "./call.ts";
import type { Grammar } from "./grammar.ts";
import { nestText } from "./nested-text.ts";
import { givenOption, type Parsed, readOptions, valueText } from "./options.ts";

/** Judges a wrapper with the command behind it. */
export function judgeWrapper(call: Call, grammar: Grammar): void {
  const { name } = call;
  if (name === "command" && /^-[vV]+$/.test(call.args[0]?.text ?? "")) return;
  if (name === "exec" && call.args.length === 0) {
    // A shell that reads its commands from there would run what comes.
    if (call.unit.redirects.some(({ operator }) => operator.startsWith("<"))) refuse(call, "shell-state");
    return;
  }
  const parsed = readOptions(call, grammar);
  if (name === "env") judgeEnv(call, parsed);
  else if (name === "xargs") judgeXargs(call, parsed);
  else judgeInner(call, parsed);
}

function judgeInner(call: Call, parsed: Parsed): void {
  const { type, skip } = parsed.grammar;
  const [inner] = skipAssignments(call, parsed.operands.slice(skip));
  // A word that may fall apart would move the command.
  if (parsed.operands.slice(0, skip).some((index) => call.args[index]?.many))
    warn(call, "injection", "dynamic-command");
  if (type === "P") refuse(call, "launcher");
  if (type === "O") {
    refuse(call, /^(sudo|doas|pkexec|runuser|chroot)$/.test(call.name) ? "privilege" : "launcher");
    if (/^(-|noglob|nocorrect|repeat)$/.test(call.name)) warn(call, "injection", "zsh");
    call.unit.open = Math.min(call.unit.open, call.offset - 1);
    demandSpelling(call, inner ?? 0);
  }
  // The command of `flock` and `npx` may be text for a shell.
  const takesText = /^(flock|npx|bunx|pnpx)$/.test(call.name);
  const isText = /^(-c|--command)$/.test(call.args[inner ?? -1]?.text ?? "") || givenOption(parsed, ["c", "call"]);
  if (takesText && isText) nestText(call, call.args.slice(-1), "new");
  else if (inner === undefined) refuse(call, "launcher");
  else call.scan.walkers.peel(call, inner);
}

function judgeEnv(call: Call, parsed: Parsed): void {
  const split = givenOption(parsed, ["S", "split-string"])?.value;
  const text = valueText(split);
  if (text !== undefined) {
    const last = call.args.slice(1).map((argument) => argument.text ?? "");
    const words = typeof split === "string" ? [text, ...last] : last;
    nestText(call, [{ ...unknownArgument(call.unit.start, call.unit.end, {}), text: words.join(" ") }], "new");
    return;
  }
  const [inner] = skipAssignments(call, parsed.operands);
  if (inner !== undefined) call.scan.walkers.peel(call, inner);
  else warn(call, "dangers", "secret");
}

/** `xargs` adds what comes in on standard input to its command. */
function judgeXargs(call: Call, parsed: Parsed): void {
  const [inner] = parsed.operands;
  if (inner === undefined) return;
  const { names } = call.scan.input;
  const trusted = names && givenOption(parsed, ["a", "arg-file"]) === undefined;
  const added = { names: trusted, computed: !trusted };
  const replaced = replacedText(parsed);
  const args = call.args.slice(inner).map((argument) => {
    if (replaced === undefined || !argument.text?.includes(replaced)) return argument;
    const prefix = argument.text.slice(0, argument.text.indexOf(replaced));
    const whole = argument.text === replaced;
    return { ...argument, ...added, names: added.names && whole, text: undefined, prefix, tail: "" };
  });
  if (replaced === undefined) args.push(unknownArgument(call.unit.start, call.unit.end, { ...added, shown: "…" }));
  call.scan.walkers.peel(call, inner, args);
}

function replacedText(parsed: Parsed): string | undefined {
  const option = givenOption(parsed, ["I", "i", "replace"]);
  return option === undefined ? undefined : valueText(option.value) || "{}";
}

/** `watch`, `script` and `su` give text to a shell. */
export function judgeText(call: Call): void {
  refuse(call, call.name === "su" ? "privilege" : "launcher");
  demandSpelling(call, call.args.length - 1);
  const { args, name } = call;
  const at = args.findIndex((argument) => /^-\w*c$|^--command$/.test(argument.text ?? ""));
  if (name !== "watch") {
    const attached = args.find((argument) => argument.text?.startsWith("--command="));
    if (attached?.text !== undefined) nestText(call, [{ ...attached, text: attached.text.slice(10) }], "new");
    else if (at >= 0) nestText(call, args.slice(at + 1, at + 2), "new");
    return;
  }
  const first = args.findIndex(
    (argument, index) =>
      !argument.prefix.startsWith("-") && !/^-(n|q|-interval|-equexit)$/.test(args[index - 1]?.text ?? ""),
  );
  if (first >= 0) nestText(call, args.slice(first), "new");
}

function skipAssignments(call: Call, operands: readonly number[]): readonly number[] {
  if (!/^(env|sudo|doas|faketime|cross-env)$/.test(call.name)) return operands;
  let skipped = 0;
  for (const index of operands) {
    const argument = call.args[index];
    const [, name, value] = /^(\w+)=(.*)$/s.exec(argument?.text ?? argument?.prefix ?? "") ?? [];
    if (name === undefined) break;
    skipped += 1;
    if (isHarmlessVariable(name, argument?.text === undefined ? undefined : value) && !argument?.many) continue;
    refuseHazard(call, "environment", index, name);
    demandSpelling(call, Number.POSITIVE_INFINITY);
  }
  return operands.slice(skipped);
}
