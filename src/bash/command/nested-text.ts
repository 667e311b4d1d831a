/** Text that is run as a script: `eval`, `sh -c`, `trap`. */

import { knownArgument } from "../read/argument.ts";
import { forgetFunctions, forgetVariables, isolate, note } from "../scan.ts";
import type { Argument, Call } from "../state.ts";
import { refuse, warn } from "./call.ts";

/** The most that is read of the texts in a line, all together, in UTF-16 units. */
const MAX_NESTED_LENGTH = 131_072;

/**
 * Reads words, joined by spaces, as a script.
 *
 * @param scope `keep` where it runs in this very shell, `new` where another shell is started for it.
 */
export function nestText(call: Call, words: readonly Argument[], scope: "keep" | "new"): void {
  const [first] = words;
  const last = words[words.length - 1];
  if (first === undefined || last === undefined) return;
  if (words.some((word) => word.text === undefined)) {
    refuse(call, "runs-code", first);
    warn(call, "injection", "dynamic-code", first);
    return;
  }
  const text = words.map((word) => word.text).join(" ");
  runText(call, text, scope, knownArgument(text, first.start, last.end, true));
}

/** Reads a text as a script that belongs to a place. */
export function runText(call: Call, text: string, scope: "keep" | "new", place: Argument): void {
  const { scan } = call;
  const { shift, fixed, variables, functions } = scan;
  // Text in text in text is read again each time.
  scan.nestedLength += text.length;
  if (scan.nestedLength > MAX_NESTED_LENGTH) {
    note(scan, "errors", "too-complex", { start: 0, end: scan.root.length });
    return;
  }
  // In single quotes positions map one to one.
  const quoted = scan.fixed === undefined && place.end - place.start === text.length + 2;
  const plain = quoted && scan.root.slice(place.start + 1, place.end - 1) === text;
  if (plain) scan.shift = place.start + 1;
  else scan.fixed = fixed ?? [place.start, place.end];
  // For the same reason it may not go as deep as other nesting.
  scan.depth += 5;
  if (scope === "new") {
    forgetVariables(scan);
    forgetFunctions(scan);
    isolate(scan, () => scan.walkers.walkText(scan, text));
    scan.functions = functions;
    scan.variables = variables;
  } else scan.walkers.walkText(scan, text);
  scan.depth -= 5;
  scan.shift = shift;
  scan.fixed = fixed;
}
