/** The words a loop goes through, and what its variable then holds. */

import type { For, Select } from "unbash";
import { textsOf } from "../read/argument.ts";
import { isSteering, noteAssigned } from "../read/variables.ts";
import { readSingle, readWord } from "../read/word.ts";
import { noteAt, takeArguments } from "../scan.ts";
import type { Argument, Scan, Value } from "../state.ts";

/** Reads the words and gives them to the variable. */
export function walkLoopWords(scan: Scan, node: For | Select): void {
  const from = scan.pending.count;
  for (const word of node.wordlist ?? []) readWord(scan, word);
  const words = takeArguments(scan, from);
  const name = readSingle(scan, node.name).text ?? "";
  const value = node.type === "For" && node.wordlist !== undefined ? joinValues(words) : undefined;
  noteAssigned(scan, name, value);
  if (!/^[A-Za-z_]\w*$/.test(name) || isSteering(name)) noteAt(scan, "injection", "shadowing", node.name, name);
}

function joinValues(words: readonly Argument[]): Value {
  if (words.every((word) => word.names)) return { names: true };
  const globs = words.filter((word) => word.glob !== undefined);
  const texts = words.flatMap((word) => textsOf(word) ?? []);
  const allKnown = words.every((word) => word.glob !== undefined || textsOf(word) !== undefined);
  if (!allKnown || texts.length > 16) return {};
  if (globs.length === 0) return { texts, tilde: words.some((word) => word.tilde) };
  // One pattern stands for all of them where none can leave the folder it starts from.
  const inside = [...globs.map((word) => word.glob ?? ""), ...texts].every(
    (text) => /^[\w*?[\]][^/~$]*(\/|$)/.test(text) && !text.includes(".."),
  );
  const [first] = globs;
  if (globs.length === 1 && texts.length === 0 && first !== undefined && !first.tilde) return { glob: first.glob };
  return inside ? { names: true } : {};
}
