/** What one segment of a glob pattern says of a name. */

type Token =
  | { kind: "text"; text: string }
  | { kind: "one" }
  | { kind: "many" }
  | { kind: "class"; test(character: string): boolean };
export type Segment = "**" | ((name: string) => boolean);

export function compileSegment(segment: string): Segment {
  if (segment === "**") return "**";
  const tokens: Token[] = [];
  const characters = [...segment];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    if (character === "*") {
      if (tokens[tokens.length - 1]?.kind !== "many") tokens.push({ kind: "many" });
    } else if (character === "?") tokens.push({ kind: "one" });
    else if (character === "[") {
      const read = readClass(characters, at);
      tokens.push(read.token);
      at = read.end;
    } else {
      if (character === "\\" && at + 1 < characters.length) at += 1;
      tokens.push({ kind: "text", text: characters[at] ?? "" });
    }
  }
  return matcherOf(tokens);
}

/** Most names are matched with text and a star at one end of it, which needs no tokens. */
function matcherOf(tokens: readonly Token[]): (name: string) => boolean {
  const [first] = tokens;
  const last = tokens[tokens.length - 1];
  const isText = (token: Token): token is Token & { kind: "text" } => token.kind === "text";
  const texts = tokens.filter(isText);
  const text = texts.map((token) => token.text).join("");
  if (texts.length === tokens.length) return (name) => name === text;
  if (texts.length === tokens.length - 1 && first?.kind === "many") return (name) => name.endsWith(text);
  if (texts.length === tokens.length - 1 && last?.kind === "many") return (name) => name.startsWith(text);
  return (name) => matchName(tokens, name);
}

function readClass(characters: readonly string[], start: number): { token: Token; end: number } {
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
    if (characters[at] === "]" && !first) {
      const test = (character: string): boolean => inRanges(ranges, character.codePointAt(0) ?? 0) !== negated;
      return { token: { kind: "class", test }, end: at };
    }
    const low = literal();
    const isRange = characters[at] === "-" && at + 1 < characters.length && characters[at + 1] !== "]";
    if (isRange) at += 1;
    ranges.push([low, isRange ? literal() : low]);
  }
  return { token: { kind: "text", text: "[" }, end: start };
}

function inRanges(ranges: readonly [number, number][], code: number): boolean {
  return ranges.some(([low, high]) => low <= code && code <= high);
}

/** Matches one name; a failure goes back to the last `*` only, which is enough because earlier ones took the least. */
function matchName(tokens: readonly Token[], name: string): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let mark = 0;
  while (at < name.length) {
    const current = tokens[token];
    const character = characterAt(name, at);
    if (current?.kind === "many") {
      star = token;
      mark = at;
      token += 1;
    } else if (current !== undefined && matchOne(current, character)) {
      token += 1;
      at += character.length;
    } else if (star >= 0) {
      token = star + 1;
      mark += characterAt(name, mark).length;
      at = mark;
    } else return false;
  }
  while (tokens[token]?.kind === "many") token += 1;
  return token === tokens.length;
}

/** Gives the code point at an index as text: a surrogate pair is one character. */
function characterAt(text: string, at: number): string {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff ? String.fromCodePoint(text.codePointAt(at) ?? code) : text.charAt(at);
}

function matchOne(token: Token, character: string): boolean {
  if (token.kind === "text") return token.text === character;
  return token.kind === "one" || (token.kind === "class" && token.test(character));
}
