/** One decision, step by step: deny rules, ask rules, reading, the tool's own check, allow rules, the mode. */

import { isRecord } from "../base/json.ts";
import type { PermissionMode, PermissionRule, RuleBehavior } from "../message/permission-data.ts";
import { MAX_TRACE_FINDINGS, type PermissionDecision, type PermissionFinding, type TraceStep } from "./decision.ts";
import type { PermissionCheck, PermissionSubject, ToolOpinion } from "./subject.ts";

/**
 * Decides over one call; see the table at `PermissionEngine`.
 *
 * @param tool The tool's facts.
 * @param input The model's own, validated input.
 * @param check Mode, rules and what the tool's functions may want to know.
 * @param confirmed Whether a person has confirmed this very call.
 */
export async function decide(
  tool: PermissionSubject,
  input: unknown,
  check: PermissionCheck,
  confirmed: boolean,
): Promise<PermissionDecision> {
  const { name } = tool;
  const { mode } = check;
  const draft: Draft = { tool, input, check, confirmed, trace: [] };

  // Most steps have nothing to wait for, and an await would cost more than the step.
  const denying = findRule(draft, "deny");
  const denied = denying instanceof Promise ? await denying : denying;
  if (denied !== undefined) return byRule(draft, denied, `A rule denies this call of ${name}.`);

  const asking = findRule(draft, "ask");
  const asked = asking instanceof Promise ? await asking : asking;
  if (asked !== undefined) return byRule(draft, asked, `A rule asks before this call of ${name}.`);

  const reading = isReadOnly(draft);
  const readOnly: boolean = reading instanceof Promise ? await reading : reading;
  if (readOnly) {
    return end(draft, { step: "read-only", outcome: "allow", message: `${name} only reads.`, reason: "read-only" });
  }
  if (mode === "explore" && tool.allowedInExplore !== true) {
    const message = `Only reading is allowed now (mode explore), and this call of ${name} may change something.`;
    return end(draft, { step: "mode", outcome: "deny", message, reason: "Mode: explore" });
  }
  const opinion = await askTool(draft);
  if (isFinal(opinion, mode)) return end(draft, byTool(opinion, name));
  draft.trace.push({
    step: "tool",
    outcome: "continue",
    ...(opinion.reason === undefined ? {} : { detail: opinion.reason }),
    ...withFindings(opinion.findings),
  });
  if (mode !== "explore") {
    const allowed = await findRule(draft, "allow");
    if (allowed !== undefined) return byRule(draft, allowed, `A rule allows this call of ${name}.`);
  }
  return end(draft, byMode(mode, opinion, name, confirmed));
}

interface Draft {
  tool: PermissionSubject;
  input: unknown;
  check: PermissionCheck;
  confirmed: boolean;
  trace: TraceStep[];
}

/** What one step says when it decides. */
interface Verdict {
  step: TraceStep["step"];
  outcome: PermissionDecision["behavior"];
  message: string;
  reason: string;
  bypassImmune?: boolean;
  rule?: PermissionRule;
  findings?: PermissionFinding[] | undefined;
}

/** A tool's opinion as far as it could be understood. */
interface Opinion {
  behavior: ToolOpinion["behavior"];
  message?: string | undefined;
  reason?: string | undefined;
  bypassImmune: boolean;
  findings?: PermissionFinding[] | undefined;
  /** Whether the check failed: then not even BYPASS may take it for consent, since it could have been a denial. */
  isUnclear?: boolean;
}

/** Finds the first rule of a behaviour that matches; only rules with a content have to be waited for. */
function findRule(
  draft: Draft,
  behavior: RuleBehavior,
): PermissionRule | undefined | Promise<PermissionRule | undefined> {
  for (const rule of draft.check.rules) {
    if (rule.behavior === behavior && rule.tool === draft.tool.name)
      return rule.content ? matchRules(draft, behavior) : rule;
  }
  draft.trace.push({ step: `${behavior}-rule`, outcome: "continue" });
  return undefined;
}

