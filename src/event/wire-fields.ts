/** How the members of events are written to and read from a wire form; whatever is read may be hostile. */

import { isRecord, type JsonObject, type JsonValue, toJsonValue } from "../base/json.ts";

/** One member of an event. */
export interface Field<T> {
  /** Gives the fields on the wire that tell the value. */
  write(value: T): JsonObject;
  /** Gives undefined when the value is missing or wrong. */
  read(wire: Record<string, unknown>): T | undefined;
}

/** Marks a member that may be missing. */
export function optional<T>(field: Field<T>): Field<T> & { optional: true } {
  return { ...field, optional: true };
}

/** A member that is text. */
export function text(name: string): Field<string> {
  return { write: (value) => ({ [name]: value }), read: (wire) => readText(wire[name]) };
}

/** A member that is one of some words. */
export function choice<T extends string>(name: string, choices: readonly T[]): Field<T> {
  return { write: (value) => ({ [name]: value }), read: (wire) => readChoice(wire[name], choices) };
}

/** A member of any JSON; a missing one counts as an empty object. */
export function json(name: string): Field<JsonValue> {
  return {
    write: (value) => ({ [name]: value }),
    read: (wire) => (wire[name] === undefined ? {} : toJsonValue(wire[name])),
  };
}

/** A member that is a JSON object. */
export function object(name: string): Field<JsonObject> {
  return { write: (value) => ({ [name]: value }), read: (wire) => readObject(wire[name]) };
}

/** A member that is a list; items that are not understood are left out. */
export function list<T>(
  name: string,
  write: (item: T) => JsonValue,
  read: (item: unknown) => T | undefined,
): Field<T[]> {
  return { write: (items) => ({ [name]: items.map(write) }), read: (wire) => readList(wire[name], read) };
}

/** Gives the value when it is text. */
export function readText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Gives the value when it is one of the choices. */
export function readChoice<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

/** Copies a JSON object; undefined when it is none. */
export function readObject(value: unknown): JsonObject | undefined {
  const copy = isRecord(value) ? toJsonValue(value) : undefined;
  return isRecord(copy) ? copy : undefined;
}

/** Reads the items of a list, leaving out those that are not understood; undefined when it is no list. */
export function readList<T>(value: unknown, read: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map(read).filter((item) => item !== undefined);
}
