/** What changed between two texts, as hunks of lines. */
import { Chunk } from "@codemirror/merge";
import { Text } from "@codemirror/state";

/** One line of a diff. */
export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
  /** From 1; absent for added lines. */
  oldLine?: number;
  /** From 1; absent for removed lines. */
  newLine?: number;
}

/** Lines that changed, with some unchanged ones around. */
export type Hunk = readonly DiffLine[];

/** How many unchanged lines stand around a change. */
const CONTEXT = 3;

/** Longer texts are not compared: the page would stand still. */
export const MAX_COMPARED = 2_000_000;

/** Compares two texts line by line. */
export function compareTexts(before: string, after: string): Hunk[] {
  if (before.length + after.length > MAX_COMPARED) return [];
  const [oldText, newText] = [toText(before), toText(after)];
  const changes = Chunk.build(oldText, newText, { scanLimit: 500, timeout: 200 }).map((chunk) => ({
    old: lineRange(oldText, chunk.fromA, chunk.toA),
    new: lineRange(newText, chunk.fromB, chunk.toB),
  }));
  return groupNeighbours(changes).map((group) => toHunk(group, oldText, newText));
}

/** Reads a unified diff; undefined when the text is none. */
export function readUnifiedDiff(diff: string): Hunk[] | undefined {
  const hunks: DiffLine[][] = [];
  let oldLine = 0;
  let newLine = 0;
  for (const line of diff.split("\n")) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (header !== null) {
      [oldLine, newLine] = [Number(header[1]), Number(header[2])];
      hunks.push([]);
      continue;
    }
    const open = hunks[hunks.length - 1];
    const text = line.slice(1);
    if (open === undefined) continue;
    if (line.startsWith(" ")) open.push({ kind: "same", text, oldLine: oldLine++, newLine: newLine++ });
    else if (line.startsWith("-")) open.push({ kind: "removed", text, oldLine: oldLine++ });
    else if (line.startsWith("+")) open.push({ kind: "added", text, newLine: newLine++ });
  }
  return hunks.length === 0 ? undefined : hunks;
}

/** Counts the lines that came and went. */
export function countChanges(hunks: readonly Hunk[]): { added: number; removed: number } {
  const kinds = hunks.flat().map(({ kind }) => kind);
  return {
    added: kinds.filter((kind) => kind === "added").length,
    removed: kinds.filter((kind) => kind === "removed").length,
  };
}

/** Lines from a number up to another one, which is not part of it. */
interface LineRange {
  from: number;
  to: number;
}

interface LineChange {
  old: LineRange;
  new: LineRange;
}

/** Puts changes together whose surroundings touch. */
function groupNeighbours(changes: readonly LineChange[]): LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups[groups.length - 1];
    const previous = group?.[group.length - 1];
    if (previous !== undefined && change.old.from - previous.old.to <= 2 * CONTEXT) group?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function toHunk(group: readonly LineChange[], oldText: Text, newText: Text): Hunk {
  const lines: DiffLine[] = [];
  const start = group[0] ?? { old: { from: 1, to: 1 }, new: { from: 1, to: 1 } };
  let oldLine = Math.max(1, start.old.from - CONTEXT);
  let newLine = start.new.from - (start.old.from - oldLine);
  const same = (until: number): void => {
    for (; oldLine < until; oldLine += 1, newLine += 1) {
      lines.push({ kind: "same", text: lineAt(oldText, oldLine), oldLine, newLine });
    }
  };
  for (const change of group) {
    same(change.old.from);
    for (; oldLine < change.old.to; oldLine += 1)
      lines.push({ kind: "removed", text: lineAt(oldText, oldLine), oldLine });
    for (; newLine < change.new.to; newLine += 1)
      lines.push({ kind: "added", text: lineAt(newText, newLine), newLine });
  }
  same(Math.min(oldLine + CONTEXT, lineCount(oldText) + 1));
  return lines;
}

function toText(text: string): Text {
  return Text.of(text.split("\n"));
}

/** A final line break begins no line of its own, and an empty text has none. */
function lineCount(text: Text): number {
  return text.line(text.lines).length === 0 ? text.lines - 1 : text.lines;
}

function lineAt(text: Text, number: number): string {
  return text.line(number).text;
}

function lineRange(text: Text, from: number, to: number): LineRange {
  const last = lineCount(text) + 1;
  const first = from > text.length ? last : text.lineAt(from).number;
  const end = to > text.length ? last : text.lineAt(to).number;
  return { from: Math.min(first, last), to: Math.min(Math.max(first, end), last) };
}