/** A matcher that fails, or says something that is no boolean, makes deny and ask rules match and allow rules not. */
async function matchRules(draft: Draft, behavior: RuleBehavior): Promise<PermissionRule | undefined> {
  const { tool, input, check } = draft;
  for (const rule of check.rules) {
    if (rule.behavior !== behavior || rule.tool !== tool.name) continue;
    if (!rule.content) return rule;
    try {
      const said: unknown = await tool.matchRule?.(rule.content, input, rule, draft.check);
      if (said === true || (behavior !== "allow" && said)) return rule;
    } catch {
      if (behavior !== "allow") return rule;
    }
  }
  draft.trace.push({ step: `${behavior}-rule`, outcome: "continue" });
  return undefined;
}

function isReadOnly(draft: Draft): boolean | Promise<boolean> {
  const { tool } = draft;
  return tool.checkReadOnly === undefined ? noteReading(draft, tool.readOnly) : checkReading(draft);
}

async function checkReading(draft: Draft): Promise<boolean> {
  const { tool, input, check } = draft;
  try {
    return noteReading(draft, await tool.checkReadOnly?.(input, check));
  } catch {
    return noteReading(draft, false);
  }
}

function noteReading(draft: Draft, readOnly: unknown): boolean {
  if (readOnly === true) return true;
  draft.trace.push({ step: "read-only", outcome: "continue" });
  return false;
}

const opinions: readonly ToolOpinion["behavior"][] = ["allow", "deny", "ask", "passthrough"];

async function askTool(draft: Draft): Promise<Opinion> {
  const { tool, input, check } = draft;
  const unclear = (reason: string): Opinion => ({ behavior: "ask", reason, bypassImmune: true, isUnclear: true });
  try {
    const said: unknown = (await tool.checkPermissions?.(input, check)) ?? { behavior: "passthrough" };
    if (!isRecord(said)) return unclear("the tool's own check gave no opinion");
    const behavior = opinions.find((each) => each === said.behavior);
    if (behavior === undefined) return unclear("the tool's own check gave no opinion");
    const { message, reason, bypassImmune } = said;
    return {
      behavior,
      message: textOf(message),
      reason: textOf(reason),
      bypassImmune: bypassImmune === true,
      findings: readFindings(said.findings),
    };
  } catch {
    return unclear("the tool's own check failed");
  }
}

/** A question that is not immune, and in BYPASS every question, is left to the rules and the mode. */
function isFinal(opinion: Opinion, mode: PermissionMode): boolean {
  const { behavior } = opinion;
  if (behavior !== "ask" || mode === "explore") return behavior !== "passthrough";
  return opinion.isUnclear === true || (opinion.bypassImmune && mode !== "bypass");
}

function byRule(draft: Draft, rule: PermissionRule, message: string): PermissionDecision | Promise<PermissionDecision> {
  const reason = `Rule: ${rule.content || rule.tool}`;
  const verdict: Verdict = { step: `${rule.behavior}-rule`, outcome: rule.behavior, message, reason, rule };
  const { content } = rule;
  if (!content || draft.tool.locateRule === undefined) return end(draft, verdict);
  return locate(draft, rule, content).then((findings) => end(draft, { ...verdict, findings }));
}

/** Where a rule matches is only to be shown: a fault there changes nothing. */
async function locate(
  { tool, input, check }: Draft,
  rule: PermissionRule,
  content: string,
): Promise<PermissionFinding[] | undefined> {
  try {
    return readFindings(await tool.locateRule?.(content, input, rule, check));
  } catch {
    return undefined;
  }
}

function byTool({ behavior, message, reason, bypassImmune, findings }: Opinion, name: string): Verdict {
  if (behavior !== "ask") {
    const outcome = behavior === "deny" ? "deny" : "allow";
    const words = { message: message ?? `${name} itself says ${outcome}.`, reason: reason ?? "tool" };
    return { step: "tool", outcome, ...words, findings };
  }
  const question = message ?? `${name} wants a confirmation.`;
  return { step: "tool", outcome: "ask", message: question, reason: reason ?? "safety check", bypassImmune, findings };
}

