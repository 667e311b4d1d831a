/** What the Bash tool tells the permission engine, from reading the command line; loaded when the first one is asked about. */

import type { Backend } from "../backend/backend.ts";
import type { DangerousPaths } from "../base/dangerous-paths.ts";
import { acceptsEdits } from "../bash/accept-edits.ts";
import { analyzeBash } from "../bash/analyze.ts";
import { collectEvidence } from "../bash/evidence.ts";
import { judgeBash } from "../bash/judge.ts";
import { locateBashRule, matchBashRule, uncoveredUnits } from "../bash/rule/match.ts";
import { suggestBashRules } from "../bash/rule/suggest.ts";
import type { BashAnalysis, PathUse } from "../bash/types.ts";
import type { PermissionRule } from "../message/permission-data.ts";
import { MAX_TRACE_FINDINGS, type PermissionFinding } from "../permission/decision.ts";
import type { PermissionCheck, ToolOpinion } from "../permission/subject.ts";
import { editsStayInside, pathsLeadInside } from "./bash-links.ts";
import { meetsOwnRepository } from "./bash-repositories.ts";

/** The place where the command lines of a tool would run. */
export interface BashPlace {
  backend: Backend;
  dangers: DangerousPaths;
  /** Where the shell session of a conversation stands; undefined where that is not known. */
  cwdOf(state: unknown): string | undefined;
}

/** Tells whether a command line may run without a question: it only reads, and only what is the workspace's. */
export async function isSilent(place: BashPlace, command: string, check: PermissionCheck): Promise<boolean> {
  const { silent, analysis } = judgeBash(await read(place, command, check));
  return (
    silent &&
    (await leadInside(place.backend, analysis.paths, check)) &&
    (await meetsOwnRepository(place.backend, analysis, startOf(place, check), false))
  );
}

/** Gives the tool's own opinion about a command line. */
export async function judge(place: BashPlace, command: string, check: PermissionCheck): Promise<ToolOpinion> {
  const analysis = await read(place, command, check);
  const { immune, mustAsk } = judgeBash(analysis);
  const findings = collectEvidence(analysis).map((found) => ({ ...found, field }));
  const [first] = immune;
  if (first !== undefined) {
    return { behavior: "ask", bypassImmune: true, reason: first.code, message: explain(immune), findings };
  }
  const allowed = check.rules.flatMap(({ tool, behavior, content }) =>
    tool === "Bash" && behavior === "allow" && content ? [content] : [],
  );
  if (allowed.length > 1 && uncoveredUnits(allowed, analysis).length === 0) {
    return { behavior: "allow", reason: "allow rules cover every part", findings };
  }
  const edits = check.mode === "accept_edits" || check.mode === "dont_ask";
  if (
    edits &&
    acceptsEdits(analysis, { workingDirectories: await workspaceOf(place.backend, check) }) &&
    (await leadInside(place.backend, analysis.paths, check)) &&
    (await editsStayInside({ backend: place.backend, check }, analysis, place.dangers)) &&
    (await meetsOwnRepository(place.backend, analysis, startOf(place, check), true))
  ) {
    return { behavior: "allow", reason: "edits inside a working directory", findings };
  }
  if (mustAsk[0] === undefined) return { behavior: "passthrough", findings };
  return { behavior: "ask", reason: mustAsk[0].code, message: explain(mustAsk), findings };
}

/** The input field that all positions count in. */
const field = "command";

/** Tells whether a rule matches: allow rules must cover all of a line, the others catch any part of it. */
export async function matches(
  place: BashPlace,
  content: string,
  command: string,
  rule: PermissionRule,
  check: PermissionCheck,
): Promise<boolean> {
  return matchBashRule(content, await read(place, command, check), rule.behavior);
}

/** Tells where a rule matches, or would: the simple commands it is about. */
export async function locate(
  place: BashPlace,
  content: string,
  command: string,
  rule: PermissionRule,
  check: PermissionCheck,
): Promise<PermissionFinding[]> {
  const analysis = await read(place, command, check);
  const indexes = locateBashRule(content, analysis, rule.behavior).slice(0, MAX_TRACE_FINDINGS);
  return indexes.flatMap((index) => {
    const unit = analysis.units[index];
    if (unit === undefined) return [];
    const message = `The rule ${content} is about this.`;
    return [{ layer: "rule", code: "rule", message, unit: index, field, start: unit.start, end: unit.end }];
  });
}

/** Suggests a rule for every part of a line that no rule covers yet. */
export async function suggest(place: BashPlace, command: string, check: PermissionCheck): Promise<PermissionRule[]> {
  const covered = check.rules.flatMap(({ tool, behavior, content }) =>
    tool === "Bash" && behavior === "allow" && content ? [content] : [],
  );
  const contents = suggestBashRules(await read(place, command, check), covered);
  return contents.map((content) => ({ tool: "Bash", content, behavior: "allow", source: "suggested" }));
}

/** Gives the folder in which a line starts. */
function startOf({ backend, cwdOf }: BashPlace, check: PermissionCheck): string {
  return cwdOf(check.state) ?? backend.cwd;
}

function explain(findings: readonly { message: string }[]): string {
  const reasons = [...new Set(findings.map(({ message }) => message.replace(/\.$/, "")))].slice(0, 3);
  return `Bash needs a confirmation: ${reasons.join("; ")}.`;
}

/** The engine asks several times about one line: it is read once for each place and set of directories. */
const readings = new WeakMap<PermissionCheck, Map<string, Promise<BashAnalysis>>>();

function read(place: BashPlace, command: string, check: PermissionCheck): Promise<BashAnalysis> {
  const known = readings.get(check) ?? new Map<string, Promise<BashAnalysis>>();
  readings.set(check, known);
  const analysis = known.get(command) ?? readNow(place, command, check);
  known.set(command, analysis);
  return analysis;
}

async function readNow(
  { backend, dangers, cwdOf }: BashPlace,
  command: string,
  check: PermissionCheck,
): Promise<BashAnalysis> {
  const workingDirectories = await workspaceOf(backend, check);
  return analyzeBash(command, { cwd: cwdOf(check.state), home: backend.home, workingDirectories, ...dangers });
}

/** The workspace, also by its real paths: it may be reached through a symlink, and programs print where they really are. */
async function workspaceOf({ fs, cwd }: Backend, check: PermissionCheck): Promise<string[]> {
  const folders = [cwd, ...check.workingDirectories];
  const real = await Promise.all(folders.map((folder) => fs.realpath(folder).catch(() => folder)));
  return [...new Set([...folders, ...real])];
}

/** Text says where a path points, a symlink where it leads: what is touched must be inside both ways. */
export function leadInside(backend: Backend, paths: readonly PathUse[], check: PermissionCheck): Promise<boolean> {
  return pathsLeadInside({ backend, check }, paths);
}
