import { createFileSystem, type FileSystem, fsError, type GrepResult } from "holdall";
import { memoryFileSystem } from "holdall/memory";
import { describe, expect, test } from "vitest";
import { fileTypes } from "../../../src/backend/file-types.ts";
import { grepFiles } from "../../../src/backend/grep.ts";
import { MAX_GREP_FILE_BYTES, MAX_GREP_TEXT } from "../../../src/backend/search.ts";
import { compileGlob } from "../../../src/base/glob.ts";
import { endless, plainHost } from "./search-host.ts";

const paths = ({ files }: GrepResult): string[] => files.map(({ path }) => path);

describe("a glob over a plain host", () => {
  test("asks for the facts that a listing does not tell, and leaves out what is gone meanwhile", async () => {
    const host = plainHost({ "/b": "22", "/a": "1", "/gone": "3" });
    const fs = createFileSystem({
      ...host,
      stat: async (path, options) => (path === "/gone" ? undefined : host.stat(path, options)),
    });
    expect(await fs.glob({ pattern: "*", path: "/" })).toEqual({
      matches: [
        { path: "/a", size: 1, modifiedAt: 0 },
        { path: "/b", size: 2, modifiedAt: 0 },
      ],
      truncated: false,
    });
  });

  test("lists only directories that the pattern can reach", async () => {
    const listed: string[] = [];
    const host = plainHost({
      "/src/a/x.ts": "",
      "/src/b/y.ts": "",
      "/node_modules/z/z.ts": "",
      "/src/.git/x.ts": "",
      "/out/a/x.ts": "",
    });
    const list: typeof host.list = (path, options) => {
      listed.push(path);
      return host.list(path, options);
    };
    const fs = createFileSystem({ ...host, list });
    const result = await fs.glob({ pattern: "{src,out}/*/x.ts", path: "/", ignore: ["out"] });
    expect([result.matches.map(({ path }) => path), listed]).toEqual([
      ["/src/a/x.ts"],
      ["/", "/src", "/src/a", "/src/b"],
    ]);
  });

  test("gives the newest of many files, and those of one time by path", async () => {
    let now = 0;
    const fs = memoryFileSystem({ clock: () => now });
    for (const [path, time] of [
      ["/d", 5],
      ["/b", 1],
      ["/c", 5],
      ["/a", 9],
      ["/e", 5],
    ] as const) {
      now = time;
      await fs.write(path, new Uint8Array(0));
    }
    const newest = async (limit: number): Promise<string> =>
      (await fs.glob({ pattern: "*", path: "/", limit })).matches.map(({ path }) => path.slice(1)).join("");
    expect([await newest(1), await newest(2), await newest(3), await newest(4), await newest(9)]).toEqual([
      "a",
      "ac",
      "acd",
      "acde",
      "acdeb",
    ]);
  });

  test("passes on a failure of the host, and leaves out a directory that is gone", async () => {
    const host = plainHost({ "/a/x": "", "/b/x": "" });
    const failing = (code: "FS_IO" | "FS_NOT_FOUND"): FileSystem =>
      createFileSystem({
        ...host,
        list: (path, options) => (path === "/a" ? failingList(code) : host.list(path, options)),
      });
    expect((await failing("FS_NOT_FOUND").glob({ pattern: "**", path: "/" })).matches.map(({ path }) => path)).toEqual([
      "/b/x",
    ]);
    await expect(failing("FS_IO").glob({ pattern: "**", path: "/" })).rejects.toMatchObject({ code: "FS_IO" });
  });
});

