/** Checks what comes from the other side: nothing of a message is used that has not been through here. */

import * as v from "valibot";
import { isBytes } from "./bytes.ts";
import { limitError, protocolError } from "./wire-error.ts";

/** Makes a checked copy of a value, with known fields only; throws `BACKEND_PROTOCOL` when it is not of that shape. */
export type Reader<T> = (value: unknown) => T;

/** Makes a reader. */
export function reader<T>(what: string, schema: v.GenericSchema<unknown, T>): Reader<T> {
  return (value) => {
    const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
    if (success) return output;
    const [issue] = issues;
    const place = v.getDotPath(issue);
    const problem = `${what} is wrong${place === null ? "" : ` at ${place.slice(0, 100)}`}`;
    if (issue.type.startsWith("max")) throw limitError(`${problem}: it is over a limit`);
    throw protocolError(problem);
  };
}

/** Text of limited length, in UTF-16 units. */
export function text(max: number): v.GenericSchema<string, string> {
  return v.pipe(v.string(), v.maxLength(max));
}

/** A whole number from 0. */
export const count: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Any number but NaN and the infinities. */
export const finite: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.finite());

/** Bytes of any length, of this realm or another. */
export const bytes: v.GenericSchema<unknown, Uint8Array> = v.custom<Uint8Array>(isBytes);

/** A list of limited length. */
export function listOf<T>(item: v.GenericSchema<unknown, T>, max: number): v.GenericSchema<unknown, T[]> {
  return v.pipe(v.array(v.unknown()), v.maxLength(max), v.array(item));
}

/** What may be missing; JSON says null for it. */
export function maybe<T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T | undefined> {
  return v.pipe(
    v.nullish(schema),
    v.transform((value) => value ?? undefined),
  );
}
