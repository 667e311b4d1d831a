/** Finds rules over paths that do nothing, or allow more than anybody means. */

import { dangerousPaths } from "../base/dangerous-paths.ts";
import { compileGlob } from "../base/glob.ts";
import { MAX_GLOB_LENGTH } from "../base/glob-braces.ts";
import type { RuleBehavior } from "../message/permission-data.ts";

/** A problem of a rule. */
export interface PathRuleProblem {
  /** `inert`: it never does what it seems to. `broad`: it allows nearly anything. */
  code: "inert" | "broad";
  /** A sentence for people. */
  message: string;
}

/** What a glob may start with that is no part of a path. */
const foreign = /^(!|[a-z][a-z\d+.-]+:\/\/|~[^/]|[A-Za-z]:[\\/])/i;

/**
 * Looks for problems of a rule over paths, as Read, Write, Edit, Glob and Grep have them; for command lines there is
 * `lintBashRule` in `holdall/bash`.
 *
 * @param content What the rule says: a glob such as `src/**`.
 * @param behavior What the rule does. Defaults to `allow`.
 * @returns The problems; empty for a rule that does what it seems to do.
 */
export function lintPathRule(content: string, behavior: RuleBehavior = "allow"): PathRuleProblem[] {
  // Without a content, a rule is about the whole tool and says so.
  if (content === "") return [];
  const message = whyInert(content);
  if (message !== undefined) return [{ code: "inert", message }];
  if (behavior !== "allow") return [];
  if (dangerousPaths()(content.replace(/\\(.)/g, "$1").replace(/\/\*\*?$/, ""))) {
    return [{ code: "inert", message: "No rule silences the question about a file that configures programs." }];
  }
  if (/^(~?\/|(\.\.\/)+)(\*\*?\/)*\*?\*?$/.test(content)) {
    return [
      { code: "broad", message: "This reaches far beyond the workspace. Name a folder in front of the wildcard." },
    ];
  }
  return [];
}

function whyInert(content: string): string | undefined {
  if (content !== content.trim()) return "Blanks at its ends are part of the path. Leave them out.";
  if (content.endsWith(":*"))
    return "Only rules for Bash end with :* in this way. Write folder/** for all in a folder.";
  if (content.length > MAX_GLOB_LENGTH || !compiles(content)) {
    return "This is too long or has too many alternatives to be compared. Split it.";
  }
  const start = foreign.exec(content)?.[0];
  if (start !== undefined) {
    return start === "!"
      ? "A ! in front does not turn a rule around. Write a deny rule instead."
      : `A path does not start with ${start} here. Start it with /, with ~/, or in the working directory.`;
  }
  if (/\\(?![\\*?[\]{}!,])/.test(content))
    return "A backslash does not separate folders, also on Windows. Write slashes.";
  if (/[^/]\*\*|\*\*[^/]/.test(content.replace(/\\./g, "x").replace(/\{[^}]*\}/g, "x"))) {
    return "Next to other characters ** is no more than *, and stays in one folder. Put slashes around it.";
  }
  return undefined;
}

function compiles(content: string): boolean {
  try {
    compileGlob(content);
    return true;
  } catch {
    return false;
  }
}
