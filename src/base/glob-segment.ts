/** What one segment of a glob pattern says of a name. */

/** Either any number of names, or a test of one. */
export type Segment = "**" | ((name: string) => boolean);

/** Text, or a test of one code point. */
type Piece = string | ((character: string) => boolean);

/** What stands between two stars. */
interface Run {
  pieces: readonly Piece[];
  /** Code points that it takes. */
  length: number;
}

/** Compiles what stands between two slashes. A name takes at most its own length × that of the pattern to match. */
export function compileSegment(segment: string): Segment {
  if (segment === "**") return "**";
  const runs = readRuns(segment).map(runOf);
  const [first = runOf([]), ...others] = runs;
  const last = others.pop();
  const least = runs.reduce((sum, { pieces }) => sum + sizeOf(pieces), 0);
  // Most names have at most one star, and no other wildcard.
  if (others.length === 0 && isText(first) && (last === undefined || isText(last))) {
    const start = textOf(first);
    if (last === undefined) return (name) => name === start;
    const end = textOf(last);
    if (start === "") return (name) => name.endsWith(end);
    return (name) => name.length >= least && name.startsWith(start) && name.endsWith(end);
  }
  if (last === undefined) return (name) => matchRun(first, name, 0) === name.length;
  return (name) => {
    if (name.length < least) return false;
    let at = matchRun(first, name, 0);
    const end = backBy(last.length, name);
    if (at === -1 || end === -1 || matchRun(last, name, end) !== name.length) return false;
    // What comes first takes the least, so nothing has to be tried again.
    for (const run of others) {
      at = findRun(run, name, at);
      if (at === -1) return false;
    }
    return at <= end;
  };
}

function runOf(pieces: readonly Piece[]): Run {
  let length = 0;
  for (const piece of pieces) length += typeof piece === "string" ? [...piece].length : 1;
  return { pieces, length };
}

function isText({ pieces }: Run): boolean {
  return pieces.length === 0 || (pieces.length === 1 && typeof pieces[0] === "string");
}

function textOf({ pieces: [piece = ""] }: Run): string {
  return typeof piece === "string" ? piece : "";
}

/** Gives the UTF-16 units that pieces take at least. */
function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (typeof piece === "string" ? piece.length : 1), 0);
}

/** Gives where a run ends that starts at an index; -1 when it does not match there. */
function matchRun({ pieces }: Run, name: string, from: number): number {
  let at = from;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      if (!name.startsWith(piece, at)) return -1;
      at += piece.length;
    } else {
      const character = characterAt(name, at);
      if (character === "" || !piece(character)) return -1;
      at += character.length;
    }
  }
  return at;
}

/** Gives where the first match of a run ends, from an index on; -1 when there is none. */
function findRun(run: Run, name: string, from: number): number {
  if (isText(run)) {
    const text = textOf(run);
    const found = name.indexOf(text, from);
    return found === -1 ? -1 : found + text.length;
  }
  for (let at = from; at < name.length; at += characterAt(name, at).length) {
    const end = matchRun(run, name, at);
    if (end !== -1) return end;
  }
  return -1;
}

/** Gives where the last code points of a name start; -1 when it has fewer. */
function backBy(count: number, name: string): number {
  let at = name.length;
  for (let left = count; left > 0; left -= 1) {
    if (at === 0) return -1;
    const isPair = isLow(name.charCodeAt(at - 1)) && at > 1 && isHigh(name.charCodeAt(at - 2));
    at -= isPair ? 2 : 1;
  }
  return at;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Gives the code point at an index as text: a surrogate pair is one character. */
function characterAt(text: string, at: number): string {
  const code = text.charCodeAt(at);
  return isHigh(code) ? String.fromCodePoint(text.codePointAt(at) ?? code) : text.charAt(at);
}

/** Reads what stands between stars. */
function readRuns(segment: string): Piece[][] {
  const runs: Piece[][] = [[]];
  const characters = [...segment];
  /** Whether a bracket stays open, as all after it then do: to look for the end of each would take for ever. */
  let isOpen = false;
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    const pieces = runs[runs.length - 1] ?? [];
    if (character === "*") {
      // Stars side by side are one.
      if (runs.length === 1 || pieces.length > 0) runs.push([]);
      continue;
    }
    const read: ReadClass | undefined = character === "[" && !isOpen ? readClass(characters, at) : undefined;
    isOpen ||= character === "[" && read === undefined;
    if (read !== undefined) {
      pieces.push(read.test);
      at = read.end;
    } else if (character === "?") pieces.push(() => true);
    else {
      if (character === "\\" && at + 1 < characters.length) at += 1;
      addText(pieces, characters[at] ?? "");
    }
  }
  return runs;
}

function addText(pieces: Piece[], text: string): void {
  const last = pieces[pieces.length - 1];
  if (typeof last === "string") pieces[pieces.length - 1] = last + text;
  else pieces.push(text);
}

interface ReadClass {
  test(character: string): boolean;
  /** Where its bracket is closed. */
  end: number;
}

/** Reads a class and gives where it ends; nothing when it does not. */
function readClass(characters: readonly string[], start: number): ReadClass | undefined {
  let at = start + 1;
  const negated = characters[at] === "!" || characters[at] === "^";
  if (negated) at += 1;
  const ranges: [number, number][] = [];
  const literal = (): number => {
    if (characters[at] === "\\" && at + 1 < characters.length) at += 1;
    const code = characters[at]?.codePointAt(0) ?? 0;
    at += 1;
    return code;
  };
  for (let first = true; at < characters.length; first = false) {
    if (characters[at] === "]" && !first)
      return { test: (character) => inRanges(ranges, character.codePointAt(0) ?? 0) !== negated, end: at };
    const low = literal();
    const isRange = characters[at] === "-" && at + 1 < characters.length && characters[at + 1] !== "]";
    if (isRange) at += 1;
    ranges.push([low, isRange ? literal() : low]);
  }
  return undefined;
}

function inRanges(ranges: readonly [number, number][], code: number): boolean {
  return ranges.some(([low, high]) => low <= code && code <= high);
}
