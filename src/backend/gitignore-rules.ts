/** Reads the rules of one `.gitignore`. */

import type { Ignore } from "ignore";
import { MAX_GLOB_LENGTH } from "../base/glob-braces.ts";
import { createGlobSet } from "../base/glob-set.ts";
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
  /** What judging a path may cost, in the units of a breather. */
  readonly units: number;
}

/** Lines that are compiled and asked about together, without a pause; files of a usual length are one part. */
const LINES_AT_ONCE = 128;

/** Text of all lines with many stars that are compiled and asked about together, in UTF-16 units. */
const TEXT_AT_ONCE = 8192;

/** What compiling a line costs, in the units of a breather. */
const LINE_UNITS = 4096;

/** What compiling each UTF-16 unit of a line with many stars costs beside it. */
const TEXT_UNITS = 256;

/** What asking a part costs, in the units of a breather. */
const PART_UNITS = 512;

/** What asking a rule costs beside it, or each UTF-16 unit of one with many stars. */
const RULE_UNITS = 64;

/** What the matcher for globs reads in another way than git. */
const NAMED_CLASS = "[:";

/** Stars of a line up to which an expression is sure to be quick, whatever the name it is matched with. */
const FEW_STARS = 2;

/**
 * Reads the rules of a file.
 *
 * Lines with many stars could take an expression for ever, so they are matched in another way, as parts of their own;
 * those too long to be matched at all are passed over.
 *
 * @param text The file.
 * @param breather Pauses between lines.
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
  let starred = createStarRules();
  const endPart = (): void => {
    if (plain.length > 0) parts.push(libraryRules(createIgnore, plain));
    if (starred.count > 0) parts.push(starred);
    plain = [];
    starred = createStarRules();
  };
  for (const line of lines) {
    // What follows such a line is matched with it: alone, each of many would be a part.
    const isJoined = starred.count > 0 && !starred.isFull && !line.includes(NAMED_CLASS);
    const isPlain = !isJoined && countStars(line) <= FEW_STARS;
    if (isPlain ? starred.count > 0 || plain.length === LINES_AT_ONCE : plain.length > 0 || starred.isFull) endPart();
    if (isPlain) plain.push(line);
    else starred.add(line);
    await breather.spend(isPlain ? LINE_UNITS : LINE_UNITS + TEXT_UNITS * line.length);
  }
  endPart();
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
    units: PART_UNITS + RULE_UNITS * lines.length,
  };
}

/** What a line with many stars says. */
interface StarRule {
  verdict: "ignored" | "kept";
  isForDirectories: boolean;
}

/** Rules that the matcher for globs reads, which never goes back. */
interface StarRules extends IgnoreRules {
  readonly count: number;
  /** Whether the next line should be in another part. */
  readonly isFull: boolean;
  add(line: string): void;
}

function createStarRules(): StarRules {
  const rules: StarRule[] = [];
  const globs = createGlobSet();
  let text = 0;
  const all: StarRules = {
    add(line) {
      const isNegative = line.startsWith("!");
      const body = line
        .slice(isNegative ? 1 : 0)
        .replace(/(\\.)| +$/g, (_, escaped: string | undefined) => escaped ?? "");
      const glob = toGlob(body.replace(/\/$/, ""));
      if (glob === undefined) return;
      globs.add(glob);
      rules.push({ verdict: isNegative ? "kept" : "ignored", isForDirectories: body.endsWith("/") });
      text += glob.length;
    },
    judge(path, isDirectory) {
      const cut = path.lastIndexOf("/");
      const { ends } = globs.in(path.slice(0, Math.max(cut, 0)));
      const name = path.slice(cut + 1);
      for (let at = ends.length - 1; at >= 0; at -= 1) {
        const end = ends[at];
        const rule = rules[end?.pattern ?? 0];
        if ((rule?.isForDirectories !== true || isDirectory) && end?.takes(name) === true) return rule?.verdict;
      }
      return undefined;
    },
    within: () => all,
    get count() {
      return rules.length;
    },
    get isFull() {
      return rules.length >= LINES_AT_ONCE || text >= TEXT_AT_ONCE;
    },
    get units() {
      return PART_UNITS + RULE_UNITS * text;
    },
  };
  return all;
}

/** Gives nothing for what is no glob: too long, or in another syntax. */
function toGlob(pattern: string): string | undefined {
  if (pattern === "" || pattern.includes(NAMED_CLASS)) return undefined;
  const segments = pattern
    .replace(/\\.|[{}]/g, (found) => (found.length > 1 ? found : `\\${found}`))
    .split("/")
    .map((segment) => (/^\*{2,}$/.test(segment) ? "**" : segment));
  // What is in a directory, not the directory.
  if (segments.length > 1 && segments[segments.length - 1] === "**") segments.push("*");
  const glob = segments.length === 1 ? `**/${segments.join("")}` : segments.join("/").replace(/^\/+/, "");
  return glob.length > MAX_GLOB_LENGTH ? undefined : glob;
}
