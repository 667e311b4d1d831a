/** What `holdall/bash` offers, named one by one: reading command lines, and rules about them. */

export { DANGEROUS_DIRECTORIES, DANGEROUS_FILES } from "../base/dangerous-paths.ts";
export { type AcceptEditsOptions, acceptsEdits } from "./accept-edits.ts";
export { analyzeBash } from "./analyze.ts";
export { type BashEvidence, type BashLayer, collectEvidence, MAX_EVIDENCE } from "./evidence.ts";
export { type Finding, type FindingCode, MAX_COMMAND_DEPTH, MAX_COMMAND_LENGTH } from "./findings.ts";
export { type BashJudgement, judgeBash } from "./judge.ts";
export { type BashRuleProblem, lintBashRule } from "./rule/lint.ts";
export { type BashRuleBehavior, locateBashRule, matchBashRule, uncoveredUnits } from "./rule/match.ts";
export { suggestBashRules } from "./rule/suggest.ts";
export type {
  BashAnalysis,
  BashDialect,
  BashOptions,
  PathAccess,
  PathUse,
  Unit,
  UnitAssignment,
  UnitRedirect,
  UnitWord,
} from "./types.ts";
