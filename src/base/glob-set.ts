/** Glob patterns that are matched together, without backtracking: what is known of a folder serves all below it. */

import { expandBraces } from "./glob-braces.ts";
import { compileSegment, type Segment } from "./glob-segment.ts";

/** Patterns; a question takes at most the length of all of them × that of the path. */
export interface GlobSet {
  /** Adds a pattern, which gets the next number, from 0. Fails as {@link expandBraces} does. */
  add(pattern: string): void;
  /** Tells what the patterns say of a folder; the empty one stands for where relative paths start. */
  in(folder: string): GlobFolder;
}

/** What patterns say of a folder. */
export interface GlobFolder {
  /** What a name in it may match, in the order of the patterns. */
  ends: readonly GlobEnd[];
  /** Whether a path below it could match. */
  isEntered: boolean;
  /** Whether the folder itself matches. */
  isMatched: boolean;
}

/** A way to match. */
export interface GlobEnd {
  /** The number of the pattern. */
  pattern: number;
  takes(name: string): boolean;
}

/** A folder on the way to the one that was asked about last. */
interface Level {
  name: string;
  /** What its path leads to; nothing where it was given up. */
  states?: readonly number[];
  /** How many states are kept for it and for those above it. */
  kept: number;
  folder?: GlobFolder;
}

/** States that are kept for folders on the way: both a tree and a pattern may be deep. */
const MAX_KEPT_STATES = 1 << 16;

/** Makes a set without patterns. */
export function createGlobSet(): GlobSet {
  const graph = createGraph();
  let levels: Level[] = [{ name: "", states: graph.start, kept: 0 }];
  let count = 0;
  let recent: { path: string; folder: GlobFolder } | undefined;
  /** Gives where names lead, from the last of them that has not changed. */
  const follow = (names: readonly string[]): readonly number[] => {
    let depth = 0;
    while (depth < names.length && levels[depth + 1]?.name === names[depth]) depth += 1;
    levels.length = depth + 1;
    while (depth > 0 && levels[depth]?.states === undefined) depth -= 1;
    let { states = graph.start, kept = 0 } = levels[depth] ?? {};
    for (const [index, name] of names.slice(depth).entries()) {
      states = graph.step(states, name);
      kept += states.length;
      if (kept > MAX_KEPT_STATES) {
        levels = thinned(levels);
        kept = states.length + (levels[levels.length - 1]?.kept ?? 0);
      }
      levels[depth + index + 1] = { name, states, kept };
    }
    return states;
  };
  return {
    add(pattern) {
      for (const alternative of expandBraces(pattern)) graph.add(splitSegments(alternative), count);
      count += 1;
      levels = [{ name: "", states: graph.start, kept: 0 }];
      recent = undefined;
    },
    in(path) {
      // A walk asks about one entry of a folder after the other.
      if (recent?.path === path) return recent.folder;
      const names = path === "" ? [] : splitSegments(path);
      const states = follow(names);
      const level = levels[names.length];
      const folder = level?.folder ?? graph.describe(states);
      if (level !== undefined) level.folder = folder;
      recent = { path, folder };
      return folder;
    },
  };
}

/** Gives up every other of the levels that are kept; from the rest they are quickly found again. */
function thinned(levels: readonly Level[]): Level[] {
  let kept = 0;
  let isKept = false;
  return levels.map((level) => {
    if (level.states !== undefined) isKept = !isKept;
    if (level.states === undefined || !isKept) return { name: level.name, kept };
    kept += level.states.length;
    return { ...level, kept };
  });
}

/** The alternatives of all patterns, one after the other; how much of one is matched is a state. */
interface Graph {
  /** The states before any name. */
  start: readonly number[];
  add(segments: readonly string[], pattern: number): void;
  /** Gives the states that a name leads to, in order. */
  step(states: readonly number[], name: string): number[];
  describe(states: readonly number[]): GlobFolder;
}

function createGraph(): Graph {
  /** What is to come in each state; nothing at the end of an alternative. */
  const segments: (Segment | undefined)[] = [];
  /** How one more name can end a match in each state. */
  const ends: (GlobEnd | undefined)[] = [];
  const start: number[] = [];
  /** The round in which each state was reached last: no state is in a list twice. */
  const rounds: number[] = [];
  let round = 0;
  const reach = (state: number, states: number[]): void => {
    for (let at = state; rounds[at] !== round; at += 1) {
      rounds[at] = round;
      states.push(at);
      // `**` may stand for no segment at all.
      if (segments[at] !== "**") return;
    }
  };
  return {
    start,
    add(names, pattern) {
      const first = segments.length;
      const parts = names.map(compileSegment).filter((part, at, all) => part !== "**" || all[at - 1] !== "**");
      for (const [at, part] of parts.entries()) {
        const takes = part === "**" ? () => true : part;
        const isLast = at === parts.length - 1 || (at === parts.length - 2 && parts[at + 1] === "**");
        segments.push(part);
        ends.push(isLast ? { pattern, takes } : undefined);
      }
      segments.push(undefined);
      ends.push(undefined);
      round += 1;
      reach(first, start);
    },
    step(states, name) {
      const next: number[] = [];
      round += 1;
      for (const state of states) {
        const segment = segments[state];
        if (segment === "**") reach(state, next);
        else if (segment?.(name) === true) reach(state + 1, next);
      }
      return next;
    },
    describe(states) {
      const found = states.flatMap((state) => ends[state] ?? []);
      const isEntered = states.some((state) => segments[state] !== undefined);
      return { ends: found, isEntered, isMatched: states.some((state) => segments[state] === undefined) };
    },
  };
}

/** Splits a path; runs of slashes count as one, and one at the start stands for an empty name. */
function splitSegments(path: string): string[] {
  return path.split("/").filter((segment, index) => segment !== "" || index === 0);
}