describe("a grep over a plain host", () => {
  test("passes over what cannot be read, what is binary and what is too large, and counts it", async () => {
    const large = new Uint8Array(MAX_GREP_FILE_BYTES + 1).fill(120);
    const fs = createFileSystem(
      plainHost({ "/a": "x", "/b": null, "/c": new Uint8Array([120, 0]), "/d": large, "/e": "x" }),
    );
    const result = await fs.grep({ pattern: "x", path: "/", mode: "count" });
    expect([paths(result), result.searched, result.skipped]).toEqual([
      ["/a", "/e"],
      2,
      { binary: 1, large: 1, unreadable: 1 },
    ]);
  });

  test("reads UTF-16 with a byte order mark, and takes a late NUL for text", async () => {
    const utf16 = (text: string, littleEndian: boolean): Uint8Array => {
      const view = new DataView(new ArrayBuffer(2 * text.length));
      [...text].forEach((letter, index) => void view.setUint16(2 * index, letter.charCodeAt(0), littleEndian));
      return new Uint8Array(view.buffer);
    };
    const late = new TextEncoder().encode(`${"-".repeat(9000)}\0\nneedle`);
    const fs = createFileSystem(
      plainHost({ "/be": utf16("\ufeffa\nneedle", false), "/late": late, "/le": utf16("\ufeffneedle\n", true) }),
    );
    const result = await fs.grep({ pattern: "^needle$", path: "/" });
    expect(result.files.map(({ path, matches }) => [path, matches.map(({ line }) => line)])).toEqual([
      ["/be", [2]],
      ["/late", [2]],
      ["/le", [1]],
    ]);
  });

  test("reads several files at once, keeps their order, and stops when there are enough", async () => {
    let reading = 0;
    let most = 0;
    let reads = 0;
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`/f${String(index).padStart(2, "0")}`, "x"]),
    );
    const host = plainHost(files);
    const fs = createFileSystem({
      ...host,
      read: async (path, options) => {
        reading += 1;
        reads += 1;
        most = Math.max(most, reading);
        for (let turn = 0; turn < (path.endsWith("0") ? 20 : 2); turn += 1) await Promise.resolve();
        reading -= 1;
        return host.read(path, options);
      },
    });
    expect(paths(await fs.grep({ pattern: "x", path: "/" }))).toEqual(Object.keys(files));
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThan(12);
    reads = 0;
    const few = await fs.grep({ pattern: "x", path: "/", limit: 3, offset: 2 });
    expect([paths(few), few.truncated]).toEqual([["/f02", "/f03", "/f04"], true]);
    expect(reads).toBeLessThan(20);
  });

  test("ends with what it has when its time is up, also when the host hangs", async () => {
    const { promise } = endless();
    const host = plainHost({ "/a": "x", "/b": "x", "/c": "x" });
    let expire = (): void => {};
    const timers = {
      set: (callback: () => void) => {
        expire = callback;
      },
      clear: () => {},
    };
    const read: typeof host.read = (path, options) => {
      if (path !== "/c") return host.read(path, options);
      queueMicrotask(() => void Promise.resolve().then(() => setTimeout(expire, 0)));
      return promise;
    };
    const result = await grepFiles({ ...host, read }, { pattern: "x", path: "/" }, { timers });
    expect([paths(result), result.timedOut, result.truncated]).toEqual([["/a", "/b"], true, false]);
  });

  test("gives at most a bounded amount of text, whatever the limit", async () => {
    const fs = memoryFileSystem({ files: { "/a": "\n".repeat(500_000), "/b": `${"x".repeat(400)}\n`.repeat(20_000) } });
    for (const pattern of ["^$", "x"]) {
      const { files, truncated } = await fs.grep({ pattern, path: "/", limit: 1_000_000 });
      const size = files.flatMap(({ matches }) => matches).reduce((sum, { text }) => sum + text.length + 32, 0);
      expect([truncated, size > MAX_GREP_TEXT / 2, size <= MAX_GREP_TEXT]).toEqual([true, true, true]);
    }
  });

  test("counts all lines of a big file", async () => {
    const fs = memoryFileSystem({ files: { "/a": "x y\n".repeat(200_000) } });
    expect((await fs.grep({ pattern: "x", path: "/", mode: "count" })).files).toEqual([
      { path: "/a", matches: [], count: 200_000 },
    ]);
  });

  test("lets timers and aborts have their turn", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`/f${index}`, "the quick brown fox\n".repeat(10_000)]),
    );
    const fs = memoryFileSystem({ files });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    await fs.grep({ pattern: "q.*x.*z", path: "/", mode: "count" });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
    const controller = new AbortController();
    const reason = new Error("enough");
    setTimeout(() => controller.abort(reason), 0);
    await expect(fs.grep({ pattern: "q.*x.*z", path: "/", mode: "count", signal: controller.signal })).rejects.toBe(
      reason,
    );
  });

  test("does not let the text of a file stop it", async () => {
    const hostile = ["a".repeat(35), `${"a".repeat(35)}!`, "a".repeat(40), "ab".repeat(700), " ".repeat(5000)].join(
      "\n",
    );
    const fs = memoryFileSystem({ files: { "/hostile": hostile } });
    for (const pattern of ["a+$", "a.*b.*c", "\\s+$x", "(?:a|b)*c", "\\w+\\s*=", "(\\w+\\s)*x"])
      expect((await fs.grep({ pattern, path: "/" })).timedOut).toBe(false);
    for (const pattern of ["(a+)+$", "(a|a)*b"])
      await expect(fs.grep({ pattern, path: "/" })).rejects.toMatchObject({ code: "GREP_PATTERN_UNSAFE" });
  });

  test("names the types it knows, all of which have patterns that match", async () => {
    const fs = memoryFileSystem();
    await expect(fs.grep({ pattern: "x", path: "/", type: "toString" })).rejects.toThrow(
      /there is no file type "toString"\. .* one of .*\brust\b/,
    );
    expect(Object.keys(fileTypes).length).toBeGreaterThanOrEqual(40);
    for (const patterns of Object.values(fileTypes)) for (const pattern of patterns) compileGlob(pattern);
    const { files } = await memoryFileSystem({
      files: { "/a.rs": "x", "/b.mts": "x", "/Makefile": "x", "/d.py": "x", "/Dockerfile.dev": "x" },
    }).grep({ pattern: "x", path: "/", type: "docker" });
    expect(files.map(({ path }) => path)).toEqual(["/Dockerfile.dev"]);
  });
});

async function* failingList(code: "FS_IO" | "FS_NOT_FOUND"): AsyncGenerator<never> {
  yield await Promise.reject(fsError(code, "/a"));
}
