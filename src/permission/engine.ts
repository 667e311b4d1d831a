/** Decides over a call: rules, then the tool's own facts, then the mode. */

import { HoldallError } from "../base/errors.ts";
import { resolvePath } from "../base/path.ts";
import type { PermissionMode, PermissionRule, PermissionSettings, RuleBehavior } from "../message/permission-data.ts";
import type { PermissionDecision, TraceStep } from "./decision.ts";
import type { PermissionCheck, PermissionSubject, ToolOpinion } from "./subject.ts";

/** How an engine is set up. */
export interface PermissionEngineOptions {
  /** Defaults to `default`. */
  mode?: PermissionMode;
  rules?: readonly PermissionRule[];
  /** Absolute paths in which edits count as being in the workspace. */
  workingDirectories?: readonly string[];
}

/** What belongs to one check. */
export interface PermissionCheckOptions {
  /** The conversation's state; its settings are added to the engine's, its mode wins. */
  state?: { permission: PermissionSettings } | undefined;
  /** What the caller handed along. */
  context?: unknown;
  /** Whether a person has confirmed this very call; turns `ask` into `allow`, never `deny`. */
  confirmed?: boolean;
}

/**
 * Decides what may run.
 *
 * | step | default | accept_edits | explore | bypass | dont_ask |
 * | --- | --- | --- | --- | --- | --- |
 * | deny rule | deny | deny | deny | deny | deny |
 * | ask rule | ask | ask | ask | ask | deny |
 * | read-only call | allow | allow | allow | allow | allow |
 * | the tool's own check | its word; an immune ask stands | same | not asked | its allow or deny | its word; an immune ask denies |
 * | allow rule | allow | allow | not asked | allow | allow |
 * | otherwise | ask | ask | deny | allow | deny |
 *
 * A check that fails or says something else counts as `ask`, never as `allow`.
 */
export class PermissionEngine {
  readonly #mode: PermissionMode;
  readonly #rules: PermissionRule[];
  readonly #workingDirectories: readonly string[];

  /**
   * @throws HoldallError `PERMISSION_INVALID` for an unknown mode or behaviour, `FS_INVALID_PATH` for a directory that
   * is no path.
   */
  constructor(options: PermissionEngineOptions = {}) {
    this.#mode = checkMode(options.mode ?? "default");
    this.#rules = (options.rules ?? []).map(checkRule);
    this.#workingDirectories = (options.workingDirectories ?? []).map((path) => resolvePath(path));
  }

  /** Adds a rule for all conversations of this engine. */
  addRule(rule: PermissionRule): void {
    this.#rules.push(checkRule(rule));
  }

  /**
   * Decides over one call.
   *
   * @param tool The tool's facts.
   * @param input The model's own, validated input.
   * @param options The state and context of the call.
   */
  async check(tool: PermissionSubject, input: unknown, options: PermissionCheckOptions = {}): Promise<PermissionDecision> {
    const settings = options.state?.permission;
    const check: PermissionCheck = {
      mode: settings?.mode === undefined ? this.#mode : checkMode(settings.mode),
      rules: settings === undefined ? this.#rules : [...this.#rules, ...settings.rules],
      workingDirectories:
        settings === undefined ? this.#workingDirectories : [...this.#workingDirectories, ...settings.workingDirectories.map((path) => resolvePath(path))],
      context: options.context,
      state: options.state,
    };
    return decide(tool, input, check, options.confirmed === true);
  }

  /** Tells what would happen in every mode; nothing is run or remembered. */
  async explain(tool: PermissionSubject, input: unknown, options: PermissionCheckOptions = {}): Promise<Record<PermissionMode, PermissionDecision>> {
    const settings = options.state?.permission ?? { rules: [], workingDirectories: [] };
    const decisions = modes.map(
      async (mode) => [mode, await this.check(tool, input, { ...options, state: { permission: { ...settings, mode } } })] as const,
    );
    return Object.fromEntries(await Promise.all(decisions)) as Record<PermissionMode, PermissionDecision>;
  }
}

const modes: readonly PermissionMode[] = ["default", "accept_edits", "explore", "bypass", "dont_ask"];
const behaviors: readonly RuleBehavior[] = ["allow", "deny", "ask"];

function checkMode(mode: PermissionMode): PermissionMode {
  if (modes.includes(mode)) return mode;
  throw new HoldallError("PERMISSION_INVALID", `${JSON.stringify(mode)} is not a permission mode. Use ${modes.join(", ")}.`);
}

function checkRule(rule: PermissionRule): PermissionRule {
  if (behaviors.includes(rule.behavior) && typeof rule.tool === "string" && rule.tool !== "") return rule;
  throw new HoldallError("PERMISSION_INVALID", `a rule needs a tool name and one of ${behaviors.join(", ")}, got ${JSON.stringify(rule)}. Correct the rule.`);
}

interface Draft {
  tool: PermissionSubject;
  input: unknown;
  check: PermissionCheck;
  confirmed: boolean;
  trace: TraceStep[];
}

