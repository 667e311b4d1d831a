import { opfsBackend } from "holdall/opfs";
import { describe, expect, test } from "vitest";
import { bytesOf, countCalls, freshName } from "./storage-support.ts";

describe("a workspace in OPFS", { timeout: 60_000 }, () => {
  test("is opened with one listing for each folder, and no look at a file", async () => {
    const name = freshName();
    const first = opfsBackend({ name, cwd: "/" });
    const paths = Array.from({ length: 12 }, (_, index) => `/src/d${index % 4}/f${index}.ts`);
    await Promise.all(paths.map((path) => first.fs.write(path, bytesOf(path))));
    await first.close?.();
    const second = opfsBackend({ name, cwd: "/" });
    const looks = countCalls.bind(undefined, FileSystemFileHandle.prototype, ["getFile"]);
    const listings = countCalls.bind(undefined, FileSystemDirectoryHandle.prototype, ["values", "entries", "keys"]);
    const { result, calls } = await listings(() =>
      looks(async () => {
        let files = 0;
        for await (const { kind } of second.fs.walk("/")) if (kind === "file") files += 1;
        return files;
      }),
    );
    expect(result).toEqual({ result: 12, calls: {} });
    // The six folders, and that of what a dead tab may have left.
    expect(Object.values(calls).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(7);
    await second.close?.();
    await (await navigator.storage.getDirectory()).removeEntry(name, { recursive: true });
  });
});
