/** Parses notebooks cell by cell: to parse a large one at once would hold up everything else. */

import { isRecord } from "../base/json.ts";
import type { Steps } from "../base/steps.ts";
import { findArray, type JsonArrayPlace, parseJson } from "./json-array.ts";

/** A notebook, and where its cells stand in the text. */
export interface NotebookJson<Cell> {
  /** What stands beside the cells. */
  rest: Record<string, unknown>;
  cells: Cell[];
  place: JsonArrayPlace;
}

/** UTF-16 units of JSON that are parsed in one step. */
const STEP_UNITS = 1 << 16;

/**
 * Parses JSON text whose outermost object has a list of cells.
 *
 * @param take Gives what is kept of a cell; positions count from 0.
 * @returns Undefined when the text is no JSON, or has no such list.
 */
export function* parseNotebook<Cell>(
  text: string,
  take: (cell: unknown, index: number) => Cell,
): Steps<NotebookJson<Cell> | undefined> {
  const place = yield* findArray(text, "cells");
  if (place === undefined) return undefined;
  const rest = parseJson(`${text.slice(0, place.start)}[]${text.slice(place.end)}`);
  if (!isRecord(rest) || !Array.isArray(rest.cells)) return undefined;
  yield undefined;
  const cells: Cell[] = [];
  let units = 0;
  let from = place.start;
  for (const { start, end } of place.elements) {
    const cell = parseJson(text.slice(start, end));
    // What stands between them has to be JSON, too.
    if (cell === undefined || !isBetween(text.slice(from, start), cells.length === 0 ? "[" : ",")) return undefined;
    cells.push(take(cell, cells.length));
    from = end;
    units += end - start;
    if (units < STEP_UNITS) continue;
    units = 0;
    yield undefined;
  }
  const close = text.slice(from, place.end);
  return isBetween(close, cells.length === 0 ? "[]" : "]") ? { rest, cells, place } : undefined;
}

/** Tells whether a text is JSON, in steps when it is a notebook. */
export function* isJson(text: string): Steps<boolean> {
  if ((yield* parseNotebook(text, () => true)) !== undefined) return true;
  return parseJson(text) !== undefined;
}

function isBetween(text: string, marks: string): boolean {
  return text.replace(/[\t\n\r ]+/g, "") === marks;
}
