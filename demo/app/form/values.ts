/** Turns what is filled into a form into the input of a call. */
import type { JsonObject, JsonValue } from "holdall";
import type { Field } from "./fields.ts";

/** What stands in the fields, by name; true and false for ticked boxes. */
export type Values = Readonly<Record<string, string | boolean>>;

/** The input, and what is wrong with it by field. */
export interface Filled {
  input: JsonObject;
  problems: Readonly<Record<string, string>>;
}

type Reading = { value?: JsonValue } | { problem: string };

/**
 * Reads a form. Optional fields that are empty are left out; a required text may be empty, because an empty text can be
 * meant (to delete something, for one).
 */
export function readForm(fields: readonly Field[], values: Values): Filled {
  const input: JsonObject = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const reading = readField(field, values[field.name]);
    if ("problem" in reading) problems[field.name] = reading.problem;
    else if (reading.value !== undefined) input[field.name] = reading.value;
  }
  return { input, problems };
}

function readField(field: Field, filled: string | boolean | undefined): Reading {
  if (field.kind === "boolean") return filled === undefined && !field.isRequired ? {} : { value: filled === true };
  const text = typeof filled === "string" ? filled : "";
  if (text === "" && !field.isRequired) return {};
  switch (field.kind) {
    case "text":
    case "long-text":
      return { value: text };
    case "choice":
      return readChoice(field, text);
    case "json":
      return readJson(text);
    default:
      return readNumber(field, text);
  }
}

function readChoice({ choices }: Field, text: string): Reading {
  const chosen = choices.find((choice) => choiceText(choice) === text);
  return chosen === undefined ? { problem: "Choose one." } : { value: chosen };
}

function readNumber({ kind, minimum, maximum }: Field, text: string): Reading {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return { problem: "Enter a number." };
  if (kind === "integer" && !Number.isInteger(value)) return { problem: "Enter a whole number." };
  if (minimum !== undefined && value < minimum) return { problem: `Enter ${minimum} or more.` };
  if (maximum !== undefined && value > maximum) return { problem: `Enter ${maximum} or less.` };
  return { value };
}

function readJson(text: string): Reading {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Writes a choice the way it stands in the list. */
export function choiceText(choice: JsonValue): string {
  return typeof choice === "string" ? choice : JSON.stringify(choice);
}
