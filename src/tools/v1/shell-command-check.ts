/** Whether a command line may run without a question: every part of it on the list, nothing outside the base directory. */

import type { Backend } from "../../backend/backend.ts";
import type { DangerousPaths } from "../../base/dangerous-paths.ts";
import { isInside, resolvePath } from "../../base/path.ts";
import { analyzeBash } from "../../bash/analyze.ts";
import { judgeBash } from "../../bash/judge.ts";
import { isPublic } from "../../bash/path/protected.ts";
import { covers, matchBashRule, uncoveredUnits } from "../../bash/rule/match.ts";
import { readRule } from "../../bash/rule/rule.ts";
import { suggestBashRules } from "../../bash/rule/suggest.ts";
import type { BashAnalysis, Unit } from "../../bash/types.ts";
import type { PermissionRule } from "../../message/permission-data.ts";
import type { PermissionCheck, ToolOpinion } from "../../permission/subject.ts";
import { leadInside } from "../bash-permission.ts";
import { meetsOwnRepository } from "../bash-repositories.ts";

/** The name of the tool, which its rules carry. */
export const SHELL_COMMAND = "execute_shell_command";

/** Where commands run and what is allowed there. */
export interface ShellCommandPlace {
  /** Its `cwd` is the base directory. */
  backend: Backend;
  dangers: DangerousPaths;
  /** The entries of the list now. */
  allowed(): readonly string[];
  /** Whether the application is asked about what is not on the list. */
  hasApproval: boolean;
}

/** What was found about a command line. */
export interface CommandVerdict {
  /** Whether it may run without a question. */
  isAllowed: boolean;
  /** Why not, without a full stop; empty when it may. */
  reason: string;
  /** Whether not even rules may allow it. */
  isImmune: boolean;
  /** Whether it changes nothing. */
  isReadOnly: boolean;
  analysis: BashAnalysis;
}

/** Reads a command line and holds it against the list. */
export async function judgeCommand(place: ShellCommandPlace, command: string): Promise<CommandVerdict> {
  const { backend, dangers } = place;
  const analysis = analyzeBash(command, {
    cwd: backend.cwd,
    home: backend.home,
    workingDirectories: [backend.cwd],
    ...dangers,
  });
  const { immune, readOnly } = judgeBash(analysis);
  const reason = (await whyNot(place, analysis)) ?? "";
  return { isAllowed: reason === "", reason, isImmune: immune.length > 0, isReadOnly: readOnly, analysis };
}

/** Gives the tool's own opinion about a command line. */
export async function opinion(place: ShellCommandPlace, command: string, check: PermissionCheck): Promise<ToolOpinion> {
  const { isAllowed, isImmune, reason, analysis } = await judgeCommand(place, command);
  if (isAllowed) return { behavior: "allow", reason: "on the list of allowed commands" };
  if (place.hasApproval) return { behavior: "allow", reason: "the application itself is asked before it runs" };
  if (!isImmune && ruleContents(check).length > 1 && uncoveredUnits(ruleContents(check), analysis).length === 0) {
    return { behavior: "allow", reason: "allow rules cover every part" };
  }
  return {
    behavior: "ask",
    bypassImmune: isImmune,
    reason,
    message: `${SHELL_COMMAND} needs a confirmation: ${reason}.`,
  };
}

/** Tells whether a command line only reads, and may. */
export async function isSilent(place: ShellCommandPlace, command: string): Promise<boolean> {
  const { isAllowed, isReadOnly } = await judgeCommand(place, command);
  return isAllowed && isReadOnly;
}

/** Tells whether a rule matches. */
export async function matches(
  place: ShellCommandPlace,
  content: string,
  command: string,
  rule: PermissionRule,
): Promise<boolean> {
  return matchBashRule(content, (await judgeCommand(place, command)).analysis, rule.behavior);
}

/** Suggests a rule for every part of a line that no rule covers yet. */
export async function suggest(
  place: ShellCommandPlace,
  command: string,
  check: PermissionCheck,
): Promise<PermissionRule[]> {
  const { analysis } = await judgeCommand(place, command);
  const contents = suggestBashRules(analysis, ruleContents(check));
  return contents.map((content) => ({ tool: SHELL_COMMAND, content, behavior: "allow", source: "suggested" }));
}

function ruleContents(check: PermissionCheck): string[] {
  return check.rules.flatMap(({ tool, behavior, content }) =>
    tool === SHELL_COMMAND && behavior === "allow" && content ? [content] : [],
  );
}

async function whyNot(place: ShellCommandPlace, analysis: BashAnalysis): Promise<string | undefined> {
  const { backend } = place;
  if (backend.os === "windows") return "Commands of Windows cannot be held against the list";
  const [unread] = [...analysis.errors, ...analysis.injection, ...analysis.dangers];
  if (unread !== undefined) return unread.message.replace(/\.$/, "");
  if (analysis.units.length === 0) return "There is no command in it";
  const rules = place.allowed().map((entry) => readRule(/[\s*]/.test(entry) ? entry : `${entry}:*`));
  for (const unit of analysis.units) {
    const name = nameOf(unit);
    if (leadsOut(unit, backend.cwd)) return `Command '${name}' escapes current directory`;
    if (!rules.some((rule) => covers(rule, unit))) return `Command '${name}' is not in the allowed whitelist`;
  }
  const outside = analysis.paths.find(({ path, inside }) => !inside && (path === undefined || !isPublic(path)));
  if (outside !== undefined) return `The path '${outside.text}' is outside the base directory`;
  if (!(await leadInside(backend, analysis.paths, nothingElse)))
    return "A symlink in it leads out of the base directory";
  const edits = analysis.paths.some(({ access }) => access === "write");
  return (await meetsOwnRepository(backend, analysis, backend.cwd, edits))
    ? undefined
    : "Git would take its settings from a folder that only looks like a repository";
}

/** Only the base directory counts, whatever else a conversation works in. */
const nothingElse: PermissionCheck = {
  mode: "default",
  rules: [],
  workingDirectories: [],
  context: undefined,
  state: undefined,
};

function nameOf({ name, words }: Unit): string {
  return name ?? words[0]?.shown ?? "(no program)";
}

/** Programs are named by path only where the system or the base directory keeps them. */
function leadsOut({ name = "" }: Unit, base: string): boolean {
  if (!name.includes("/")) return false;
  const path = resolvePath(name.startsWith("~") ? `/${name}` : name, base);
  return !isInside(path, base) && !/^(\/usr)?\/s?bin\/[^/]+$/.test(path);
}
