/** Reads the rules of one `.gitignore`. */

import type { Ignore } from "ignore";
import { compileGlob } from "../base/glob.ts";
import { MAX_PATH_LENGTH } from "../base/path.ts";
import type { Breather } from "./breather.ts";
import { MAX_GITIGNORE_LINES } from "./search.ts";

/** Some rules of one file. */
export interface IgnoreRules {
  /**
   * Tells what the rules say of a path.
   *
   * @param path Relative to the directory of the file.
   * @returns Undefined when no rule is about it.
   */
  judge(path: string, isDirectory: boolean): "ignored" | "kept" | undefined;
  /** Gives rules for what is in a directory that these leave out, but that is entered all the same. */
  within(directory: string): IgnoreRules;
  /** How many lines it has. */
  readonly size: number;
}

/** Lines that are compiled together; files of a usual length are one part. */
const LINES_AT_ONCE = 128;

/** What compiling a line costs, in the units of a breather. */
const LINE_UNITS = 4096;

/** Stars of a line up to which an expression is sure to be quick, whatever the name it is matched with. */
const FEW_STARS = 2;

/**
 * Reads the rules of a file.
 *
 * Lines with many stars could take an expression for ever, so they are matched in another way, each as a part of its
 * own; those too long to be matched at all are passed over.
 *
 * @param text The file.
 * @param breather Pauses between parts, and between lines.
 * @returns Parts of which a later one decides before an earlier one.
 */
export async function readRules(text: string, breather: Breather): Promise<IgnoreRules[]> {
  const lines = text
    .split(/\r?\n/, MAX_GITIGNORE_LINES)
    .filter((line) => line.trim() !== "" && !line.startsWith("#") && line.length <= MAX_PATH_LENGTH);
  if (lines.length === 0) return [];
  const { default: createIgnore } = await import("ignore");
  const parts: IgnoreRules[] = [];
  let plain: string[] = [];
  const endPlain = (): void => {
    if (plain.length > 0) parts.push(libraryRules(createIgnore, plain));
    plain = [];
  };
  for (const line of lines) {
    if (countStars(line) <= FEW_STARS) {
      plain.push(line);
      if (plain.length === LINES_AT_ONCE) endPlain();
      await breather.spend(LINE_UNITS);
      continue;
    }
    await breather.spend(LINE_UNITS);
    const rule = starRule(line);
    if (rule === undefined) continue;
    endPlain();
    parts.push(rule);
  }
  endPlain();
  return parts;
}

function countStars(line: string): number {
  return line.match(/\*+/g)?.length ?? 0;
}

type CreateIgnore = (options: { ignorecase: boolean }) => Ignore;

function libraryRules(createIgnore: CreateIgnore, lines: readonly string[]): IgnoreRules {
  const ignore = createIgnore({ ignorecase: false }).add(lines.join("\n"));
  // Now, not when the first entries are asked about: engines compile an expression when it is needed, and better the next time.
  for (const path of ["x", "y"]) ignore.test(path);
  return {
    judge(path, isDirectory) {
      const { ignored, unignored } = ignore.test(isDirectory ? `${path}/` : path);
      return ignored ? "ignored" : unignored ? "kept" : undefined;
    },
    within: (directory) =>
      // The library leaves out all that is in a directory it leaves out, so that one is brought back by name.
      libraryRules(createIgnore, [...lines, `!/${directory.replace(/[\\*?[\]!# ]/g, "\\$&")}/`]),
    size: lines.length,
  };
}

/** Reads one line with the matcher for globs, which never goes back. */
function starRule(line: string): IgnoreRules | undefined {
  const isNegative = line.startsWith("!");
  const body = line.slice(isNegative ? 1 : 0).replace(/(\\.)| +$/g, (_, escaped: string | undefined) => escaped ?? "");
  const isForDirectories = body.endsWith("/");
  const pattern = body.replace(/\/$/, "");
  // Classes by name are another syntax there.
  if (pattern === "" || pattern.includes("[:")) return undefined;
  const matches = compileOrNothing(toGlob(pattern));
  if (matches === undefined) return undefined;
  const rules: IgnoreRules = {
    judge(path, isDirectory) {
      if ((isForDirectories && !isDirectory) || !matches(path)) return undefined;
      return isNegative ? "kept" : "ignored";
    },
    within: () => rules,
    size: 1,
  };
  return rules;
}

function toGlob(pattern: string): string {
  const segments = pattern
    .replace(/\\.|[{}]/g, (found) => (found.length > 1 ? found : `\\${found}`))
    .split("/")
    .map((segment) => (/^\*{2,}$/.test(segment) ? "**" : segment));
  if (segments.length === 1) return `**/${segments.join("")}`;
  // What is in a directory, not the directory.
  if (segments[segments.length - 1] === "**") segments.push("*");
  return segments.join("/").replace(/^\/+/, "");
}

function compileOrNothing(glob: string): ((path: string) => boolean) | undefined {
  try {
    return compileGlob(glob);
  } catch {
    return undefined;
  }
}
