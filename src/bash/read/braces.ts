/** Brace expansion of words that hold nothing else to expand. */

const MAX_WORDS = 64;

/**
 * Expands `{a,b}` and `{1..3}` as bash does, in order and with duplicates.
 *
 * @param text The word as it is written.
 * @returns The words; undefined where quotes, expansions or rare ranges stand in it, or too many would come out.
 */
export function expandBraces(text: string): string[] | undefined {
  if (!/^[\w@%+=:,./{}*?~^!-]*$/.test(text)) return undefined;
  let words = [text];
  // Each round opens the first brace of every word; what has none any more stays.
  for (let round = 0; round < 16; round += 1) {
    let opened = false;
    const next: string[] = [];
    for (const word of words) {
      const brace = findBrace(word);
      if (brace === "odd") return undefined;
      if (brace === undefined) next.push(word);
      else for (const choice of brace.choices) next.push(word.slice(0, brace.start) + choice + word.slice(brace.end));
      opened ||= brace !== undefined;
      if (next.length > MAX_WORDS) return undefined;
    }
    words = next;
    if (!opened) return words;
  }
  return undefined;
}

function findBrace(word: string): { start: number; end: number; choices: string[] } | "odd" | undefined {
  const start = word.indexOf("{");
  if (start < 0) return undefined;
  let depth = 0;
  let from = start + 1;
  const choices: string[] = [];
  for (let at = start; at < word.length; at += 1) {
    const character = word[at];
    if (character === "{") depth += 1;
    else if (character === "," && depth === 1) {
      choices.push(word.slice(from, at));
      from = at + 1;
    } else if (character === "}") {
      depth -= 1;
      if (depth > 0) continue;
      const last = word.slice(from, at);
      const all = choices.length > 0 ? [...choices, last] : range(last);
      return all === undefined ? "odd" : { start, end: at + 1, choices: all };
    }
  }
  return "odd";
}

function range(body: string): string[] | undefined {
  const match = /^(0|[1-9]\d{0,3})\.\.(0|[1-9]\d{0,3})$/.exec(body);
  if (match === null) return undefined;
  const low = Number(match[1]);
  const high = Number(match[2]);
  const length = Math.abs(high - low) + 1;
  if (length > MAX_WORDS) return undefined;
  return Array.from({ length }, (_, index) => String(low <= high ? low + index : low - index));
}
