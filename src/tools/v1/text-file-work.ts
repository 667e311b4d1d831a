/** What the text file tools do: view, list, write and insert, inside a base directory. */

import { type Breather, createBreather, takeInTurns } from "../../backend/breather.ts";
import type { JsonObject } from "../../base/json.ts";
import { childPath } from "../../base/path.ts";
import type { Steps } from "../../base/steps.ts";
import type { ToolChunk } from "../../message/blocks.ts";
import type { ToolCallContext } from "../../tool/tool.ts";
import { ToolResult } from "../../tool/tool-result.ts";
import { refusal } from "../answer.ts";
import { isConflict, lookUpForChange, requireWellFormed, writeChange } from "../change-file.ts";
import { type FileTarget, lookUp, type Target } from "../file-access.ts";
import { type FileText, type Splice, spliceText } from "../file-text.ts";
import { MAX_EDIT_BYTES } from "../limits.ts";
import { readWhole } from "../read-file.ts";
import { remember } from "../read-memory.ts";
import {
  decodeTextSteps,
  detectForm,
  encodeTextSteps,
  isBinary,
  type TextFile,
  type TextForm,
  toFileText,
} from "../text-file.ts";
import type { BaseDirectory } from "./base-directory.ts";
import { type FileLines, findLines, numberLines, spliceOfLines } from "./file-lines.ts";
import { fromStart, type LineRange, linesAround, linesToShow, requireRange } from "./line-ranges.ts";

/** The most entries that one listing shows. */
export const MAX_LISTED = 2000;

/** Lines that are shown on both sides of a change. */
const AROUND = 5;

/** One call of a text file tool. */
export interface TextFileCall {
  base: BaseDirectory;
  /** The path as the model wrote it. */
  path: string;
  call: ToolCallContext;
}

/**
 * Shows a file, or a range of its lines.
 *
 * @throws HoldallError when it cannot.
 */
export async function viewTextFile({ base, path, call }: TextFileCall, ranges?: string): Promise<string> {
  const target = await findFile({ base, path, call });
  const range = requireRange(ranges);
  const { lines, version, bytes, breather } = await readLines({ base, path, call }, target);
  remember(call.state, target.real, { version, bytes });
  const shown: LineRange = range === undefined ? [1, lines.count] : linesToShow(range, lines.count);
  const where = range === undefined ? "" : ` in lines [${shown.join(", ")}]`;
  return takeInTurns(fence(lines, shown, `The content of ${path}${where}:\n`), breather, call.signal);
}

/**
 * Lists a folder: folders first, then files, each by its absolute path.
 *
 * @throws HoldallError when it cannot.
 */
export async function listDirectory({ base, path, call }: TextFileCall): Promise<string> {
  base.requireInside(path);
  const { fs } = base.backend;
  const { signal } = call;
  const target = await lookUp(base.backend, path, signal);
  await base.requireReal(path, target.real, signal);
  if (target.stat === undefined) throw refusal(`The directory ${path} does not exist.`);
  if (target.stat.kind !== "directory") throw refusal(`The path ${path} is not a directory.`);
  const found: { path: string; isFolder: boolean }[] = [];
  let more = false;
  for await (const { name, kind } of fs.list(target.real, { signal })) {
    more = found.length === MAX_LISTED;
    if (more) break;
    const child = childPath(target.path, name);
    found.push({
      path: child,
      isFolder: kind === "directory" || (kind === "symlink" && (await leadsToFolder(base, child, signal))),
    });
  }
  await base.requireUnmoved(path, target.real, signal);
  if (found.length === 0) return `Contents of directory ${path}:\n\n(empty directory)`;
  found.sort((one, other) => (one.path < other.path ? -1 : 1));
  const folders = found.filter(({ isFolder }) => isFolder);
  const files = found.filter(({ isFolder }) => !isFolder);
  const part = (title: string, entries: typeof found): string =>
    entries.length === 0 ? "" : `${title}:\n${entries.map((entry) => `  ${entry.path}\n`).join("")}\n`;
  const rest = more ? `\nThere are more entries; only ${MAX_LISTED} are shown.` : "";
  return `Contents of directory ${path}:\n\n${part("Directories", folders)}${part("Files", files)}Total: ${folders.length} directory(ies), ${files.length} file(s)${rest}`;
}

/**
 * Creates a file, replaces its content, or replaces a range of its lines.
 *
 * @throws HoldallError when nothing was written.
 */
export async function writeTextFile(given: TextFileCall, content: string, ranges?: string): Promise<ToolChunk> {
  const { path } = given;
  requireWellFormed("content", content);
  const target = await findForChange(given);
  const range = requireRange(ranges);
  const { stat } = target;
  if (stat === undefined || range === undefined) {
    const ifVersion = stat?.version ?? null;
    const change = { target, before: undefined, after: toFileText(content), form: plainForm(), ifVersion };
    const facts = await write(given, change, createBreather());
    if (stat !== undefined) return ToolResult.success(`Overwrite ${path} successfully.`, facts);
    const ignored = range === undefined ? "" : ` The ranges ${ranges} is ignored because the file does not exist.`;
    return ToolResult.success(`Create and write ${path} successfully.${ignored}`, facts);
  }
  const old = await readLines(given, { ...target, stat });
  const [start, end] = linesToReplace(range, old.lines.count);
  const splice = spliceOfLines(old.lines, start, end - start + 1, content);
  const { facts, snippet } = await changeLines(given, { ...old, target, splice, around: [start, end] });
  return ToolResult.success(`Write ${path} successfully. The new content snippet:\n${snippet}`, facts);
}

