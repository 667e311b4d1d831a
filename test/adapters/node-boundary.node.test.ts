import { execFileSync } from "node:child_process";
import { link, mkdir, readdir, readFile, realpath, rename, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { FileSystem } from "holdall";
import { nodeBackend, nodeFileSystem } from "holdall/node";
import { describe, expect, test } from "vitest";
import { has, temporaryFolders } from "./node-support.ts";

const folder = temporaryFolders();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = async (fs: FileSystem, path: string): Promise<string> =>
  new TextDecoder().decode((await fs.read(path)).bytes);

async function collect<T>(items: AsyncIterable<T> | undefined): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items ?? []) all.push(item);
  return all;
}

/** A workspace beside a folder with a secret, and ways that lead from one to the other. */
async function twoFolders() {
  const top = await folder();
  const [root, outside] = [join(top, "work"), join(top, "work-of-others")];
  await mkdir(join(root, "d"), { recursive: true });
  await mkdir(join(outside, "sub"), { recursive: true });
  await writeFile(join(outside, "secret"), "secret");
  await symlink(outside, join(root, "away"));
  await symlink("../work-of-others/secret", join(root, "file"));
  await symlink("../work-of-others/new", join(root, "nowhere"));
  await symlink("away", join(root, "twice"));
  return { top, root, outside, fs: nodeFileSystem({ root }) };
}

const calls: Readonly<Record<string, (fs: FileSystem, path: string, root: string) => Promise<unknown>>> = {
  stat: (fs, path) => fs.stat(path),
  read: (fs, path) => fs.read(path),
  readStream: (fs, path) => fs.readStream(path).getReader().read(),
  write: (fs, path) => fs.write(path, bytes("changed")),
  "write of a new file": (fs, path) => fs.write(`${path}/x/y`, bytes("changed")),
  writeStream: (fs, path) => fs.writeStream(path, new Blob(["changed"]).stream()),
  list: (fs, path) => collect(fs.list(path)),
  walk: (fs, path) => collect(fs.walk(path)),
  realpath: (fs, path) => fs.realpath(path),
  makeDirectory: (fs, path) => fs.makeDirectory(`${path}/new`),
  "remove below": (fs, path) => fs.remove(`${path}/sub`, { recursive: true }),
  "rename from": (fs, path, root) => fs.rename(`${path}/sub`, `${root}/moved`),
  "rename to": (fs, path, root) => fs.rename(`${root}/d`, `${path}/moved`),
  symlink: async (fs, path) => fs.symlink?.("x", `${path}/link`),
  "symlink that leads there": async (fs, path, root) => fs.symlink?.(path, `${root}/d/link`),
  readLink: async (fs, path) => fs.readLink?.(`${path}/sub`),
  watch: (fs, path) => collect(fs.watch?.(path)),
  glob: (fs, path) => fs.glob({ pattern: "**", path }),
  grep: (fs, path) => fs.grep({ pattern: "secret", path }),
};

