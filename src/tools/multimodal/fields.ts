/** Small things that the inputs of all multimodal tools share. */

import { isRecord, type JsonObject, type JsonValue } from "../../base/json.ts";

/** Gives a text, or undefined for a blank one: models write blanks where they mean nothing. */
export function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** Writes a size as DashScope does, `1280*720`; others put an x between the numbers. */
export function starSize(size: string): string {
  return size.trim().replace(/^(\d+)\s*[xX×]\s*(\d+)$/, "$1*$2");
}

/** Leaves out what is undefined. */
export function present(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Gives the objects of an array in an answer; anything else counts as none. */
export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Gives a text of an answer that is not blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
