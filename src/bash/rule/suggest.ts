/** Rules that would make a question unnecessary next time. */

import { entryOf } from "../command/table.ts";
import type { BashAnalysis, Unit } from "../types.ts";
import { covers, needyUnits } from "./match.ts";
import { readRule } from "./rule.ts";
import { signature } from "./signature.ts";

/** The most rules that are offered for one line, and the longest exact one. */
const MAX_RULES = 10;
const MAX_LENGTH = 300;

/**
 * Suggests allow rules for what a command line needs: all of them together, or none.
 *
 * A sub-command becomes `git commit:*`; files, interpreters and whatever goes beyond the ordinary use of a name are
 * offered word for word only; wrappers never. There is nothing to suggest where no rule would help, because the line
 * cannot be read or is dangerous.
 *
 * @param analysis The reading of the command line.
 * @param covered What allow rules say that are in force already.
 * @returns What the rules should say.
 */
export function suggestBashRules(analysis: BashAnalysis, covered: readonly string[] = []): string[] {
  if (analysis.errors.length > 0 || analysis.injection.length > 0 || analysis.dangers.length > 0) return [];
  const inForce = covered.map(readRule);
  const contents: string[] = [];
  for (const unit of needyUnits(analysis)) {
    if (inForce.some((rule) => covers(rule, unit))) continue;
    if (contents.some((content) => covers(readRule(content), unit))) continue;
    const content = suggestForUnit(unit);
    if (content === undefined || contents.length >= MAX_RULES) return [];
    contents.push(content);
  }
  return contents;
}

function suggestForUnit(unit: Unit): string | undefined {
  // A value that is set for one run may be a secret, and does not belong into a rule.
  if (unit.reasons.some((reason) => reason.code === "environment")) return undefined;
  const start = [0, ...unit.peeled].filter((index) => index <= unit.open).pop() ?? 0;
  const broad = suggestPrefix(unit, start);
  if (broad !== undefined && covers(readRule(broad), unit)) return broad;
  return suggestExact(unit, start) ?? suggestExact(unit, 0);
}

function suggestPrefix(unit: Unit, start: number): string | undefined {
  const words = unit.words.slice(start, start + 3).map((word) => word.text);
  const [head, sub, module] = words;
  if (head === undefined || sub === undefined || !/^[\w./@-]+$/.test(head)) return undefined;
  const kind = entryOf(head.replace(/[\d.]+$/, ""))?.source.charAt(0) ?? "";
  if (kind === "I" && sub === "-m" && module !== undefined && /^[\w.]+$/.test(module)) return `${head} -m ${module}:*`;
  const isTool =
    kind === "" || kind === "*" || kind === "^" || /^(npm|deno|bun|make|gmake|just|rake|ant|mvn|gradle)$/.test(head);
  return isTool && /^[a-z][\w:-]*$/i.test(sub) ? `${head} ${sub}:*` : undefined;
}

function suggestExact(unit: Unit, start: number): string | undefined {
  const words = unit.words.slice(start);
  if (words.length === 0 || words.some((word) => word.text === undefined && !/^[\w*?./@%+=:,~^!-]+$/.test(word.shown)))
    return undefined;
  const redirects = unit.redirects.map(({ operator, target }) =>
    target === undefined ? "\n" : `${operator} ${quote(target)}`,
  );
  const front = start === 0 ? unit.assignments.map(({ name, value }) => `${name}=${quote(value ?? "\n")}`) : [];
  const text = [
    ...front,
    ...words.map((word) => (word.text === undefined ? word.shown : quote(word.text))),
    ...redirects,
  ].join(" ");
  if (text.length > MAX_LENGTH || text.includes("\n")) return undefined;
  const content = text.replace(/[\\*]/g, "\\$&");
  const rule = readRule(content);
  return rule.single && rule.signature === signature(unit, start) && covers(rule, unit) ? content : undefined;
}

function quote(text: string): string {
  return /^[\w@%+=:,./~^-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