describe("the root of nodeFileSystem", () => {
  test.each(Object.entries(calls))("holds against %s, and nothing outside changes", async (_name, call) => {
    const { root, outside, fs, top } = await twoFolders();
    const ways = [outside, `${outside}/secret`, `${root}/../work-of-others`, "/", "/etc/passwd", top];
    const links = ["away", "twice", "file", "nowhere", "away/secret", "away/missing/deep"].map((name) =>
      join(root, name),
    );
    for (const path of [...ways, ...links, "/no/such/place"])
      await expect(call(fs, path, root), path).rejects.toMatchObject({ code: "FS_OUTSIDE_ROOT" });
    expect([await readdir(outside), await readFile(join(outside, "secret"), "utf8")]).toEqual([
      ["secret", "sub"],
      "secret",
    ]);
    expect((await readdir(root)).sort()).toEqual(["away", "d", "file", "nowhere", "twice"]);
  });

  test("lets a link that leads out be seen, moved and removed, as the link that it is", async () => {
    const { root, outside, fs } = await twoFolders();
    expect((await fs.stat(`${root}/away`, { followSymlinks: false }))?.kind).toBe("symlink");
    expect(await fs.readLink?.(`${root}/file`)).toBe("../work-of-others/secret");
    await fs.rename(`${root}/away`, `${root}/d/moved`);
    await fs.remove(`${root}/d`, { recursive: true });
    await fs.remove(`${root}/file`);
    expect([await readdir(outside), (await readdir(root)).sort()]).toEqual([
      ["secret", "sub"],
      ["nowhere", "twice"],
    ]);
  });

  test("passes over what links lead to in searches", async () => {
    const { root, fs } = await twoFolders();
    await fs.write(`${root}/d/f`, bytes("no secret"));
    expect((await fs.glob({ pattern: "**", path: root })).matches.map(({ path }) => path)).toEqual([`${root}/d/f`]);
    expect((await fs.grep({ pattern: "secret", path: root })).files.map(({ path }) => path)).toEqual([`${root}/d/f`]);
  });

  test("may be named through a link, and has as many directories as are given", async () => {
    const { top, root, outside } = await twoFolders();
    await symlink(root, join(top, "alias"));
    const fs = nodeFileSystem({ root: join(top, "alias"), additionalDirectories: [outside] });
    await fs.write(`${top}/alias/d/f`, bytes("x"));
    expect([await text(fs, `${root}/d/f`), await fs.realpath(`${top}/alias/d`)]).toEqual(["x", `${root}/d`]);
    expect(await text(fs, `${root}/away/secret`)).toBe("secret");
    await expect(fs.stat(top)).rejects.toMatchObject({ code: "FS_OUTSIDE_ROOT" });
  });

  test("must be a directory that exists", async () => {
    const top = await folder();
    await writeFile(join(top, "f"), "");
    expect(() => nodeFileSystem({ root: join(top, "missing") })).toThrow("FS_NOT_FOUND");
    expect(() => nodeFileSystem({ root: join(top, "f") })).toThrow("FS_NOT_DIRECTORY");
    expect(() => nodeFileSystem({ root: "" })).toThrow("FS_INVALID_PATH");
  });

  test("can be the whole disk", async () => {
    const top = await folder();
    const fs = nodeFileSystem({ root: "/" });
    await fs.write(join(top, "f"), bytes("x"));
    expect([await text(fs, join(top, "f")), (await fs.stat("/"))?.kind]).toEqual(["x", "directory"]);
    await expect(fs.remove("/", { recursive: true })).rejects.toMatchObject({ code: "FS_INVALID_PATH" });
  });

  test("holds while a directory is exchanged for a link that leads out, again and again", async () => {
    const { root, outside, fs } = await twoFolders();
    await writeFile(join(root, "d/secret"), "harmless");
    const stop = await exchange(root);
    const read = new Set<string>();
    for (let round = 0; round < 300; round += 1) {
      const [content, found] = await Promise.all([
        text(fs, `${root}/d/secret`).catch(() => "failed"),
        fs.grep({ pattern: "secret", path: `${root}/d` }).catch(() => undefined),
        fs.write(`${root}/d/new${round % 3}`, bytes("x")).catch(() => undefined),
        fs.makeDirectory(`${root}/d/folder`).catch(() => undefined),
        fs.remove(`${root}/d/sub`, { recursive: true }).catch(() => undefined),
      ]);
      read.add(content);
      for (const { matches } of found?.files ?? []) for (const { text: line } of matches) read.add(line);
    }
    await stop();
    expect([...read].filter((content) => content.includes("secret"))).toEqual([]);
    expect(await readdir(outside)).toEqual(["secret", "sub"]);
  }, 60_000);
});

/** Exchanges `d` for a link that leads out and back, in a thread of its own, until the function returned is called. */
async function exchange(root: string): Promise<() => Promise<void>> {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const code = `
    const { renameSync, rmSync, symlinkSync } = require("node:fs");
    const { workerData: { root, flag }, parentPort } = require("node:worker_threads");
    symlinkSync("../work-of-others", root + "/bait");
    parentPort.postMessage("started");
    // A folder made in the gap is in the way.
    const move = (from, to) => {
      for (;;) {
        try {
          return renameSync(root + from, root + to);
        } catch {
          try {
            rmSync(root + to, { recursive: true, force: true });
          } catch {}
        }
      }
    };
    while (Atomics.load(flag, 0) === 0) {
      move("/d", "/kept");
      move("/bait", "/d");
      move("/d", "/bait");
      move("/kept", "/d");
    }`;
  const worker = new Worker(code, { eval: true, workerData: { root, flag } });
  await new Promise((resolve) => worker.once("message", resolve));
  return async () => {
    Atomics.store(flag, 0, 1);
    await new Promise((resolve) => worker.once("exit", resolve));
  };
}

