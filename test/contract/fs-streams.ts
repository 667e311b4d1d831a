/** Contract cases about files as streams. */

import type { ReadOptions } from "holdall";
import { bytesOf, fails, holds, rejectsWith, same, settle, within } from "./expect.ts";
import { type FsCase, type FsSubject, get, manyBytes, put, sameTree } from "./fs-subject.ts";

/** Cases about streams. */
export const streamCases: readonly FsCase[] = [
  {
    name: "readStream: gives every byte of a big file, of an empty one, and of a part",
    check: async (subject) => {
      const bytes = manyBytes((1 << 20) + 3);
      await subject.fs.write(subject.at("big"), bytes);
      await put(subject, "empty", "");
      same(await drain(subject, "big"), bytes, "the whole file");
      same(await drain(subject, "empty"), new Uint8Array(0), "the empty file");
      same(await drain(subject, "big", { offset: 100_000, length: 600_001 }), bytes.slice(100_000, 700_001), "a part");
      same(await drain(subject, "big", { offset: bytes.length - 5 }), bytes.slice(-5), "the end");
      same(await drain(subject, "big", { offset: bytes.length + 5 }), new Uint8Array(0), "what is past the end");
      same(await drain(subject, "big", { length: 0 }), new Uint8Array(0), "no byte at all");
    },
  },
  {
    name: "readStream: fails at the first read on what is not there and on directories",
    check: async (subject) => {
      await put(subject, "d/f", "x");
      for (const [path, code] of [
        ["missing", "FS_NOT_FOUND"],
        ["d", "FS_IS_DIRECTORY"],
        ["d/f/below", "FS_NOT_FOUND"],
      ] as const) {
        const stream = subject.fs.readStream(subject.at(path));
        await fails(stream.getReader().read(), code, `reading ${path}`);
      }
    },
  },
  {
    name: "readStream: never mixes two versions",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "f", "a".repeat(1 << 20));
      const reader = fs.readStream(at("f")).getReader();
      const parts = [(await reader.read()).value ?? new Uint8Array(0)];
      await put(subject, "f", "b".repeat(1 << 20));
      const outcome = await settle(
        (async () => {
          for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
        })(),
      );
      const letters = new Set(parts.flatMap((part) => [part[0], part[part.length - 1]]));
      same(letters.size, 1, "the number of versions met");
      if (outcome.kind === "rejected") await fails(Promise.reject(outcome.error), "FS_CONFLICT", "reading on");
      else
        same(
          parts.reduce((sum, part) => sum + part.length, 0),
          1 << 20,
          "the bytes read",
        );
    },
  },
  {
    name: "readStream: can be cancelled, and the file stays usable",
    check: async (subject) => {
      await put(subject, "f", "a".repeat(1 << 20));
      const reader = subject.fs.readStream(subject.at("f")).getReader();
      await reader.read();
      await within(reader.cancel("enough"));
      await within(subject.fs.readStream(subject.at("f")).cancel());
      await put(subject, "f", "after");
      same(await get(subject, "f"), "after", "the content");
    },
  },
  {
    name: "readStream: ends with the signal's reason",
    check: async (subject) => {
      await put(subject, "f", "a".repeat(1 << 21));
      const controller = new AbortController();
      const reader = subject.fs.readStream(subject.at("f"), { signal: controller.signal }).getReader();
      await reader.read();
      const reason = new Error("given up");
      controller.abort(reason);
      await rejectsWith(drainReader(reader), reason, "reading on");
    },
  },
  {
    name: "writeStream: writes all chunks, or an empty file, and creates parents",
    check: async (subject) => {
      const { fs, at } = subject;
      const parts = [manyBytes(10), new Uint8Array(0), manyBytes(300_000), manyBytes(1)];
      const written = await fs.writeStream(at("new/f"), streamOf(parts));
      same(written, await fs.stat(at("new/f")), "the facts");
      same(await drain(subject, "new/f"), joined(parts), "the content");
      await fs.writeStream(at("new/f"), streamOf([]));
      same(await get(subject, "new/f"), "", "the content after an empty stream");
    },
  },
  {
    name: "writeStream: keeps to its condition, and changes nothing when it does not hold",
    check: async (subject) => {
      const { fs, at } = subject;
      const version = await put(subject, "f", "one");
      await fails(
        fs.writeStream(at("f"), streamOf([bytesOf("x")]), { ifVersion: null }),
        "FS_CONFLICT",
        "creating a file that exists",
      );
      await fails(
        fs.writeStream(at("g"), streamOf([bytesOf("x")]), { ifVersion: version }),
        "FS_CONFLICT",
        "changing a file that does not exist",
      );
      await fs.writeStream(at("f"), streamOf([bytesOf("tw"), bytesOf("o")]), { ifVersion: version });
      await sameTree(subject, { f: "two" }, "the tree");
    },
  },
  {
    name: "writeStream: fails as its source does, and changes nothing",
    check: async (subject) => {
      await put(subject, "f", "one");
      const failure = new Error("the source broke");
      const broken = streamOf([bytesOf("half")], () => Promise.reject(failure));
      await rejectsWith(subject.fs.writeStream(subject.at("f"), broken), failure, "writing from a broken source");
      await sameTree(subject, { f: "one" }, "the tree");
    },
  },
  {
    name: "writeStream: given up in the middle, it cancels its source and changes nothing",
    check: async (subject) => {
      await put(subject, "f", "one");
      const controller = new AbortController();
      const reason = new Error("given up");
      const { promise: cancelled, resolve } = withResolvers();
      const endless = streamOf([bytesOf("half")], () => new Promise(() => {}), resolve);
      const writing = subject.fs.writeStream(subject.at("f"), endless, { signal: controller.signal });
      controller.abort(reason);
      await rejectsWith(writing, reason, "writing on");
      await within(cancelled);
      await sameTree(subject, { f: "one" }, "the tree");
    },
  },
  {
    name: "writeStream: refuses chunks that are no bytes, and changes nothing",
    check: async (subject) => {
      await put(subject, "f", "one");
      const wrong = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue("text" as unknown as Uint8Array);
          controller.close();
        },
      });
      await fails(subject.fs.writeStream(subject.at("f"), wrong), "FS_INVALID_ARGUMENT", "writing text chunks");
      await sameTree(subject, { f: "one" }, "the tree");
    },
  },
  {
    name: "streams: a file can be copied from one to the other",
    check: async (subject) => {
      const { fs, at } = subject;
      const bytes = manyBytes(700_000);
      await fs.write(at("from"), bytes);
      await fs.writeStream(at("to"), fs.readStream(at("from")));
      holds((await fs.stat(at("to")))?.size === bytes.length, "the size is the same");
      same((await fs.read(at("to"))).bytes, bytes, "the copy");
    },
  },
];

function drain({ fs, at }: FsSubject, path: string, options?: ReadOptions): Promise<Uint8Array> {
  return drainReader(fs.readStream(at(path), options).getReader());
}

async function drainReader(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let next = await within(reader.read()); !next.done; next = await within(reader.read())) parts.push(next.value);
  return joined(parts);
}

/** Makes a stream of parts; `after` is waited for when they have been read. */
function streamOf(
  parts: readonly Uint8Array[],
  after?: () => Promise<void>,
  cancel?: () => void,
): ReadableStream<Uint8Array> {
  const left = [...parts];
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = left.shift();
      if (part !== undefined) return controller.enqueue(part);
      await after?.();
      controller.close();
    },
    cancel: () => cancel?.(),
  });
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