function byMode(mode: PermissionMode, opinion: Opinion, name: string, confirmed: boolean): Verdict {
  const { message = `${name} needs a confirmation.`, reason: why } = opinion;
  const reason = `Mode: ${mode}${why === undefined ? "" : ` (${why})`}`;
  switch (mode) {
    case "bypass":
      return { step: "mode", outcome: "allow", message: "Everything is allowed now (mode bypass).", reason };
    case "explore":
      return { step: "mode", outcome: "allow", message: `${name} is allowed while exploring.`, reason };
    case "dont_ask":
      // Whoever has confirmed the call has been asked after all.
      if (confirmed) break;
      return { step: "mode", outcome: "deny", message: unasked(message), reason };
    default:
  }
  return { step: "mode", outcome: "ask", message, reason };
}

function end(draft: Draft, verdict: Verdict): PermissionDecision | Promise<PermissionDecision> {
  const { trace, check } = draft;
  const { step, outcome, message, reason, bypassImmune = false, rule, findings } = verdict;
  const { mode } = check;
  trace.push({ step, outcome, detail: reason, ...(rule === undefined ? {} : { rule }), ...withFindings(findings) });
  const decision = { behavior: outcome, message, reason, bypassImmune, suggestedRules: [], trace, mode };
  if (outcome !== "ask") return decision;
  if (draft.confirmed) {
    trace.push({ step: "confirmation", outcome: "allow" });
    return {
      ...decision,
      behavior: "allow",
      message: "The user has confirmed this call.",
      reason: "confirmed by the user",
    };
  }
  return withSuggestions(draft, decision);
}

async function withSuggestions(draft: Draft, decision: PermissionDecision): Promise<PermissionDecision> {
  const suggestedRules = await suggest(draft);
  const { mode, message, reason } = decision;
  if (mode !== "dont_ask") return { ...decision, suggestedRules };
  const converted = `Mode: dont_ask (${reason})`;
  draft.trace.push({ step: "mode", outcome: "deny", detail: converted });
  return { ...decision, behavior: "deny", message: unasked(message), reason: converted, suggestedRules };
}

async function suggest(draft: Draft): Promise<PermissionRule[]> {
  const { tool, input, check } = draft;
  try {
    const whole: PermissionRule = { tool: tool.name, behavior: "allow", source: "suggested" };
    const rules: unknown = (await tool.generateSuggestions?.(input, check)) ?? [whole];
    return Array.isArray(rules) ? rules.filter((rule): rule is PermissionRule => isSuggestion(rule, tool.name)) : [];
  } catch {
    return [];
  }
}

/** A question about one tool must not be the way to a rule about another. */
function isSuggestion(rule: unknown, tool: string): boolean {
  if (!isRecord(rule) || rule.tool !== tool || rule.behavior !== "allow") return false;
  return rule.content === undefined || typeof rule.content === "string";
}

function withFindings(findings: PermissionFinding[] | undefined): { findings?: PermissionFinding[] } {
  return findings === undefined ? {} : { findings };
}

/** Keeps the findings that are whole, and of them only what belongs to one: a trace is plain data. */
function readFindings(value: unknown): PermissionFinding[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const findings: PermissionFinding[] = [];
  for (const each of value) {
    if (findings.length >= MAX_TRACE_FINDINGS) break;
    const finding = readFinding(each);
    if (finding !== undefined) findings.push(finding);
  }
  return findings.length === 0 ? undefined : findings;
}

function readFinding(value: unknown): PermissionFinding | undefined {
  if (!isRecord(value)) return undefined;
  const { code, message, layer, unit, field, start, end: last } = value;
  if (typeof code !== "string" || typeof message !== "string") return undefined;
  if (typeof layer !== "string" || typeof field !== "string" || !isCount(start) || !isCount(last)) return undefined;
  return { code, message, layer, ...(isCount(unit) ? { unit } : {}), field, start, end: last };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function unasked(message: string): string {
  return `${message} Nobody can be asked now (mode dont_ask).`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
