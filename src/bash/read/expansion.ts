/** Expansions inside words: what they may turn into. */

import type {
  ArithmeticExpansionPart,
  CommandExpansionPart,
  ParameterExpansionPart,
  SimpleExpansionPart,
} from "unbash";
import { noteAt, walkNested } from "../scan.ts";
import type { Scan, Value } from "../state.ts";
import { addValue, type Draft, isEmpty, unknown } from "./draft.ts";
import { checkExpression, checkParameter, isEveryElement } from "./evaluate.ts";
import { lookUp } from "./variables.ts";

/** An expansion that can stand in quotes. */
export type Expansion = SimpleExpansionPart | ParameterExpansionPart | CommandExpansionPart | ArithmeticExpansionPart;

const secretName =
  /(^|_)(API_?KEY|\w*KEY|\w*TOKEN|SECRETS?|\w*PASSW(OR)?D|PASS|PASSPHRASE|PWD_\w+|CREDENTIALS?|AUTH|COOKIES?|PAT|DSN)(_|$)|^DATABASE_URL$/;

/** Adds an expansion to a word. */
export function addExpansion(scan: Scan, draft: Draft, part: Expansion, quoted: boolean): void {
  switch (part.type) {
    case "SimpleExpansion":
      // A line may go on between the dollar and the name.
      addVariable(scan, draft, part.text.replace(/\\\n/g, "").slice(1), quoted);
      return;
    case "ParameterExpansion":
      checkParameter(scan, part);
      addParameter(scan, draft, part, quoted);
      return;
    case "CommandExpansion":
      addCommand(scan, draft, part, quoted);
      return;
    case "ArithmeticExpansion":
      checkExpression(scan, part.expression, part);
      draft.digits = isEmpty(draft);
      unknown(draft, false);
  }
}

function addVariable(scan: Scan, draft: Draft, name: string, quoted: boolean): void {
  const value = lookUp(scan, name);
  if (value === undefined && isSecretName(scan, name)) draft.secret = name;
  addValue(draft, value, quoted && name !== "@");
}

/** Tells whether the environment may hold a secret under a name that the line itself does not set. */
export function isSecretName(scan: Scan, name: string): boolean {
  return secretName.test(name) && !scan.others.has(name) && !scan.numbers.has(name);
}

function addCommand(scan: Scan, draft: Draft, part: CommandExpansionPart, quoted: boolean): void {
  const whole = isEmpty(draft);
  const nested = walkNested(scan, part.script, part);
  draft.computed = true;
  if (!nested.readOnly) noteAt(scan, "injection", "substitution", part);
  unknown(draft, !quoted);
  if (whole && nested.names) draft.names = true;
  if (whole && nested.digits) draft.digits = true;
}

function addParameter(scan: Scan, draft: Draft, part: ParameterExpansionPart, quoted: boolean): void {
  const { parameter, prefix, index, operation } = part;
  if (prefix === "#") {
    addValue(draft, { digits: true }, quoted);
    return;
  }
  if (prefix === undefined && index === undefined && operation === undefined) {
    addVariable(scan, draft, parameter, quoted);
    return;
  }
  if (isSecretName(scan, parameter) && operation?.type !== "Names") draft.secret = parameter;
  // Substitutions in an operand can become all of the word.
  if (operation !== undefined && /\$\(|`|\$\{[ |]/.test(part.text)) draft.computed = true;
  addValue(draft, fallback(scan, part), quoted && !isEveryElement(part) && parameter !== "@");
}

/** A number, or digits where it is not set, stays a number. */
function fallback(scan: Scan, { parameter, operation, prefix }: ParameterExpansionPart): Value | undefined {
  if (operation?.type !== "Default" || prefix !== undefined || !/^:?-$/.test(operation.operator)) return undefined;
  const value = lookUp(scan, parameter);
  return value?.digits && /^\d+$/.test(operation.operand.text) ? value : undefined;
}
