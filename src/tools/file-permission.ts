/** What the file tools tell the permission engine: dangerous files, the workspace, rules over paths. */

import type { Backend } from "../backend/backend.ts";
import type { DangerousPaths } from "../base/dangerous-paths.ts";
import type { PermissionRule } from "../message/permission-data.ts";
import type { PermissionFinding } from "../permission/decision.ts";
import type { PermissionCheck, ToolOpinion } from "../permission/subject.ts";
import { lazy } from "./lazy.ts";

/** The input that all file tools share. */
export interface FileInput {
  file_path: string;
}

/** The rule half of the permission seam of a file tool. */
export interface FileRules {
  matchRule(content: string, input: FileInput, rule: PermissionRule): Promise<boolean>;
  locateRule(content: string, input: FileInput): Promise<PermissionFinding[]>;
  generateSuggestions(input: FileInput): Promise<PermissionRule[]>;
}

/** The whole permission seam of a tool that writes files. */
export interface WritePermission extends FileRules {
  checkPermissions(input: FileInput, check: PermissionCheck): Promise<ToolOpinion>;
}

/** Tells why a call is bound to fail, so that nobody is asked about it; undefined when nothing is known. */
export type WhyNot = (path: string, state: unknown) => Promise<string | undefined>;

// What checks is loaded when the first call is decided over: a host without rules never needs it.

/** Makes the rule half of the seam: globs over `file_path`, and the folder of the file as a suggestion. */
export function fileRules(tool: string, backend: Backend): FileRules {
  return deferRules(lazy(async () => (await import("./file-check.ts")).fileRuleChecks(tool, backend)));
}

/**
 * Makes the seam of a tool that writes files: a call that cannot succeed is denied with the reason, a dangerous file is
 * asked about whatever rules say; in the modes `accept_edits` and `dont_ask` files in a working directory pass. Both
 * look at the path and at what it really is.
 *
 * @param tool The name of the tool.
 * @param backend Where the files are; its `cwd` is a working directory.
 * @param added What is dangerous beside the defaults.
 * @param whyNot Tells what stands against a call from the start.
 */
export function writePermission(
  tool: string,
  backend: Backend,
  added: DangerousPaths,
  whyNot?: WhyNot,
): WritePermission {
  const load = lazy(async () => (await import("./file-check.ts")).writeChecks(tool, backend, added, whyNot));
  return {
    ...deferRules(load),
    checkPermissions: async (input, check) => (await load()).checkPermissions(input, check),
  };
}

function deferRules(load: () => Promise<FileRules>): FileRules {
  return {
    matchRule: async (...details) => (await load()).matchRule(...details),
    locateRule: async (...details) => (await load()).locateRule(...details),
    generateSuggestions: async (input) => (await load()).generateSuggestions(input),
  };
}
