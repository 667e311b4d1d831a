/** Mends the JSON of a model where nothing has to be guessed. */

import { type ParsedArguments, parseObject } from "./json.ts";

/**
 * Reads the arguments text of a tool call as an object.
 *
 * What {@link parseObject} refuses is tried once more without a fence around it and without trailing commas, and with
 * the brackets closed that are open behind a *complete* value. A string or number that was cut is never completed:
 * acting on half an argument is worse than asking again.
 *
 * @param text The arguments as the model wrote them; null and undefined count as empty.
 */
export function parseArguments(text: string | null | undefined): ParsedArguments {
  const strict = parseObject(text);
  if (strict.ok) return strict;
  const mended = mendJson((text ?? "").trim());
  const again = mended === undefined || mended === "" ? strict : parseObject(mended);
  return again.ok ? { ...again, repaired: true } : strict;
}

/**
 * Drops a code fence and trailing commas, and closes the brackets that are open behind a complete value.
 *
 * It takes one pass, so its time is linear in the text. The outcome may still be no JSON: it has to be parsed.
 *
 * @param source The text, without white space around it.
 * @returns The mended text; undefined when it ends within a string, number or word, or its brackets do not match.
 */
export function mendJson(source: string): string | undefined {
  const text = unfence(source);
  // An empty fence is no answer, unlike an empty text.
  if (text === "") return undefined;
  const closers: string[] = [];
  let mended = "";
  /** Up to where the text has been taken over into `mended`. */
  let copied = 0;
  /** The last character that is no white space. */
  let last = "";
  /** Where the comma stands that it is, or -1. */
  let comma = -1;
  const dropComma = (): void => {
    if (comma === -1) return;
    mended += text.slice(copied, comma);
    copied = comma + 1;
    comma = -1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isSpace(character)) continue;
    if (character === '"') {
      at = endOfString(text, at);
      if (at === -1) return undefined;
    } else if (character === "{" || character === "[") closers.push(character === "{" ? "}" : "]");
    else if (character === "}" || character === "]") {
      if (closers.pop() !== character) return undefined;
      dropComma();
    }
    // A comma right behind an opening bracket is no trailing comma.
    comma = character === "," && last !== "{" && last !== "[" ? at : -1;
    last = character;
  }
  if (closers.length === 0) return mended + text.slice(copied);
  if (comma === -1 && !endsComplete(text, last)) return undefined;
  dropComma();
  return mended + text.slice(copied) + closers.reverse().join("");
}

function unfence(text: string): string {
  if (!text.startsWith("```")) return text;
  const body = text.slice(/^```[a-z]*/i.exec(text)?.[0].length ?? 0);
  return body.endsWith("```") ? body.slice(0, -3).trim() : body.trim();
}

/** Finds the closing quote of the string that begins at a quote; -1 when there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return at;
    if (character === "\\") at += 1;
  }
  return -1;
}

/** A number may go on, so only the ends of strings, brackets and whole words are complete. */
function endsComplete(text: string, last: string): boolean {
  return last === '"' || last === "}" || last === "]" || /(?:true|false|null)$/.test(text.slice(-5));
}

function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\r" || character === "\t";
}