/**
 * Inserts lines in front of a line, or after the last one.
 *
 * @throws HoldallError when nothing was written.
 */
export async function insertTextFile(given: TextFileCall, content: string, line: number): Promise<ToolChunk> {
  const { path } = given;
  if (line <= 0) throw refusal(`InvalidArgumentsError: The line number ${line} is invalid.`);
  requireWellFormed("content", content);
  const target = await findForChange(given);
  const { stat } = target;
  if (stat === undefined) throw refusal(`InvalidArgumentsError: The target file ${path} does not exist.`);
  const old = await readLines(given, { ...target, stat });
  const { count } = old.lines;
  if (line > count + 1) {
    throw refusal(
      `InvalidArgumentsError: The given line_number (${line}) is not in the valid range [1, ${count + 1}].`,
    );
  }
  const splice = spliceOfLines(old.lines, line, 0, content);
  const { facts, shown, snippet } = await changeLines(given, { ...old, target, splice, around: [line, line] });
  return ToolResult.success(
    `Insert content into ${path} at line ${line} successfully. The new content between lines ${shown.join("-")} is:\n${snippet}`,
    facts,
  );
}

/** A change of some lines. */
interface LineChange extends OldLines {
  target: Target;
  splice: Splice;
  /** The lines that are replaced; what becomes of them is shown with the lines around. */
  around: LineRange;
}

async function changeLines(
  given: TextFileCall,
  { file, lines, version, breather, target, splice, around }: LineChange,
): Promise<{ facts: JsonObject; shown: LineRange; snippet: string }> {
  const { signal } = given.call;
  const after = await takeInTurns(spliceText(file.text, [splice]), breather, signal);
  const facts = await write(given, { target, before: file.text, after, form: file, ifVersion: version }, breather);
  const now = await takeInTurns(findLines(after), breather);
  const shown = linesAround(lines.count, now.count, around, AROUND);
  return { facts, shown, snippet: await takeInTurns(fence(now, shown), breather) };
}

/** A change that is ready, but for its bytes. */
interface TextChange {
  target: Target;
  before: FileText | undefined;
  after: FileText;
  form: TextForm;
  ifVersion: string | null;
}

async function write({ base, path, call }: TextFileCall, change: TextChange, breather: Breather) {
  const { form, ...rest } = change;
  const { real } = change.target;
  const bytes = await takeInTurns(encodeTextSteps(change.after, form), breather, call.signal);
  // As late as can be: while a large text is encoded, others have their turn.
  await base.requireUnmoved(path, real, call.signal);
  try {
    const facts = await writeChange(base.backend, { ...rest, bytes, breather }, call);
    // The port has no lock, so a link that was put there in between can only be told of afterwards.
    await base.requireUnmoved(path, real, call.signal);
    return facts;
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw refusal(`The file ${path} was changed by somebody else meanwhile; nothing was written. Try again.`);
  }
}

async function findFile({ base, path, call }: TextFileCall): Promise<FileTarget> {
  base.requireInside(path);
  const target = await lookUp(base.backend, path, call.signal);
  await base.requireReal(path, target.real, call.signal);
  const { stat } = target;
  if (stat === undefined) throw refusal(`The file ${path} does not exist.`);
  if (stat.kind !== "file") throw refusal(`The path ${path} is not a file.`);
  return { ...target, stat };
}

async function findForChange({ base, path, call }: TextFileCall): Promise<Target> {
  base.requireInside(path);
  // Where it leads comes first: nothing may be told about what lies outside.
  const { real } = await lookUp(base.backend, path, call.signal);
  await base.requireReal(path, real, call.signal);
  const target = await lookUpForChange(base.backend, path, call.signal);
  await base.requireReal(path, target.real, call.signal);
  return target;
}

interface OldLines {
  file: TextFile<FileText>;
  lines: FileLines;
  version: string;
  bytes: Uint8Array;
  breather: Breather;
}

async function readLines({ base, path, call }: TextFileCall, target: FileTarget): Promise<OldLines> {
  const { signal } = call;
  const { bytes, version } = await readWhole(base.backend, target, MAX_EDIT_BYTES, signal);
  await base.requireUnmoved(path, target.real, signal);
  const breather = createBreather();
  const file = isBinary(bytes) ? undefined : await takeInTurns(decodeTextSteps(bytes), breather, signal);
  if (file === undefined) throw refusal(`The file ${path} is not text in UTF-8 or UTF-16.`);
  return { file, lines: await takeInTurns(findLines(file.text), breather, signal), version, bytes, breather };
}

/** Tells whether a symlink leads to a folder in the base directory; of what lies outside nothing is told. */
async function leadsToFolder(base: BaseDirectory, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { real, stat } = await lookUp(base.backend, path, signal);
    await base.requireReal(path, real, signal);
    return stat?.kind === "directory";
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** Finds the lines to replace: negative indexes count from the end, an end one before the start inserts. */
function linesToReplace([first, last]: LineRange, total: number): LineRange {
  const given = fromStart(first, total);
  if (given > total) throw refusal(`The start line ${given} is invalid. The file only has ${total} lines.`);
  const start = Math.max(1, given);
  const end = Math.max(0, Math.min(total, fromStart(last, total)));
  if (end >= start - 1) return [start, end];
  throw refusal(`Invalid range: start line ${start} is greater than end line ${end}.`);
}

/** Joined once: a long text that is put together again would be copied as often. */
function* fence(lines: FileLines, shown: LineRange, title = ""): Steps<string> {
  return [title, "```\n", ...(yield* numberLines(lines, shown)), "```"].join("");
}

function plainForm(): TextForm {
  return detectForm(new Uint8Array());
}
