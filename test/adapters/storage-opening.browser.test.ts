import { directoryBackend, opfsBackend } from "holdall/opfs";
import { describe, expect, test } from "vitest";
import { bytesOf, countCalls, freshName } from "./storage-support.ts";

/** Methods that ask the browser something. */
const LISTINGS = ["values", "entries", "keys"];
const LOOK_UPS = ["getFileHandle", "getDirectoryHandle"];

describe("a workspace in OPFS", { timeout: 60_000 }, () => {
  test("is opened with one listing for each folder, and no look at a file", async () => {
    const name = freshName();
    const first = opfsBackend({ name, cwd: "/" });
    const paths = Array.from({ length: 12 }, (_, index) => `/src/d${index % 4}/f${index}.ts`);
    await Promise.all(paths.map((path) => first.fs.write(path, bytesOf(path))));
    await first.close?.();
    const second = opfsBackend({ name, cwd: "/" });
    const looks = countCalls.bind(undefined, FileSystemFileHandle.prototype, ["getFile"]);
    const listings = countCalls.bind(undefined, FileSystemDirectoryHandle.prototype, LISTINGS);
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

/** A time of no whole second: where those are met, a file is looked at twice. */
const CHANGED_AT = 1_700_000_000_123;

/** A folder of 10,000 files as handles show it, which counts what it is asked. */
function countedFolder(): { root: FileSystemDirectoryHandle; asked: Record<string, number> } {
  const asked: Record<string, number> = {};
  const count = (method: string): void => {
    asked[method] = (asked[method] ?? 0) + 1;
  };
  const missing = (): never => {
    throw new DOMException("There is no such thing here.", "NotFoundError");
  };
  const file = (name: string): object => ({
    kind: "file",
    name,
    getFile: async () => {
      count("getFile");
      return new File([name], name, { lastModified: CHANGED_AT });
    },
  });
  const directory = (name: string, entries: ReadonlyMap<string, object>): object => ({
    kind: "directory",
    name,
    getFileHandle: async (wanted: string) => {
      count("getFileHandle");
      const found = entries.get(wanted) ?? missing();
      if (Reflect.get(found, "kind") === "file") return found;
      throw new DOMException("It is a directory.", "TypeMismatchError");
    },
    getDirectoryHandle: async (wanted: string) => {
      count("getDirectoryHandle");
      return entries.get(wanted) ?? missing();
    },
    keys: async function* () {
      yield* entries.keys();
    },
    entries: async function* () {
      count("entries");
      yield* entries;
    },
  });
  const folders = Array.from({ length: 100 }, (_, folder) => {
    const files = Array.from({ length: 100 }, (_, index) => [`f${index}.ts`, file(`f${index}.ts`)] as const);
    return [`d${folder}`, directory(`d${folder}`, new Map(files))] as const;
  });
  return { root: directory("picked", new Map(folders)) as FileSystemDirectoryHandle, asked };
}

describe("a folder of 10,000 files in 100 folders", () => {
  test("is opened and walked with one listing for each folder, and not a look at any file", async () => {
    const { root, asked } = countedFolder();
    const { fs, close } = directoryBackend(root);
    let files = 0;
    for await (const { kind } of fs.walk("/")) if (kind === "file") files += 1;
    expect([files, asked.entries, asked.getFile]).toEqual([10_000, 101, undefined]);
    expect(LOOK_UPS.reduce((sum, method) => sum + (asked[method] ?? 0), 0)).toBeLessThanOrEqual(202);
    await close?.();
  });

  test("is opened with nothing but what the first call needs", async () => {
    const { root, asked } = countedFolder();
    const { fs, close } = directoryBackend(root);
    expect(new TextDecoder().decode((await fs.read("/d7/f9.ts")).bytes)).toBe("f9.ts");
    expect(asked).toEqual({ getDirectoryHandle: 1, getFileHandle: 1, getFile: 1 });
    await close?.();
  });
});
