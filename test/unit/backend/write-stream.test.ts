import { createFileSystem, type FileSystem, type FileSystemParts, fsError } from "holdall";
import { memoryFileSystem } from "holdall/memory";
import { describe, expect, test } from "vitest";

const failure = new Error("the source broke");

/** A file system whose own `writeStream` reads so many chunks, then does the last thing. */
function reading(chunks: number, last: () => unknown): FileSystem {
  const parts: FileSystemParts = memoryFileSystem();
  return createFileSystem({
    ...parts,
    writeStream: async (path, stream) => {
      const reader = stream.getReader();
      for (let index = 0; index < chunks; index += 1) await reader.read();
      await last();
      return parts.write(path, new Uint8Array(0));
    },
  });
}

/** A source of one chunk that tells what it is cancelled with. */
function source(next: () => unknown, cancelled: (reason: unknown) => void = () => {}): ReadableStream<Uint8Array> {
  let count = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        count += 1;
        if (count > 1) await next();
        controller.enqueue(new Uint8Array([count]));
      },
      cancel: cancelled,
    },
    { highWaterMark: 0 },
  );
}

describe("a host that takes streams", () => {
  test("does not answer for what the source does", async () => {
    const writing = reading(2, () => {}).writeStream(
      "/f",
      source(() => Promise.reject(failure)),
    );
    await expect(writing).rejects.toBe(failure);
  });

  test("answers for itself, and lets the source go", async () => {
    for (const chunks of [0, 1]) {
      const reasons: unknown[] = [];
      const fs = reading(chunks, () => Promise.reject(fsError("FS_NO_SPACE", "/f")));
      const writing = fs.writeStream(
        "/f",
        source(
          () => {},
          (reason) => reasons.push(reason),
        ),
      );
      await expect(writing).rejects.toMatchObject({ code: "FS_NO_SPACE" });
      await expect.poll(() => reasons.length).toBe(1);
    }
  });

  test("meets only bytes", async () => {
    const words = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue("text" as never) });
    await expect(reading(1, () => {}).writeStream("/f", words)).rejects.toMatchObject({ code: "FS_INVALID_ARGUMENT" });
  });

  test("is left with the reason when the signal aborts while the source keeps it waiting", async () => {
    const controller = new AbortController();
    const reasons: unknown[] = [];
    const waiting = source(
      () => new Promise(() => {}),
      (reason) => reasons.push(reason),
    );
    const writing = reading(2, () => {}).writeStream("/f", waiting, { signal: controller.signal });
    controller.abort(failure);
    await expect(writing).rejects.toBe(failure);
    expect(reasons).toEqual([failure]);
  });
});