describe("what is no file", () => {
  test.runIf(has("mkfifo"))("a pipe is told by its kind, and never waited for", async () => {
    const root = await folder();
    const fs = nodeFileSystem({ root });
    execFileSync("mkfifo", [join(root, "pipe")]);
    await refusesFile(fs, root, "pipe");
  });

  test("a socket is told by its kind, and never connected to", async () => {
    const root = await folder();
    const fs = nodeFileSystem({ root });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, "socket"), resolve));
    await refusesFile(fs, root, "socket");
    await new Promise((resolve) => server.close(resolve));
  });

  async function refusesFile(fs: FileSystem, root: string, name: string): Promise<void> {
    const path = join(root, name);
    expect((await fs.stat(path))?.kind).toBe("other");
    expect(await collect(fs.list(root))).toEqual([{ name, kind: "other" }]);
    await expect(fs.read(path)).rejects.toMatchObject({ code: "FS_UNSUPPORTED" });
    await expect(fs.write(path, bytes("x"))).rejects.toMatchObject({ code: "FS_UNSUPPORTED" });
    expect((await fs.glob({ pattern: "*", path: root })).matches).toEqual([]);
    expect((await fs.grep({ pattern: "x", path: root })).searched).toBe(0);
    expect((await fs.stat(path))?.kind).toBe("other");
  }
});

describe("names", () => {
  test("that are no text are left out, and take nobody's place", async () => {
    const root = await folder();
    const fs = nodeFileSystem({ root });
    const odd = Buffer.concat([Buffer.from(`${root}/d/`), Buffer.from([0x61, 0xff])]);
    await mkdir(join(root, "d"));
    await writeFile(odd, "odd");
    await writeFile(join(root, "d", "a\ufffd"), "plain");
    expect(await collect(fs.list(`${root}/d`))).toEqual([{ name: "a\ufffd", kind: "file" }]);
    expect(await text(fs, `${root}/d/a\ufffd`)).toBe("plain");
    expect((await fs.glob({ pattern: "**", path: root })).matches.map(({ path }) => path)).toEqual([
      `${root}/d/a\ufffd`,
    ]);
    await fs.remove(`${root}/d/a\ufffd`);
    expect([await fs.stat(`${root}/d/a\ufffd`), await collect(fs.list(`${root}/d`))]).toEqual([undefined, []]);
    await expect(fs.remove(`${root}/d`)).rejects.toMatchObject({ code: "FS_NOT_EMPTY" });
    await fs.remove(`${root}/d`, { recursive: true });
    expect(await readdir(root)).toEqual([]);
  });

  test("may be as long as the host allows, and are refused when they are longer", async () => {
    const root = await folder();
    const fs = nodeFileSystem({ root });
    const name = "n".repeat(255);
    await fs.write(`${root}/${name}`, bytes("x"));
    expect(await text(fs, `${root}/${name}`)).toBe("x");
    for (const call of [
      fs.write(`${root}/${name}n`, bytes("x")),
      fs.read(`${root}/${name}n`),
      fs.makeDirectory(`${root}/x/${name}n`),
    ])
      await expect(call).rejects.toMatchObject({ code: "FS_INVALID_PATH" });
    expect(await readdir(root)).toEqual([name]);
  });
});

