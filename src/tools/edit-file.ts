/** What Edit does: replaces text in a file that is known, and explains what does not fit. */

import type { Backend } from "../backend/backend.ts";
import { type Breather, CHECK_UNITS, createBreather, takeInTurns } from "../backend/breather.ts";
import { equalBytes } from "../base/bytes.ts";
import { findPlaces } from "../base/find-text.ts";
import { countEnds } from "../base/line-ends.ts";
import type { LongText } from "../base/long-text.ts";
import type { Steps } from "../base/steps.ts";
import { plural } from "../base/text.ts";
import type { ToolChunk } from "../message/blocks.ts";
import type { ToolCallContext } from "../tool/tool.ts";
import { ToolResult } from "../tool/tool-result.ts";
import { refusal } from "./answer.ts";
import { isConflict, lookUpForChange, requireWellFormed, writeChange } from "./change-file.ts";
import { type Replacement, replaceText } from "./edit-text.ts";
import { requireFile, type Target } from "./file-access.ts";
import { createFileText, type FileText } from "./file-text.ts";
import { MAX_EDIT_BYTES } from "./limits.ts";
import { explainMiss, showAround } from "./near-miss.ts";
import { toPath } from "./paths.ts";
import { plainBreaks, toPlain, withBreaks } from "./plain-text.ts";
import { readWhole } from "./read-file.ts";
import { requireKnown } from "./read-memory.ts";
import { decodeTextSteps, detectForm, encodeTextSteps, isBinary, type TextFile, toFileText } from "./text-file.ts";
import { inTurn } from "./turns.ts";

/** What to edit. */
export interface EditCall {
  backend: Backend;
  /** The path as the model wrote it. */
  path: string;
  /** The first replacement; two empty texts stand for none when there are further ones. */
  first: Replacement;
  further: readonly Replacement[];
  call: ToolCallContext;
}

/** How often a call starts again because another one wrote the same file in between. */
const MAX_ATTEMPTS = 8;

/**
 * Makes all replacements or none. When another call has written the same file between reading and writing, everything
 * starts again, checks included.
 *
 * @throws HoldallError when nothing was written.
 */
export async function editFile(edit: EditCall): Promise<ToolChunk> {
  const { backend, path, first, further, call } = edit;
  const replacements = listReplacements(first, further);
  return inTurn(call.state, toPath(backend, path), call.signal, () => editInTurn(edit, replacements));
}

async function editInTurn({ backend, path, call }: EditCall, replacements: readonly Replacement[]): Promise<ToolChunk> {
  const breather = createBreather();
  for (let attempt = 1; ; attempt += 1) {
    const target = await lookUpForChange(backend, path, call.signal);
    const isNew = target.stat === undefined && replacements[0]?.old_string === "";
    const old = isNew ? noFile : await readText({ backend, target, replacements, breather, call });
    const { text, count } = await applyAll(target, old.file.text, replacements, breather, call.signal);
    const bytes = await takeInTurns(encodeTextSteps(text, old.file), breather, call.signal);
    if (!isNew && equalBytes(bytes, old.bytes)) throw refusal(describeStill(target.path, replacements));
    const change = { target, before: old.file.text, after: text, bytes, ifVersion: old.version, breather };
    try {
      const facts = await writeChange(backend, change, call);
      return ToolResult.success(isNew ? `Created ${target.path}.` : describe(target.path, count, replacements), {
        ...facts,
        occurrences: count,
      });
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (attempt === MAX_ATTEMPTS)
        throw refusal(
          `${target.path} is being changed all the time; nothing was written. Read it again, then repeat the call.`,
        );
    }
  }
}

interface OldFile {
  file: TextFile<FileText>;
  bytes: Uint8Array;
  version: string | null;
}

const noBytes = /* @__PURE__ */ new Uint8Array();

const noFile: OldFile = {
  file: { text: createFileText([]), ...detectForm(noBytes) },
  bytes: noBytes,
  version: null,
};

interface Reading extends Pick<EditCall, "backend" | "call"> {
  target: Target;
  replacements: readonly Replacement[];
  breather: Breather;
}

/** Reads the file as text that can be written back without loss, and makes sure that the model knows it. */
async function readText({ backend, replacements, breather, call, ...found }: Reading): Promise<OldFile> {
  const target = await requireFile(backend, found.target, call.signal);
  const { bytes, version } = await readWhole(backend, target, MAX_EDIT_BYTES, call.signal);
  await breather.spend(bytes.length);
  const file = isBinary(bytes) ? undefined : await takeInTurns(decodeTextSteps(bytes), breather, call.signal);
  const whereNow =
    file && ((): Promise<string> => takeInTurns(findNow(file.text, replacements), breather, call.signal));
  await requireKnown(call.state, target, { bytes, version }, whereNow);
  if (file !== undefined) return { file, bytes, version };
  throw refusal(
    `${target.path} is not valid UTF-8 or UTF-16 text, so an edit would damage it; nothing was written. Use a program that knows its encoding.`,
  );
}

