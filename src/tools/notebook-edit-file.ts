/** What NotebookEdit does: replaces, inserts or deletes one cell of a notebook, and leaves all else as it is. */

import type { Backend } from "../backend/backend.ts";
import { createBreather, takeInTurns } from "../backend/breather.ts";
import { linesWithEnds } from "../base/diff.ts";
import { isRecord, type JsonObject, toJsonValue } from "../base/json.ts";
import type { Steps } from "../base/steps.ts";
import type { ToolChunk } from "../message/blocks.ts";
import type { ToolCallContext } from "../tool/tool.ts";
import { ToolResult } from "../tool/tool-result.ts";
import { refusal } from "./answer.ts";
import { isConflict, lookUpForChange, requireWellFormed, writeChange } from "./change-file.ts";
import { requireFile } from "./file-access.ts";
import { type Splice, spliceText } from "./file-text.ts";
import type { JsonArrayPlace } from "./json-array.ts";
import { MAX_NOTEBOOK_BYTES } from "./limits.ts";
import { parseNotebook } from "./notebook-json.ts";
import { toPath } from "./paths.ts";
import { readWhole } from "./read-file.ts";
import { requireKnown } from "./read-memory.ts";
import { decodeTextSteps, encodeTextSteps, isBinary } from "./text-file.ts";
import { inTurn } from "./turns.ts";

/** What a cell holds. */
export type CellType = "code" | "markdown" | "raw";

/** The change of one cell. */
export interface CellEdit {
  /** The id of the cell, or the position that Read shows; undefined only to insert at the start. */
  cell: string | undefined;
  source: string;
  /** Left out: as the cell is; needed to insert. */
  type: CellType | undefined;
  mode: "replace" | "insert" | "delete";
}

/** What to edit. */
export interface NotebookEditCall {
  backend: Backend;
  /** The path as the model wrote it. */
  path: string;
  edit: CellEdit;
  call: ToolCallContext;
}

/**
 * Changes one cell.
 *
 * @throws HoldallError when nothing was written.
 */
export async function editNotebook(given: NotebookEditCall): Promise<ToolChunk> {
  const { backend, path, edit, call } = given;
  requireWellFormed("new_source", edit.source);
  return inTurn(call.state, toPath(backend, path), call.signal, () => editInTurn(given));
}

async function editInTurn({ backend, path, edit, call }: NotebookEditCall): Promise<ToolChunk> {
  const found = await lookUpForChange(backend, path, call.signal);
  const target = await requireFile(backend, found, call.signal);
  const { bytes, version } = await readWhole(backend, target, MAX_NOTEBOOK_BYTES, call.signal);
  await requireKnown(call.state, target, { bytes, version });
  const breather = createBreather();
  const file = isBinary(bytes) ? undefined : await takeInTurns(decodeTextSteps(bytes), breather, call.signal);
  const old = file?.text.slice(0, file.text.length) ?? "";
  const notebook = file && (await takeInTurns(readNotebook(old), breather, call.signal));
  if (file === undefined || notebook === undefined) {
    throw refusal(`${target.path} is not a notebook with a list of cells; nothing was written. Use Edit for its text.`);
  }
  const { splice, said } = changeCell(old, notebook, edit);
  const after = await takeInTurns(spliceText(file.text, [splice]), breather, call.signal);
  const written = await takeInTurns(encodeTextSteps(after, file), breather, call.signal);
  const change = { target, before: file.text, after, bytes: written, ifVersion: version, breather };
  try {
    return ToolResult.success(`${said} in ${target.path}.`, await writeChange(backend, change, call));
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw refusal(`${target.path} was changed meanwhile; nothing was written. Read it again, then repeat the call.`);
  }
}

interface Notebook {
  cells: unknown[];
  place: JsonArrayPlace;
  /** Whether cells have ids, which begins with version 4.5 of the format. */
  hasIds: boolean;
}

function* readNotebook(text: string): Steps<Notebook | undefined> {
  const notebook = yield* parseNotebook(text, (cell) => cell);
  if (notebook === undefined) return undefined;
  const { rest, cells, place } = notebook;
  const [major, minor] = [Number(rest.nbformat), Number(rest.nbformat_minor)];
  return { cells, place, hasIds: major > 4 || (major === 4 && minor >= 5) };
}

function changeCell(text: string, notebook: Notebook, edit: CellEdit): { splice: Splice; said: string } {
  const { cells, place } = notebook;
  if (edit.mode === "insert") return insertCell(text, notebook, edit);
  if (edit.cell === undefined) throw refusal("cell_id is missing; nothing was written. Say which cell is meant.");
  const index = findCell(cells, edit.cell);
  const { start, end } = place.elements[index] ?? place;
  if (edit.mode === "delete") return { splice: deleteCell(place, index), said: `Deleted cell ${index + 1}` };
  const fresh = write(text, replaced(cells[index], edit), indentAt(text, start));
  return { splice: { start, end, fresh }, said: `Replaced cell ${index + 1}` };
}

