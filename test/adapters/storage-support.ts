/** What the tests of the browser's storages share. */

import type { Backend } from "holdall";

let count = 0;

/** Gives a name that no other test uses. */
export function freshName(): string {
  count += 1;
  return `test ${Math.floor(performance.timeOrigin)} ${count}`;
}

/** Encodes text. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Reads a file as text. */
export async function readText({ fs }: Backend, path: string): Promise<string> {
  return new TextDecoder().decode((await fs.read(path)).bytes);
}

/** Makes bytes that tell where they are from. */
export function pattern(length: number, seed = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) bytes[index] = (index * 31 + (index >> 8) + seed) & 0xff;
  return bytes;
}

/** Makes a stream of so many chunks; each is made when it is asked for. */
export function streamOf(
  chunks: number,
  make: (index: number) => Uint8Array,
  before?: (index: number) => unknown,
): ReadableStream<Uint8Array> {
  let index = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await before?.(index);
        if (index === chunks) return controller.close();
        controller.enqueue(make(index));
        index += 1;
      },
    },
    { highWaterMark: 0 },
  );
}

/** Replaces a property for as long as something runs. */
export async function withProperty<T>(
  owner: object,
  key: PropertyKey,
  value: unknown,
  run: () => Promise<T>,
): Promise<T> {
  const old = Object.getOwnPropertyDescriptor(owner, key);
  Object.defineProperty(owner, key, { configurable: true, writable: true, value });
  try {
    return await run();
  } finally {
    if (old === undefined) Reflect.deleteProperty(owner, key);
    else Object.defineProperty(owner, key, old);
  }
}

/** Counts the calls of methods for as long as something runs. */
export async function countCalls<T>(
  owner: object,
  names: readonly string[],
  run: () => Promise<T>,
): Promise<{ result: T; calls: Record<string, number> }> {
  const calls: Record<string, number> = {};
  const counted = names.reduce<() => Promise<T>>((inner, name) => {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== "function") return inner;
    const counting = function (this: unknown, ...parameters: unknown[]): unknown {
      calls[name] = (calls[name] ?? 0) + 1;
      return Reflect.apply(original, this, parameters);
    };
    return () => withProperty(owner, name, counting, inner);
  }, run);
  return { result: await counted(), calls };
}