describe("files", () => {
  test("keep permissions, get the usual ones when they are new, and leave other names alone", async () => {
    const root = await folder();
    const fs = nodeFileSystem({ root });
    await writeFile(join(root, "script"), "old", { mode: 0o750 });
    await link(join(root, "script"), join(root, "other"));
    await writeFile(join(root, "usual"), "");
    await fs.write(`${root}/script`, bytes("new"));
    await fs.write(`${root}/fresh`, bytes("new"));
    const mode = async (name: string): Promise<number> => (await stat(join(root, name))).mode & 0o7777;
    expect([await mode("script"), (await mode("fresh")) === (await mode("usual"))]).toEqual([0o750, true]);
    expect(await readFile(join(root, "other"), "utf8")).toBe("old");
  });

  test.runIf(process.getuid?.() === 0)("keep their owner", async () => {
    const root = await folder();
    const fs = nodeFileSystem({ root });
    await writeFile(join(root, "f"), "old", { mode: 0o640 });
    execFileSync("chown", ["1234:2345", join(root, "f")]);
    await fs.write(`${root}/f`, bytes("new"));
    const { uid, gid, mode } = await stat(join(root, "f"));
    expect([uid, gid, mode & 0o7777]).toEqual([1234, 2345, 0o640]);
  });

  test("have versions of their own, however often, fast and far back in time they are written", async () => {
    const root = await folder();
    let now = 1_700_000_000_000;
    const fs = nodeFileSystem({ root, clock: () => now });
    const versions = new Set<string>();
    for (let round = 0; round < 400; round += 1) {
      if (round === 200) now -= 3_600_000;
      const { version, modifiedAt } = await fs.write(`${root}/f`, bytes(round % 2 === 0 ? "aaa" : "bbb"));
      expect(Math.abs(modifiedAt - now)).toBeLessThan(2);
      versions.add(version);
    }
    expect(versions.size).toBe(400);
  });

  test("that others change get another version, also in place and with the same size", async () => {
    const root = await folder();
    const fs = nodeFileSystem({ root });
    const { version } = await fs.write(`${root}/f`, bytes("one"));
    await writeFile(join(root, "f"), "two");
    await expect(fs.write(`${root}/f`, bytes("six"), { ifVersion: version })).rejects.toMatchObject({
      code: "FS_CONFLICT",
    });
    expect(await readFile(join(root, "f"), "utf8")).toBe("two");
  });

  test("of one condition are written once, whichever file system writes them", async () => {
    const root = await folder();
    const systems = [nodeFileSystem({ root }), nodeFileSystem({ root })];
    for (const ifVersion of [null, (await systems[0]?.write(`${root}/old`, bytes("x")))?.version ?? ""]) {
      const path = ifVersion === null ? `${root}/new` : `${root}/old`;
      const writes = systems.flatMap((fs) =>
        Array.from({ length: 10 }, () => fs.write(path, bytes("y"), { ifVersion })),
      );
      const ends = await Promise.allSettled(writes);
      expect(ends.filter(({ status }) => status === "fulfilled").length).toBe(1);
    }
    expect((await readdir(root)).sort()).toEqual(["new", "old"]);
  });

  test("leave no draft behind, and no folder that was made for them", async () => {
    const root = await folder();
    const fs = nodeFileSystem({ root });
    const { version } = await fs.write(`${root}/f`, bytes("old"));
    await fs.write(`${root}/f`, bytes("new"));
    const broken = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        start: (controller) => controller.enqueue(bytes("half")),
        pull: (controller) => controller.error(new Error("broke")),
      });
    await expect(fs.write(`${root}/f`, bytes("x"), { ifVersion: version })).rejects.toMatchObject({
      code: "FS_CONFLICT",
    });
    await expect(fs.writeStream(`${root}/f`, broken())).rejects.toThrow("broke");
    await expect(fs.writeStream(`${root}/new/deep/f`, broken())).rejects.toThrow("broke");
    expect([await readdir(root), await text(fs, `${root}/f`)]).toEqual([["f"], "new"]);
  });

  test("of 5 GB are described, and read where it is asked for", async () => {
    const root = await folder();
    const fs = nodeFileSystem({ root });
    execFileSync(
      "sh",
      ["-c", "truncate -s 5368709120 huge && printf end | dd of=huge bs=1 seek=5368709117 conv=notrunc 2>/dev/null"],
      { cwd: root },
    );
    expect((await fs.stat(`${root}/huge`))?.size).toBe(5_368_709_120);
    const { bytes: end } = await fs.read(`${root}/huge`, { offset: 5_368_709_116, length: 100 });
    expect(end).toEqual(bytes("\0end"));
    await expect(fs.read(`${root}/huge`)).rejects.toMatchObject({ code: "FS_TOO_LARGE" });
    expect((await fs.grep({ pattern: "end", path: root })).skipped.large).toBe(1);
  });

  test("are moved to another device by nobody, and stay", async () => {
    const [root, other] = [await folder(), "/dev/shm"];
    const isOther = (await stat(root)).dev !== (await stat(other).catch(() => undefined))?.dev;
    if (!isOther || (await stat(other).catch(() => undefined)) === undefined) return;
    const target = join(other, `holdall-${process.pid}`);
    await mkdir(target);
    try {
      const fs = nodeFileSystem({ root, additionalDirectories: [target] });
      await fs.write(`${root}/f`, bytes("x"));
      await expect(fs.rename(`${root}/f`, `${target}/new/f`)).rejects.toMatchObject({ code: "FS_UNSUPPORTED" });
      expect([await readdir(root), await readdir(target)]).toEqual([["f"], []]);
    } finally {
      execFileSync("rm", ["-r", target]);
    }
  });

  test("are listed, walked, found and removed by the ten thousand", async () => {
    const root = await folder();
    const fs = nodeFileSystem({ root });
    execFileSync("sh", ["-c", 'for d in $(seq 1 20); do mkdir d$d; (cd d$d; seq -f "f%g" 1 500 | xargs touch); done'], {
      cwd: root,
    });
    expect((await collect(fs.list(`${root}/d7`))).length).toBe(500);
    expect((await collect(fs.walk(root))).length).toBe(10_020);
    const { matches, truncated } = await fs.glob({ pattern: "**/f1*", path: root, limit: 100_000 });
    expect([matches.length, truncated]).toEqual([20 * 111, false]);
    expect((await fs.grep({ pattern: "x", path: root })).searched).toBe(10_000);
    for (let index = 1; index <= 20; index += 1) await fs.remove(`${root}/d${index}`, { recursive: true });
    expect(await readdir(root)).toEqual([]);
  }, 60_000);

  test("may vanish while a tree is walked", async () => {
    const root = await folder();
    const fs = nodeFileSystem({ root });
    for (const name of ["a", "b", "c", "d"]) await fs.write(`${root}/${name}/f`, bytes("x"));
    const met: string[] = [];
    for await (const { path } of fs.walk(root)) {
      met.push(path.slice(root.length));
      if (path === `${root}/a`) await fs.remove(`${root}/c`, { recursive: true });
      if (path === `${root}/b/f`) await rename(join(root, "d"), join(root, "e"));
    }
    expect(met).toEqual(["/a", "/a/f", "/b", "/b/f", "/c", "/d"]);
  });
});

