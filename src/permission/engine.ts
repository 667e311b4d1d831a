/** Decides over a call: rules, then the tool's own facts, then the mode. */

import { HoldallError } from "../base/errors.ts";
import { isRecord, toJsonValue } from "../base/json.ts";
import { resolvePath } from "../base/path.ts";
import type { PermissionMode, PermissionRule, PermissionSettings, RuleBehavior } from "../message/permission-data.ts";
import { decide } from "./decide.ts";
import type { PermissionDecision } from "./decision.ts";
import type { PermissionCheck, PermissionSubject } from "./subject.ts";

/** How an engine is set up. */
export interface PermissionEngineOptions {
  /** Defaults to `default`. */
  mode?: PermissionMode;
  /** Of several rules of one behaviour that match, the first one decides. */
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
 * | the tool's own check | its allow or deny; an immune ask stands | same | only for `allowedInExplore`: its word, else allow | its allow or deny | its allow or deny; an immune ask denies |
 * | allow rule | allow | allow | not looked at | allow | allow |
 * | otherwise | ask | ask | deny | allow | deny |
 *
 * A check of a tool that fails or says something else asks, in BYPASS too: it could have been a denial. Questions come
 * with suggested rules; what DONT_ASK makes of a question keeps them and its reason.
 */
export class PermissionEngine {
  readonly #mode: PermissionMode;
  /** Never changed in place, so that a check under way keeps the rules it began with. */
  #rules: readonly PermissionRule[];
  readonly #workingDirectories: readonly string[];

  /**
   * @throws HoldallError `PERMISSION_INVALID` for an unknown mode or a broken rule, `FS_INVALID_PATH` for a directory
   * that is no path.
   */
  constructor(options: PermissionEngineOptions = {}) {
    this.#mode = checkMode(options.mode ?? "default");
    this.#rules = (options.rules ?? []).map(copyRule);
    this.#workingDirectories = (options.workingDirectories ?? []).map((path) => resolvePath(path));
  }

  /**
   * Adds a rule for all conversations of this engine.
   *
   * @throws HoldallError `PERMISSION_INVALID` for a broken rule.
   */
  addRule(rule: PermissionRule): void {
    this.#rules = [...this.#rules, copyRule(rule)];
  }

  /**
   * Decides over one call.
   *
   * @param tool The tool's facts.
   * @param input The model's own, validated input.
   * @param options The state and context of the call.
   * @throws HoldallError `PERMISSION_INVALID`, `FS_INVALID_PATH` when the settings in the state are broken.
   */
  async check(
    tool: PermissionSubject,
    input: unknown,
    options: PermissionCheckOptions = {},
  ): Promise<PermissionDecision> {
    return decide(tool, input, this.#prepare(options), options.confirmed === true);
  }

  /** Tells what would happen in every mode; nothing is run or remembered. */
  async explain(
    tool: PermissionSubject,
    input: unknown,
    options: PermissionCheckOptions = {},
  ): Promise<Record<PermissionMode, PermissionDecision>> {
    const { state } = options;
    const settings = state?.permission ?? { rules: [], workingDirectories: [] };
    const inMode = (mode: PermissionMode): Promise<PermissionDecision> =>
      this.check(tool, input, { ...options, state: { ...state, permission: { ...settings, mode } } });
    const [byDefault, acceptEdits, explore, bypass, dontAsk] = await Promise.all([
      inMode("default"),
      inMode("accept_edits"),
      inMode("explore"),
      inMode("bypass"),
      inMode("dont_ask"),
    ]);
    return { default: byDefault, accept_edits: acceptEdits, explore, bypass, dont_ask: dontAsk };
  }

  #prepare({ state, context }: PermissionCheckOptions): PermissionCheck {
    const settings = state?.permission;
    if (settings === undefined) {
      return { mode: this.#mode, rules: this.#rules, workingDirectories: this.#workingDirectories, context, state };
    }
    const { mode, rules, workingDirectories } = checkSettings(settings);
    return {
      mode: mode ?? this.#mode,
      rules: rules.length === 0 ? this.#rules : [...this.#rules, ...rules],
      workingDirectories: [...this.#workingDirectories, ...workingDirectories.map((path) => resolvePath(path))],
      context,
      state,
    };
  }
}

const modes: readonly PermissionMode[] = ["default", "accept_edits", "explore", "bypass", "dont_ask"];
const behaviors: readonly RuleBehavior[] = ["allow", "deny", "ask"];

/** A state may come from anywhere; a rule that is not understood must not just be passed over. */
function checkSettings(settings: PermissionSettings): PermissionSettings {
  if (!isRecord(settings) || !Array.isArray(settings.rules) || !Array.isArray(settings.workingDirectories)) {
    throw invalid("the permission settings of the state lack rules or workingDirectories. Make them lists.");
  }
  if (settings.mode !== undefined) checkMode(settings.mode);
  for (const rule of settings.rules) checkRule(rule);
  return settings;
}

function checkMode(mode: PermissionMode): PermissionMode {
  if (modes.includes(mode)) return mode;
  throw invalid(`${show(mode)} is not a permission mode. Use ${modes.join(", ")}.`);
}

function copyRule(rule: PermissionRule): PermissionRule {
  checkRule(rule);
  return { ...rule };
}

function checkRule(rule: PermissionRule): void {
  const isWhole = isRecord(rule) && behaviors.includes(rule.behavior) && typeof rule.tool === "string";
  // Stores that know no undefined write null, which means the same here.
  const hasContent = isWhole && (typeof rule.content === "string" || (rule.content ?? undefined) === undefined);
  if (hasContent && rule.tool !== "") return;
  throw invalid(
    `a rule needs a tool name, one of ${behaviors.join(", ")}, and a content that is text or left out, got ${show(rule)}. Correct the rule.`,
  );
}

function invalid(message: string): HoldallError {
  return new HoldallError("PERMISSION_INVALID", message);
}

function show(value: unknown): string {
  return JSON.stringify(toJsonValue(value));
}
