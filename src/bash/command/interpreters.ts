/** Shells, interpreters and editors: whether the code they run can be seen. */

import { unknownArgument } from "../read/argument.ts";
import type { Call } from "../state.ts";
import { demandSpelling, refuse, refuseHazard, takePath, warn } from "./call.ts";
import { nestText, runText } from "./nested-text.ts";

/** Judges a shell: what `-c` or a here-document brings is read, anything else is code that cannot be seen. */
export function judgeShell(call: Call): void {
  const { args, scan } = call;
  let hasCode = false;
  let index = 0;
  for (; index < args.length; index += 1) {
    const text = args[index]?.text;
    if (text === undefined || text === "--" || text === "-" || !/^[-+]./.test(text)) break;
    if (/^[-+][euxvfCEpB]*c?[euxvfCEpB]*$/.test(text)) hasCode ||= text.startsWith("-") && text.includes("c");
    else if (/^[-+][eux]*o$/.test(text)) index += 1;
    else {
      // Start-up files are read, or options are not known.
      refuseHazard(call, "option", index);
      hasCode ||= /^-\w*c/.test(text);
    }
  }
  if (/^-?-$/.test(args[index]?.text ?? "")) index += 1;
  const first = args[index];
  if (hasCode) {
    if (first === undefined) return;
    demandSpelling(call, index);
    nestText(call, [first], "new");
  } else if (first !== undefined) {
    refuseHazard(call, "runs-code", index);
    takePath(call, first, "read");
  } else judgeInput(call, scan.input.text, true);
}

/** Judges a program that runs code it is given; a rule has to name at least the file or module. */
export function judgeInterpreter(call: Call, readsInput: boolean): void {
  const { args } = call;
  refuse(call, "runs-code");
  const code = args.findIndex((argument) =>
    /^-[cemEpr]$|^--(eval|print|command|execute|require|import|loader)$/.test(argument.text ?? ""),
  );
  const file = args.findIndex((argument) => !argument.prefix.startsWith("-"));
  if (readsInput && args.every((argument) => argument.text === "-")) judgeInput(call, undefined, false);
  demandSpelling(call, code >= 0 ? code + 1 : file >= 0 ? file : Math.max(0, args.length - 1));
  for (const argument of args) if (argument.computed) warn(call, "injection", "substitution", argument);
}

/** Judges code that comes in on standard input. */
function judgeInput(call: Call, text: string | undefined, isShell: boolean): void {
  const { scan, unit } = call;
  if (isShell && text !== undefined) {
    runText(call, text, "new", unknownArgument(unit.start, unit.end, {}));
    return;
  }
  refuse(call, "runs-code");
  demandSpelling(call, Number.POSITIVE_INFINITY);
  if (scan.input.connected) warn(call, "injection", "input-code");
}
