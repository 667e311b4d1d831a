import { createFileSystem, type FileSystem, fsError, HoldallError } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { fileSystemContract } from "holdall/testing";
import { afterEach, describe, expect, test } from "vitest";
import { portAbilities, portFileSystem, serveFileSystem } from "../../adapters/just-bash/port-fs.ts";

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Puts a channel between a file system and its user. */
function throughPort(fs: FileSystem): FileSystem {
  const { port1, port2 } = new MessageChannel();
  const stop = serveFileSystem(fs, port1);
  const client = portFileSystem(port2, portAbilities(fs));
  closing.push(client.close, stop);
  return client.fs;
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe("a file system through a port and the contract", () => {
  const cases = fileSystemContract({ create: () => throughPort(memoryFileSystem()), can: { symlinks: true } });
  for (const { name, run } of cases) test(name, run);
});

describe("a file system through a port", () => {
  test("does all that a shell needs", async () => {
    const { fs } = memoryBackend({ cwd: "/w", files: { "/w/a.txt": "abcdef", "/w/d/b.txt": "b" } });
    const far = throughPort(fs);
    const stat = await far.stat("/w/a.txt");
    expect(stat).toEqual(await fs.stat("/w/a.txt"));
    expect(await far.stat("/w/none")).toBeUndefined();
    expect(text((await far.read("/w/a.txt", { offset: 1, length: 3 })).bytes)).toBe("bcd");
    expect((await far.read("/w/a.txt")).version).toBe(stat?.version);
    const written = await far.write("/w/new/c.txt", new TextEncoder().encode("c"), { ifVersion: null });
    expect(written).toEqual(await fs.stat("/w/new/c.txt"));
    await far.makeDirectory("/w/e");
    await far.rename("/w/new", "/w/moved");
    await far.remove("/w/d", { recursive: true });
    const names: string[] = [];
    for await (const { name } of far.list("/w")) names.push(name);
    expect(names.sort()).toEqual(["a.txt", "e", "moved"]);
    expect(await far.realpath("/w/moved/c.txt")).toBe("/w/moved/c.txt");
  });

  test("has symlinks where the other side has them", async () => {
    const far = throughPort(memoryFileSystem({ files: { "/a": "a" } }));
    await far.symlink?.("a", "/link");
    expect([
      await far.readLink?.("/link"),
      (await far.stat("/link"))?.kind,
      (await far.stat("/link", { followSymlinks: false }))?.kind,
    ]).toEqual(["a", "file", "symlink"]);
    const { symlink: _, readLink: __, ...plain } = memoryFileSystem();
    expect(Object.keys(throughPort(plain)).filter((name) => /symlink|readLink/.test(name) && name in plain)).toEqual(
      [],
    );
    expect(throughPort(createFileSystem(plain)).symlink).toBeUndefined();
  });

  test("keeps code, message and data of errors", async () => {
    const fs = memoryFileSystem({ files: { "/a": "a" } });
    const far = throughPort(fs);
    const calls = (one: FileSystem): Promise<unknown>[] => [
      one.read("/none"),
      one.write("/a", new Uint8Array(1), { ifVersion: "other" }),
      one.remove("/none"),
      one.makeDirectory("/a"),
    ];
    const errors = await Promise.all(calls(far).map((call) => call.catch((error: unknown) => error)));
    const expected = await Promise.all(calls(fs).map((call) => call.catch((error: unknown) => error)));
    const facts = (error: unknown): unknown =>
      HoldallError.is(error) && { code: error.code, message: error.message, data: error.data };
    expect(errors.map(facts)).toEqual(expected.map(facts));
    expect(errors.every((error) => HoldallError.is(error))).toBe(true);
  });

  test("survives data that cannot be cloned, and errors that are none", async () => {
    const odd = new HoldallError("FS_IO", "odd. Try again.", { data: { path: "/a", call: () => {} } });
    const fs = memoryFileSystem();
    const far = throughPort({
      ...fs,
      stat: () => Promise.reject(odd),
      read: () => Promise.reject(new TypeError("broken")),
    });
    await expect(far.stat("/a")).rejects.toMatchObject({ code: "FS_IO", message: "FS_IO: odd. Try again.", data: {} });
    await expect(far.read("/a")).rejects.toMatchObject({
      code: "FS_IO",
      cause: { name: "TypeError", message: "broken" },
    });
  });

  test("sends only the view of a larger buffer, and detaches nothing", async () => {
    const far = throughPort(memoryFileSystem());
    const buffer = new Uint8Array([0, 1, 2, 3, 4, 5]);
    await far.write("/a", buffer.subarray(2, 4));
    expect([...buffer]).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...(await far.read("/a")).bytes]).toEqual([2, 3]);
  });

  test("takes nothing away from a file system that gives a view on its own bytes", async () => {
    const own = new Uint8Array([1, 2, 3, 4]);
    const far = throughPort({ ...memoryFileSystem(), read: async () => ({ bytes: own.subarray(1, 3), version: "1" }) });
    const { bytes } = await far.read("/a");
    expect({ sent: [...bytes], buffer: bytes.buffer.byteLength, own: [...own] }).toEqual({
      sent: [2, 3],
      buffer: 2,
      own: [1, 2, 3, 4],
    });
  });

  test("carries an abort to the other side", async () => {
    let inner: AbortSignal | undefined;
    let started = (): void => {};
    const reached = new Promise<void>((resolve) => {
      started = resolve;
    });
    const fs = memoryFileSystem();
    const far = throughPort({
      ...fs,
      stat: (_path, options) => {
        inner = options?.signal;
        started();
        return new Promise((_, reject) => inner?.addEventListener("abort", () => reject(new Error("given up"))));
      },
    });
    const controller = new AbortController();
    const call = far.stat("/a", { signal: controller.signal });
    await reached;
    controller.abort(new Error("not needed"));
    await expect(call).rejects.toThrow("not needed");
    // An answered call tells that the messages before it have been handled.
    await far.read("/none").catch(() => {});
    expect(inner?.aborted).toBe(true);
  });

  test("fails what is under way and what comes later once it is closed", async () => {
    const { port1, port2 } = new MessageChannel();
    const signals: AbortSignal[] = [];
    const stop = serveFileSystem(
      {
        ...memoryFileSystem(),
        stat: (_path, options) => new Promise(() => options?.signal && signals.push(options.signal)),
      },
      port1,
    );
    const { fs, close } = portFileSystem(port2, { symlink: false, readLink: false });
    const under = fs.stat("/a");
    close();
    await expect(under).rejects.toMatchObject({ code: "FS_CLOSED" });
    await expect(fs.read("/a")).rejects.toMatchObject({ code: fsError("FS_CLOSED", "/a").code });
    stop();
    expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
  });
});