/** Shows where the first text to replace stands in a file that has changed. */
function* findNow(text: FileText, replacements: readonly Replacement[]): Steps<string> {
  const wanted = replacements[0]?.old_string ?? "";
  if (wanted === "") return "";
  const { plain } = yield* toPlain(text);
  const [place] = yield* findPlaces(plain, { wanted: plainBreaks(wanted), overlapping: true, most: 1 });
  if (place === undefined) return `old_string is not in it any more. ${yield* explainMiss(text, wanted)}`;
  const line = 1 + (yield* countEnds(plain, "\n", 0, place));
  return `old_string now stands at line ${line}:\n${showAround(plain, place, line)}`;
}

/** Makes the replacements one after the other; aborts and everything else get their turn in between. */
async function applyAll(
  target: Target,
  text: FileText,
  replacements: readonly Replacement[],
  breather: Breather,
  signal: AbortSignal,
): Promise<{ text: FileText; count: number }> {
  // An edit may take out the last line end, and a later one put lines in again.
  const usual = firstEnd(text);
  let now = text;
  let count = 0;
  for (const [index, replacement] of replacements.entries()) {
    const name = replacements.length > 1 ? `Edit ${index + 1} of ${replacements.length}: ` : "";
    const done = await takeInTurns(applyOne(target, now, replacement, usual, name), breather, signal);
    now = done.text;
    count += done.count;
    await breather.spend(CHECK_UNITS);
    signal.throwIfAborted();
  }
  return { text: now, count };
}

/** Gives the first line end of a text; undefined when there is none. */
function firstEnd(text: LongText): string | undefined {
  const [lf, cr] = [text.indexOf("\n", 0), text.indexOf("\r", 0)];
  if (cr < 0) return lf < 0 ? undefined : "\n";
  return lf >= 0 && lf < cr ? "\n" : text.slice(cr, cr + 2) === "\r\n" ? "\r\n" : "\r";
}

function* applyOne(
  target: Target,
  text: FileText,
  replacement: Replacement,
  usual: string | undefined,
  name: string,
): Steps<{ text: FileText; count: number }> {
  const { old_string, new_string } = replacement;
  if (plainBreaks(old_string) === plainBreaks(new_string))
    throw refusal(`${name}old_string and new_string are the same; nothing was written. Say what should change.`);
  if (old_string === "") {
    if (text.length === 0) {
      const fresh = usual === undefined ? new_string : withBreaks(plainBreaks(new_string), usual);
      return { text: toFileText(fresh), count: 1 };
    }
    throw refusal(
      `${name}old_string is empty but ${target.path} is not; nothing was written. Use the text to replace, or Write for the whole file.`,
    );
  }
  const done = yield* replaceText(text, replacement, usual);
  if (!done.ok) throw refusal(name + (yield* describeProblem(target, text, old_string, done.lines)));
  return done;
}

function* describeProblem({ path }: Target, text: FileText, wanted: string, lines: readonly number[]): Steps<string> {
  if (lines.length === 0)
    return `old_string was not found in ${path}; nothing was written. ${yield* explainMiss(text, wanted)}`;
  const places = [...new Set(lines)];
  const shown = places.slice(0, 10).join(", ") + (places.length > 10 ? ", …" : "");
  return `old_string stands ${lines.length} times in ${path} (${places.length === 1 ? "line" : "lines"} ${shown}); nothing was written. Add lines around it until it is unique, or set replace_all.`;
}

function describe(path: string, count: number, replacements: readonly Replacement[]): string {
  if (replacements.length > 1)
    return `Made ${plural(replacements.length, "edit")} (${plural(count, "occurrence")}) in ${path}.`;
  return count === 1 ? `Replaced 1 occurrence in ${path}.` : `Replaced all ${count} occurrences in ${path}.`;
}

function describeStill(path: string, replacements: readonly Replacement[]): string {
  const what = replacements.length > 1 ? "The edits together leave" : "The edit leaves";
  return `${what} ${path} as it was; nothing was written. Say what should change.`;
}

/** An empty first pair stands for none when there are further edits. */
function listReplacements(first: Replacement, further: readonly Replacement[]): Replacement[] {
  const isEmpty = first.old_string === "" && first.new_string === "" && further.length > 0;
  const all = isEmpty ? [...further] : [first, ...further];
  for (const { old_string, new_string } of all) {
    requireWellFormed("old_string", old_string);
    requireWellFormed("new_string", new_string);
  }
  return all;
}