async function decide(tool: PermissionSubject, input: unknown, check: PermissionCheck, confirmed: boolean): Promise<PermissionDecision> {
  const draft: Draft = { tool, input, check, confirmed, trace: [] };
  const { mode } = check;
  const denied = await findRule(draft, "deny");
  if (denied !== undefined) return byRule(draft, "deny", denied, `A rule denies this call of ${tool.name}.`);
  const asked = await findRule(draft, "ask");
  if (asked !== undefined) return byRule(draft, "ask", asked, `A rule asks before this call of ${tool.name}.`);
  if (await isReadOnly(draft)) return end(draft, "read-only", "allow", `${tool.name} only reads.`, "read-only");
  if (mode === "explore" && tool.allowedInExplore !== true) {
    return end(draft, "mode", "deny", `Only reading is allowed now, and this call of ${tool.name} may change something.`, "Mode: explore");
  }
  const opinion = await ask(draft);
  if (opinion.behavior === "allow" || opinion.behavior === "deny") {
    return end(draft, "tool", opinion.behavior, opinion.message ?? `${tool.name} itself says ${opinion.behavior}.`, opinion.reason ?? "tool");
  }
  const immune = opinion.behavior === "ask" && opinion.bypassImmune === true && mode !== "bypass";
  if (immune) return end(draft, "tool", "ask", opinion.message ?? `${tool.name} wants a confirmation.`, opinion.reason ?? "safety check", true);
  draft.trace.push({ step: "tool", outcome: "continue", ...(opinion.reason === undefined ? {} : { detail: opinion.reason }) });
  const allowed = await findRule(draft, "allow");
  if (allowed !== undefined) return byRule(draft, "allow", allowed, `A rule allows this call of ${tool.name}.`);
  if (mode === "bypass") return end(draft, "mode", "allow", "Everything is allowed now.", "Mode: bypass");
  const message = opinion.behavior === "ask" ? opinion.message : undefined;
  return end(draft, "mode", "ask", message ?? `${tool.name} needs a confirmation.`, opinion.reason ?? `Mode: ${mode}`);
}

async function findRule(draft: Draft, behavior: RuleBehavior): Promise<PermissionRule | undefined> {
  const { tool, input } = draft;
  for (const rule of draft.check.rules) {
    if (rule.behavior !== behavior || rule.tool !== tool.name) continue;
    if (rule.content === undefined || rule.content === "") return rule;
    try {
      if (await tool.matchRule?.(rule.content, input, rule)) return rule;
    } catch {
      // A matcher that fails must not let a denied call through, nor allow anything.
      if (behavior !== "allow") return rule;
    }
  }
  draft.trace.push({ step: `${behavior}-rule`, outcome: "continue" });
  return undefined;
}

async function isReadOnly(draft: Draft): Promise<boolean> {
  const { tool, input, check } = draft;
  let readOnly = tool.readOnly === true;
  try {
    if (tool.checkReadOnly !== undefined) readOnly = (await tool.checkReadOnly(input, check)) === true;
  } catch {
    readOnly = false;
  }
  if (!readOnly) draft.trace.push({ step: "read-only", outcome: "continue" });
  return readOnly;
}

async function ask(draft: Draft): Promise<ToolOpinion> {
  const { tool, input, check } = draft;
  try {
    const opinion = (await tool.checkPermissions?.(input, check)) ?? { behavior: "passthrough" };
    return ["allow", "deny", "ask", "passthrough"].includes(opinion.behavior) ? opinion : { behavior: "ask", reason: "unclear check" };
  } catch {
    return { behavior: "ask", reason: "the tool's own check failed", bypassImmune: true };
  }
}

function byRule(draft: Draft, behavior: RuleBehavior, rule: PermissionRule, message: string): Promise<PermissionDecision> {
  return end(draft, `${behavior}-rule`, behavior, message, `Rule: ${rule.content || rule.tool}`, false, rule);
}

async function end(
  draft: Draft,
  step: TraceStep["step"],
  outcome: "allow" | "deny" | "ask",
  message: string,
  reason: string,
  bypassImmune = false,
  rule?: PermissionRule,
): Promise<PermissionDecision> {
  const { mode } = draft.check;
  draft.trace.push({ step, outcome, detail: reason, ...(rule === undefined ? {} : { rule }) });
  const decision: PermissionDecision = { behavior: outcome, message, reason, bypassImmune, suggestedRules: [], trace: draft.trace, mode };
  if (outcome !== "ask") return decision;
  if (draft.confirmed) return { ...decision, behavior: "allow", reason: "confirmed by the user" };
  const suggestedRules = await suggest(draft);
  if (mode !== "dont_ask") return { ...decision, suggestedRules };
  return { ...decision, behavior: "deny", suggestedRules, message: `${message} Nobody can be asked now.`, reason: `Mode: dont_ask (${reason})` };
}

async function suggest(draft: Draft): Promise<PermissionRule[]> {
  const { tool, input, check } = draft;
  try {
    const rules = (await tool.generateSuggestions?.(input, check)) ?? [{ tool: tool.name, behavior: "allow", source: "suggested" }];
    return rules.filter((rule) => rule.tool === tool.name && rule.behavior === "allow");
  } catch {
    return [];
  }
}