describe("nodeBackend", () => {
  test("stands in its root, names its host, and ends all when it is closed", async () => {
    const root = await folder();
    const backend = nodeBackend({ root: join(root, "."), home: "/home/somebody" });
    const { name, os, cwd, home, fs, shell } = backend;
    expect({ name, os, cwd, home }).toEqual({ name: "node", os: "posix", cwd: root, home: "/home/somebody" });
    const watching = collect(fs.watch?.(root));
    await fs.write(`${root}/f`, bytes("x"));
    const sleeping = shell?.run("sleep 60");
    await backend.close?.();
    await expect(sleeping?.exit).rejects.toMatchObject({ code: "SHELL_FAILED" });
    await expect(fs.stat(`${root}/f`)).rejects.toMatchObject({ code: "FS_CLOSED" });
    await expect(fs.grep({ pattern: "x", path: root })).rejects.toMatchObject({ code: "FS_CLOSED" });
    expect((await watching).every(({ path }) => path === `${root}/f`)).toBe(true);
  });

  test("stands where it is told to", async () => {
    const root = await realpath(await folder());
    await mkdir(join(root, "sub"));
    const { cwd, shell } = nodeBackend({ root, cwd: "sub", shell: false });
    expect([cwd, shell]).toEqual([`${root}/sub`, undefined]);
  });
});