function insertCell(
  text: string,
  { cells, place, hasIds }: Notebook,
  edit: CellEdit,
): { splice: Splice; said: string } {
  if (edit.type === undefined) throw refusal("cell_type is missing; nothing was written. Say what the new cell is.");
  const index = edit.cell === undefined ? 0 : findCell(cells, edit.cell) + 1;
  const [first] = place.elements;
  const indent = first === undefined ? oneDeeper(text, place.start) : indentAt(text, first.start);
  const json = write(text, newCell(cells, edit.type, edit.source, hasIds), indent);
  const said = `Inserted cell ${index + 1}`;
  const gap = indent === undefined ? "" : `${lineEndOf(text)}${indent}`;
  const before = place.elements[index - 1];
  if (before !== undefined) return { splice: { start: before.end, end: before.end, fresh: `,${gap}${json}` }, said };
  if (first !== undefined) return { splice: { start: first.start, end: first.start, fresh: `${json},${gap}` }, said };
  const close = indent === undefined ? "" : `${lineEndOf(text)}${indentAt(text, place.start) ?? ""}`;
  return { splice: { start: place.start, end: place.end, fresh: `[${gap}${json}${close}]` }, said };
}

/** Takes a cell out, with the comma that parted it from the one before or behind it. */
function deleteCell({ elements, start, end }: JsonArrayPlace, index: number): Splice {
  const [cell, before, after] = [elements[index], elements[index - 1], elements[index + 1]];
  if (cell === undefined) return { start, end: start, fresh: "" };
  if (after !== undefined) return { start: cell.start, end: after.start, fresh: "" };
  if (before !== undefined) return { start: before.end, end: cell.end, fresh: "" };
  return { start, end, fresh: "[]" };
}

/** Finds a cell by its id, else by the position that Read shows. */
function findCell(cells: readonly unknown[], wanted: string): number {
  const places = cells.flatMap((cell, index) => (isRecord(cell) && cell.id === wanted ? [index] : []));
  const [only] = places;
  if (places.length > 1) {
    const positions = places.map((index) => index + 1).join(", ");
    throw refusal(
      `The id ${JSON.stringify(wanted)} is ambiguous: cells ${positions} have it; nothing was written. Use the position of the cell as cell_id.`,
    );
  }
  if (only !== undefined) return only;
  const position = /^\d{1,9}$/.test(wanted) ? Number(wanted) : 0;
  if (position >= 1 && position <= cells.length) return position - 1;
  throw refusal(
    `There is no cell ${JSON.stringify(wanted)}; nothing was written. Use an id that Read shows, or a position from 1 to ${cells.length}.`,
  );
}

/** Gives a cell its new source; what code has printed before does not belong to it any more. */
function replaced(cell: unknown, { source, type }: CellEdit): JsonObject {
  const old = isRecord(cell) ? cell : {};
  const { outputs: _, execution_count: __, ...rest } = old;
  const kind = type ?? (old.cell_type === "code" || old.cell_type === undefined ? "code" : String(old.cell_type));
  const changed: Record<string, unknown> = kind === "code" ? { ...old, outputs: [], execution_count: null } : rest;
  return toJsonValue({
    ...changed,
    cell_type: kind,
    source: typeof old.source === "string" ? source : linesWithEnds(source),
  }) as JsonObject;
}

function newCell(cells: readonly unknown[], type: CellType, source: string, hasId: boolean): JsonObject {
  const code = type === "code";
  return {
    cell_type: type,
    ...(code ? { execution_count: null } : {}),
    ...(hasId ? { id: freeId(cells) } : {}),
    metadata: {},
    ...(code ? { outputs: [] } : {}),
    source: linesWithEnds(source),
  };
}

/** Ids go on from the number of cells, so that the same edit always gives the same file. */
function freeId(cells: readonly unknown[]): string {
  const taken = new Set(cells.map((cell) => (isRecord(cell) ? cell.id : undefined)));
  let number = cells.length + 1;
  while (taken.has(`cell-${number}`)) number += 1;
  return `cell-${number}`;
}

/** Writes a value as the notebook is written: on one line, or with its indentation. */
function write(text: string, value: JsonObject, indent: string | undefined): string {
  if (indent === undefined) return JSON.stringify(value);
  const json = JSON.stringify(value, null, unitOf(text));
  return json.replaceAll("\n", `${lineEndOf(text)}${indent}`);
}

/** Gives the white space in front of a value that begins a line; undefined for one that does not. */
function indentAt(text: string, place: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", place - 1) + 1, place);
  if (!text.slice(0, place).includes("\n")) return undefined;
  return /^[\t ]*/.exec(line)?.[0];
}

function oneDeeper(text: string, place: number): string | undefined {
  const indent = indentAt(text, place);
  return indent === undefined ? undefined : indent + unitOf(text);
}

function unitOf(text: string): string {
  return /\n([\t ]+)\S/.exec(text)?.[1] ?? " ";
}

function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}
