import { type FileSystem, fsError } from "holdall";
import { memoryFileSystem } from "holdall/memory";
import { fileSystemContract } from "holdall/testing";
import { describe, expect, test } from "vitest";

/** A file system with one fault, and the beginning of the names of the cases that must find it. */
interface Mutant {
  fault: string;
  found: string;
  make(fs: FileSystem): Partial<FileSystem>;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const mutants: readonly Mutant[] = [
  {
    fault: "writes whatever the condition",
    found: "condition: ",
    make: (fs) => ({ write: (path, bytes) => fs.write(path, bytes) }),
  },
  {
    fault: "checks the condition some time before it writes",
    found: "concurrency: of 20",
    make: (fs) => ({
      write: async (path, bytes, options) => {
        const now = await fs.stat(path);
        if (options?.ifVersion !== undefined && options.ifVersion !== (now?.version ?? null))
          throw fsError("FS_CONFLICT", path);
        return fs.write(path, bytes);
      },
    }),
  },
  {
    fault: "creates the folders before it checks the condition",
    found: "condition: a version of what is gone",
    make: (fs) => ({
      write: async (path, bytes, options) => {
        await fs.makeDirectory(path.slice(0, path.lastIndexOf("/")) || "/");
        return fs.write(path, bytes, options);
      },
    }),
  },
  { fault: "keeps the caller's bytes", found: "write: does not see", make: keepsBytes },
  {
    fault: "lends its own bytes",
    found: "read: gives bytes that are the caller's own",
    make: (fs) => {
      const lent = new Map<string, Uint8Array>();
      return {
        read: async (path, options) => {
          const read = await fs.read(path, options);
          const bytes = lent.get(path) ?? read.bytes;
          lent.set(path, bytes);
          return { ...read, bytes };
        },
      };
    },
  },
  {
    fault: "makes versions of sizes",
    found: "version: changes",
    make: (fs) => withVersions(fs, (size) => String(size)),
  },
  {
    fault: "makes versions of the clock",
    found: "version: changes",
    make: (fs) => withVersions(fs, () => "2026-08-01"),
  },
  {
    fault: "has a wrong code for what is missing",
    found: "read: fails",
    make: (fs) => ({
      read: (path, options) => fs.read(path, options).catch(() => Promise.reject(fsError("FS_IO", path))),
    }),
  },
  {
    fault: "throws errors of its own kind",
    found: "read: fails",
    make: (fs) => ({
      read: (path, options) => fs.read(path, options).catch(() => Promise.reject(new Error("ENOENT"))),
    }),
  },
  {
    fault: "ignores the offset",
    found: "read: gives the part",
    make: (fs) => ({ read: (path, options) => fs.read(path, { ...options, offset: 0 }) }),
  },
  {
    fault: "fails past the end",
    found: "read: gives the part",
    make: (fs) => ({
      read: async (path, options) => {
        const size = (await fs.stat(path))?.size ?? 0;
        if ((options?.offset ?? 0) > size) throw fsError("FS_INVALID_ARGUMENT", path);
        return fs.read(path, options);
      },
    }),
  },
  {
    fault: "creates no parents",
    found: "write: creates missing parents",
    make: (fs) => ({
      write: async (path, bytes, options) => {
        if ((await fs.stat(path.slice(0, path.lastIndexOf("/")) || "/")) === undefined)
          throw fsError("FS_NOT_FOUND", path);
        return fs.write(path, bytes, options);
      },
    }),
  },
  {
    fault: "writes text that is given as bytes",
    found: "write: refuses what is no bytes",
    make: (fs) => ({ write: (path, bytes, options) => fs.write(path, new Uint8Array(bytes), options) }),
  },
  {
    fault: "trims names",
    found: "paths: names with spaces",
    make: (fs) => ({ write: (path, bytes, options) => fs.write(path.trim(), bytes, options) }),
  },
  {
    fault: "takes relative paths",
    found: 'paths: "relative/path"',
    make: (fs) => ({ stat: (path, options) => fs.stat(path.startsWith("/") ? path : `/${path}`, options) }),
  },
  {
    fault: "fails to list before the listing is read",
    found: "list: fails",
    make: (fs) => ({
      list: (path, options) => {
        if (path.endsWith("missing")) throw fsError("FS_NOT_FOUND", path);
        return fs.list(path, options);
      },
    }),
  },
  {
    fault: "hides dotfiles",
    found: "paths: names with dots",
    make: (fs) => ({ walk: (path, options) => without(fs.walk(path, options), ({ name }) => name.startsWith(".")) }),
  },
  {
    fault: "walks in no order",
    found: "walk: meets parents",
    make: (fs) => ({ walk: (path, options) => reversed(fs.walk(path, options)) }),
  },
  {
    fault: "removes full directories unasked",
    found: "remove: takes a full",
    make: (fs) => ({ remove: (path, options) => fs.remove(path, { ...options, recursive: true }) }),
  },
  {
    fault: "forgives removing what is missing",
    found: "remove: fails",
    make: (fs) => ({
      remove: async (path, options) => ((await fs.stat(path)) === undefined ? undefined : fs.remove(path, options)),
    }),
  },
  {
    fault: "moves over directories",
    found: "rename: refuses a directory",
    make: (fs) => ({
      rename: async (from, to, options) => {
        if (from !== to && (await fs.stat(to))?.kind === "directory") await fs.remove(to, { recursive: true });
        return fs.rename(from, to, options);
      },
    }),
  },
  {
    fault: "copies instead of moving",
    found: "rename: moves a file",
    make: (fs) => ({
      rename: async (from, to) => {
        await fs.write(to, (await fs.read(from)).bytes);
      },
    }),
  },
  {
    fault: "does not look at signals before reading",
    found: "abort: read with a signal",
    make: (fs) => ({ read: (path) => fs.read(path) }),
  },
  {
    fault: "does not look at signals before writing",
    found: "abort: write with a signal",
    make: (fs) => ({ write: (path, bytes) => fs.write(path, bytes) }),
  },
  {
    fault: "writes and then says it was given up",
    found: "abort: write given up",
    make: (fs) => ({
      write: async (path, bytes, options) => {
        const stat = await fs.write(path, bytes);
        options?.signal?.throwIfAborted();
        return stat;
      },
    }),
  },
  {
    fault: "goes on listing after an abort",
    found: "abort: list stops",
    make: (fs) => ({ list: (path) => fs.list(path) }),
  },
  { fault: "calls every path real", found: "realpath: resolves", make: () => ({ realpath: async (path) => path }) },
  {
    fault: "removes through links",
    found: "links: removing one",
    make: (fs) => ({ remove: async (path, options) => fs.remove(await fs.realpath(path), options) }),
  },
  {
    fault: "replaces links by files",
    found: "links: a link to a file",
    make: (fs) => ({
      write: async (path, bytes, options) => {
        if ((await fs.stat(path, { followSymlinks: false }))?.kind === "symlink") await fs.remove(path);
        return fs.write(path, bytes, options);
      },
    }),
  },
  {
    fault: "streams what is there at each read",
    found: "readStream: never mixes",
    make: (fs) => ({
      readStream: (path) => {
        let offset = 0;
        return new ReadableStream({
          pull: async (controller) => {
            const { bytes } = await fs.read(path, { offset, length: 1 << 16 });
            offset += bytes.length;
            if (bytes.length === 0) controller.close();
            else controller.enqueue(bytes);
          },
        });
      },
    }),
  },
  {
    fault: "writes the part of a stream that came",
    found: "writeStream: fails as its source does",
    make: (fs) => ({
      writeStream: async (path, stream, options) => {
        const reader = stream.getReader();
        const first = await reader.read();
        await fs.write(path, first.value ?? text(""), options);
        await reader.read();
        return fs.write(path, first.value ?? text(""), options);
      },
    }),
  },
  {
    fault: "does not tell of removals",
    found: "watch: tells",
    make: (fs) => ({
      watch: (path, options) => without(fs.watch?.(path, options) ?? nothing(), ({ kind }) => kind === "removed"),
    }),
  },
  {
    fault: "lists the files of git",
    found: 'glob: "**" finds',
    make: (fs) => ({ glob: async (query) => ({ matches: await everything(fs, query.path), truncated: false }) }),
  },
  {
    fault: "lists what is ignored",
    found: "glob: passes over what .gitignore",
    make: (fs) => ({ glob: (query) => fs.glob({ ...query, includeIgnored: true }) }),
  },
  {
    fault: "searches what is ignored",
    found: "grep: passes over what .gitignore",
    make: (fs) => ({ grep: (query) => fs.grep({ ...query, includeIgnored: true }) }),
  },
  {
    fault: "gives the oldest first",
    found: "glob: gives sizes and times",
    make: (fs) => ({
      glob: async (query) => ({ ...(await fs.glob(query)), matches: (await fs.glob(query)).matches.reverse() }),
    }),
  },
  {
    fault: "misses every second match",
    found: "grep: gives matching lines",
    make: (fs) => ({ grep: async (query) => eachSecond(await fs.grep(query)) }),
  },
  {
    fault: "finds nothing where there is nothing",
    found: "grep: fails where",
    make: (fs) => ({ grep: (query) => fs.grep(query).catch(() => fs.grep({ ...query, path: "/" })) }),
  },
];

describe("the file system contract", () => {
  const can = { symlinks: true, watch: true };

  test.each(mutants)("finds a file system that $fault", async ({ found, make }) => {
    const create = (): FileSystem => {
      const fs = memoryFileSystem();
      return { ...fs, ...make(fs) };
    };
    const cases = fileSystemContract({ create, can }).filter(({ name }) => name.startsWith(found));
    const outcomes = await Promise.allSettled(cases.map(({ run }) => run()));
    expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
  });

  test("finds that a file system can less, or more, than is said", async () => {
    const { symlink: _, readLink: __, watch: ___, ...plain } = memoryFileSystem();
    const check = async (create: () => FileSystem, abilities: typeof can): Promise<unknown> =>
      fileSystemContract({ create, can: abilities })
        .find(({ name }) => name.startsWith("links: the file system has them"))
        ?.run();
    await expect(check(() => plain, can)).rejects.toThrow("symlink and readLink");
    await expect(check(memoryFileSystem, { symlinks: false, watch: true })).rejects.toThrow("symlink and readLink");
    await check(() => plain, { symlinks: false, watch: false });
  });

  test("leaves out what cannot be done, and what is skipped for a reason", () => {
    const all = fileSystemContract({ create: memoryFileSystem, can });
    const plain = fileSystemContract({ create: memoryFileSystem });
    expect(
      all
        .filter(({ name }) => !plain.some((one) => one.name === name))
        .every(({ name }) => /^(links|realpath|watch): /.test(name)),
    ).toBe(true);
    const name = "write: keeps an empty file";
    const skipped = fileSystemContract({
      create: memoryFileSystem,
      can,
      skip: [{ name, reason: "the host has no empty files" }],
    });
    expect(skipped.map((one) => one.name)).toEqual(all.map((one) => one.name).filter((one) => one !== name));
  });

  test.each([
    [{ name: "write: keeps an empty fil", reason: "a slip" }, "There is no case"],
    [{ name: "write: keeps an empty file", reason: " " }, "gives no reason"],
  ])("refuses the skip %j", (skip, message) => {
    expect(() => fileSystemContract({ create: memoryFileSystem, skip: [skip] })).toThrow(message);
  });

  test("takes every subject down, also after a failure", async () => {
    let open = 0;
    const create = (): FileSystem => {
      open += 1;
      return { ...memoryFileSystem(), write: () => Promise.reject(new Error("broken")) };
    };
    const destroy = (): void => {
      open -= 1;
    };
    await Promise.allSettled(fileSystemContract({ create, destroy, can }).map(({ run }) => run()));
    expect(open).toBe(0);
  });
});

function keepsBytes(fs: FileSystem): Partial<FileSystem> {
  const kept = new Map<string, Uint8Array>();
  return {
    write: async (path, bytes, options) => {
      kept.set(path, bytes);
      return fs.write(path, bytes, options);
    },
    read: async (path, options) => ({ ...(await fs.read(path, options)), bytes: kept.get(path) ?? text("") }),
  };
}

function withVersions(fs: FileSystem, versionOf: (size: number) => string): Partial<FileSystem> {
  return {
    stat: async (path, options) => {
      const stat = await fs.stat(path, options);
      return stat && { ...stat, version: versionOf(stat.size) };
    },
    read: async (path, options) => ({
      ...(await fs.read(path, options)),
      version: versionOf((await fs.stat(path))?.size ?? 0),
    }),
    write: async (path, bytes) => ({ ...(await fs.write(path, bytes)), version: versionOf(bytes.length) }),
  };
}

async function* without<T>(items: AsyncIterable<T>, isLeftOut: (item: T) => boolean): AsyncGenerator<T> {
  for await (const item of items) if (!isLeftOut(item)) yield item;
}

async function* reversed<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  yield* all.reverse();
}

async function* nothing(): AsyncGenerator<never> {}

async function everything(fs: FileSystem, path: string) {
  const files = [];
  for await (const entry of fs.walk(path))
    if (entry.kind === "file")
      files.push({ path: entry.path, size: entry.size ?? 0, modifiedAt: entry.modifiedAt ?? 0 });
  return files;
}

function eachSecond(result: Awaited<ReturnType<FileSystem["grep"]>>): Awaited<ReturnType<FileSystem["grep"]>> {
  return {
    ...result,
    files: result.files.map((file) => ({ ...file, matches: file.matches.filter((_, index) => index % 2 === 0) })),
  };
}
