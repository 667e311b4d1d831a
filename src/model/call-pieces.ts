/** Tells which tool call a piece of a streamed chat answer belongs to, also where servers bend the format. */

import { isRecord } from "../base/json.ts";
import type { ObjectEnd } from "./object-end.ts";

/** One entry of `tool_calls` in one chunk; what the server left out is empty. */
export interface CallPiece {
  index: number | undefined;
  id: string;
  name: string;
  input: string;
}

/** A call as far as it has come. */
export interface GrowingCall {
  /** The id as the server said it. */
  wireId: string;
  /** The name as the server said it. */
  name: string;
  input: string;
  end: ObjectEnd;
  /** The id in the parts; empty until the call is announced. */
  id: string;
}

/** Reads an entry of `tool_calls`; gives undefined for what is none. */
export function readCallPiece(entry: unknown): CallPiece | undefined {
  if (!isRecord(entry)) return undefined;
  const body = isRecord(entry.function) ? entry.function : {};
  const index = typeof entry.index === "number" && Number.isInteger(entry.index) ? entry.index : undefined;
  return { index, id: readText(entry.id), name: readText(body.name), input: readInput(body.arguments) };
}

/** Where an entry stands: at `position` among `total` of its chunk. */
export interface CallPlace {
  position: number;
  total: number;
  calls: readonly GrowingCall[];
  byIndex: ReadonlyMap<number, GrowingCall>;
}

/**
 * Finds the call that a piece seems to belong to; undefined means a new one.
 *
 * The index decides where there is one. Without it, the id does; without both, several named entries of one chunk
 * are several calls, nameless ones go by their position, and a single entry goes on with the last call.
 */
export function locateCall(piece: CallPiece, place: CallPlace): GrowingCall | undefined {
  if (piece.index !== undefined) return place.byIndex.get(piece.index);
  const last = place.calls.at(-1);
  if (piece.id !== "") {
    const same = place.calls.findLast((call) => call.wireId === piece.id);
    return same ?? (piece.name === "" ? last : undefined);
  }
  if (place.total === 1) return last;
  if (piece.name === "") return place.calls[place.position] ?? last;
  return place.position === 0 ? last : undefined;
}

/**
 * Tells whether a piece starts another call although its index says the same one: some servers give every call the
 * index 0, or leave the index out.
 *
 * @param offered The names a model may call.
 */
export function startsAnotherCall(call: GrowingCall, piece: CallPiece, offered: ReadonlySet<string>): boolean {
  const otherId = piece.id !== "" && call.wireId !== "" && piece.id !== call.wireId;
  if (otherId && piece.name !== "") return call.end.complete || !/\S/.test(call.input);
  if (call.end.complete && piece.input.trimStart().startsWith("{")) return true;
  const bothWhole = offered.has(call.name) && offered.has(piece.name) && !offered.has(call.name + piece.name);
  return bothWhole && piece.name !== call.name;
}

/** Tells whether a piece only says the whole arguments again, as some servers do at the end. */
export function isResent(call: GrowingCall, piece: CallPiece): boolean {
  const sameId = piece.id === "" || piece.id === call.wireId;
  return sameId && call.end.complete && piece.input !== "" && piece.input === call.input;
}

/** Joins a name that comes in pieces, and leaves one alone that is said again and again. */
export function mergeName(current: string, next: string, offered: ReadonlySet<string>): string {
  if (next === "" || current === "") return current + next;
  const joined = current + next;
  if (next === current) return !offered.has(current) && offered.has(joined) ? joined : current;
  return offered.has(current) && !isStartOfName(joined, offered) ? current : joined;
}

/** Tells whether the name of a call will not grow any more, as far as one can know. */
export function isNameWhole(call: GrowingCall, offered: ReadonlySet<string>): boolean {
  if (call.name === "") return false;
  const isStart = isStartOfName(call.name, offered);
  if (!isStart) return call.input !== "";
  if (!offered.has(call.name)) return false;
  return call.input !== "" || ![...offered].some((name) => name !== call.name && name.startsWith(call.name));
}

function isStartOfName(text: string, offered: ReadonlySet<string>): boolean {
  for (const name of offered) if (name.startsWith(text)) return true;
  return false;
}

function readText(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** Some servers send the arguments as the object itself. */
function readInput(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}
