/** Finds rules that do nothing, or allow more than anybody means. */

import { analyzeBash } from "../analyze.ts";
import { entryOf } from "../command/table.ts";
import { type BashRule, readRule } from "./rule.ts";

/** A problem of a rule. */
export interface BashRuleProblem {
  /** `inert`: it can never match. `broad`: as an allow rule it allows nearly anything. `needless`: it changes nothing. */
  code: "inert" | "broad" | "needless";
  /** A sentence for people. */
  message: string;
}

/**
 * Looks for problems of a rule.
 *
 * @param content What the rule says.
 * @returns The problems; empty for a rule that does what it seems to do.
 */
export function lintBashRule(content: string): BashRuleProblem[] {
  const text = content.trim();
  if (text === "") return [];
  const rule = readRule(content);
  const [head] = rule.words;
  if (rule.kind !== "exact" && head === undefined) {
    return [{ code: "broad", message: "This covers every command. Name a command in front of the wildcard." }];
  }
  const problems: BashRuleProblem[] = [];
  const bare = text.replace(/:\*$/, "");
  const analysis = analyzeBash(rule.kind === "exact" ? rule.text : bare.replaceAll("*", "x"));
  if (analysis.errors.length > 0)
    inert(problems, "No shell reads this as a command, so it never matches. Check its quotes.");
  else if (rule.kind !== "exact" && analysis.units.some(({ start }) => start >= (analysis.units[0]?.end ?? 0))) {
    inert(
      problems,
      "Rules are compared with one simple command at a time, so a rule over several never matches. Split it.",
    );
  } else if (rule.kind === "prefix" && /(?<!\\)\*/.test(bare)) {
    inert(problems, "In front of :* a star stands for itself. Use either :* or wildcards.");
  } else if (
    rule.kind !== "exact" &&
    analysis.units.some((unit) => unit.redirects.length > 0 || unit.assignments.length > 0)
  ) {
    inert(problems, "A redirection or an assignment is never covered by a wildcard. Write the whole command.");
  }
  if (head !== undefined && problems.length === 0) lintHead(problems, rule, head);
  return problems;
}

function lintHead(problems: BashRuleProblem[], rule: BashRule, head: string): void {
  const kind = entryOf(head.replace(/^.*\//, "").replace(/(?<=\w)(\.\w+|[\d.]+)$/, ""))?.source.charAt(0) ?? "";
  if (rule.kind === "exact") return;
  const alone = rule.words.length === 1 && (rule.kind === "prefix" || /^\S+ ?\*$/.test(rule.text));
  const second = rule.words[1] ?? "";
  if (kind !== "" && "TPOX".includes(kind) && alone) {
    inert(problems, `${head} runs another command, and an allow rule has to name that one. Write a rule for it.`);
  } else if (
    (kind === "S" || kind === "I") &&
    (alone || (rule.words.length < 3 && /^-[a-z]*[cem]$|^--(eval|command|print)$/.test(second)))
  ) {
    problems.push({
      code: "broad",
      message: `${head} runs any code. Name a script or module, or write the whole command.`,
    });
  } else if (
    alone &&
    /^(rm|curl|wget|git|docker|kubectl|npm|ssh|dd|chmod|chown|mv|cp|tee|kill|systemctl|make|gh)$/.test(head)
  ) {
    problems.push({ code: "broad", message: `This allows whatever ${head} can do. Add a sub-command or an option.` });
  } else if (alone && kind === "R" && analyzeBash(head).readOnly) {
    problems.push({
      code: "needless",
      message: `${head} may run without a question as long as it only reads inside of the workspace.`,
    });
  }
}

function inert(problems: BashRuleProblem[], message: string): void {
  problems.push({ code: "inert", message });
}
