/** The few assertions that the contracts need, so that they depend on no test framework. */

import { HoldallError } from "holdall";

/** Encodes text as UTF-8. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Decodes UTF-8. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Fails unless two JSON values, which may hold bytes and undefined, are the same. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [is, shouldBe] = [show(actual), show(expected)];
  if (is !== shouldBe) throw new Error(`${what}: expected ${shorten(shouldBe)}, got ${shorten(is)}.`);
}

/** Fails unless something holds. */
export function holds(condition: boolean, what: string): void {
  if (!condition) throw new Error(`${what}: it is not so.`);
}

/** Fails unless a promise rejects with one of the codes; gives the error. */
export async function fails(
  promise: Promise<unknown>,
  code: string | readonly string[],
  what: string,
): Promise<HoldallError> {
  const codes = typeof code === "string" ? [code] : code;
  const outcome = await settle(promise);
  if (outcome.kind === "rejected" && HoldallError.is(outcome.error) && codes.includes(outcome.error.code))
    return outcome.error;
  throw new Error(`${what}: expected a failure with ${codes.join(" or ")}, got ${describe(outcome)}.`);
}

/** Fails unless a promise rejects with this very reason. */
export async function rejectsWith(promise: Promise<unknown>, reason: unknown, what: string): Promise<void> {
  const outcome = await settle(promise);
  if (outcome.kind === "rejected" && isReason(outcome.error, reason)) return;
  throw new Error(`${what}: expected the reason of the signal, got ${describe(outcome)}.`);
}

/** Tells whether an error is a reason, also when it came back from another thread as a copy. */
export function isReason(error: unknown, reason: unknown): boolean {
  if (error === reason) return true;
  return (
    error instanceof Error && reason instanceof Error && error.name === reason.name && error.message === reason.message
  );
}

/** What became of a promise. */
export type Outcome<T> = { kind: "fulfilled"; value: T } | { kind: "rejected"; error: unknown };

/** Waits for a promise either way, at most twenty seconds. */
export async function settle<T>(promise: Promise<T>): Promise<Outcome<T>> {
  try {
    return { kind: "fulfilled", value: await within(promise) };
  } catch (error) {
    return { kind: "rejected", error };
  }
}

/** Waits for a promise, at most some milliseconds: a contract must end also where the subject hangs. */
export function within<T>(promise: Promise<T>, milliseconds = 20_000): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Nothing came within ${milliseconds} ms.`)), milliseconds);
    void promise.then(resolve, reject).then(() => clearTimeout(timer));
  });
}

/** Collects what an iterable gives. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Lets other tasks have a turn. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

function show(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) => {
      if (part instanceof Uint8Array) return `bytes ${part.length} ${checksum(part)} ${textOf(part.subarray(0, 80))}`;
      if (typeof part === "object" && part !== null && !Array.isArray(part))
        return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
      return part === undefined ? "(undefined)" : part;
    }) ?? "undefined"
  );
}

function checksum(bytes: Uint8Array): number {
  let sum = 2166136261;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 16777619);
  return sum >>> 0;
}

function shorten(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

function describe(outcome: Outcome<unknown>): string {
  if (outcome.kind === "fulfilled") return `success with ${shorten(show(outcome.value))}`;
  return outcome.error instanceof Error ? `${outcome.error.name}: ${outcome.error.message}` : show(outcome.error);
}
