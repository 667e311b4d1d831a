import { execFileSync, spawn } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { bundledAdapter, temporaryFolders } from "./node-support.ts";

const folder = temporaryFolders();
const adapter = bundledAdapter();

/** A user without rights. */
const NOBODY = 65534;

/** Says how each of some calls ended. */
const TELL = `
  const text = (value) => new TextEncoder().encode(value);
  const told = [];
  const tell = async (call) => {
    try {
      const value = await call;
      told.push(value?.bytes ? new TextDecoder().decode(value.bytes) : "done");
    } catch (error) {
      told.push([error.code, error.retryable, error.cause?.code ?? ""].join(" "));
    }
  };`;

/** Runs a script with a file system `fs` over a folder, as nobody and under limits of the shell; gives what it prints. */
function runLimited(root: string, script: string, limits = ":"): unknown {
  const code = `
    import { nodeFileSystem } from ${JSON.stringify(pathToFileURL(adapter()).href)};
    const root = ${JSON.stringify(root)};
    const fs = nodeFileSystem({ root, ripgrep: false });
    ${TELL}
    ${script}
    console.log(JSON.stringify(told));`;
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const arguments_ = ["-c", `${limits}; exec "$0" --input-type=module -e "$1"`, process.execPath, code];
  return JSON.parse(execFileSync("bash", arguments_, { encoding: "utf8", cwd: "/", ...user }));
}

async function sharedFolder(): Promise<string> {
  const root = await folder();
  if (process.getuid?.() === 0) await chown(root, NOBODY, NOBODY);
  return root;
}

describe("a file system without rights", () => {
  test("says what it may not do, changes nothing, and searches the rest", async () => {
    const root = await sharedFolder();
    await mkdir(join(root, "closed"));
    await mkdir(join(root, "fixed"));
    await writeFile(join(root, "closed", "f"), "needle");
    await writeFile(join(root, "fixed", "f"), "needle fixed");
    await writeFile(join(root, "secret"), "needle secret");
    await writeFile(join(root, "open"), "needle open");
    await chmod(join(root, "fixed", "f"), 0o444);
    for (const [name, mode] of [
      ["secret", 0o000],
      ["fixed", 0o555],
      ["closed", 0o000],
    ] as const) {
      await chmod(join(root, name), mode);
      if (process.getuid?.() === 0) await chown(join(root, name), NOBODY, NOBODY);
    }
    const script = `
      await tell(fs.read(root + "/secret"));
      await tell(fs.read(root + "/closed/f"));
      await tell(fs.write(root + "/secret", text("x")));
      await tell(fs.write(root + "/fixed/f", text("x")));
      await tell(fs.write(root + "/fixed/new/f", text("x")));
      await tell(fs.remove(root + "/fixed", { recursive: true }));
      await tell(fs.rename(root + "/open", root + "/fixed/open"));
      await tell((async () => { for await (const entry of fs.list(root + "/closed")) void entry; })());
      const found = await fs.grep({ pattern: "needle", path: root });
      told.push(found.files.map(({ path }) => path.slice(root.length)), found.skipped.unreadable);
      const { matches } = await fs.glob({ pattern: "**", path: root });
      told.push(matches.map(({ path }) => path.slice(root.length)).sort());`;
    const denied = "FS_IO false EACCES";
    expect(runLimited(root, script)).toEqual([
      ...[denied, denied, denied, denied, denied, denied, denied, denied],
      ["/fixed/f", "/open"],
      1,
      ["/fixed/f", "/open", "/secret"],
    ]);
    expect([await readFile(join(root, "fixed", "f"), "utf8"), await readFile(join(root, "open"), "utf8")]).toEqual([
      "needle fixed",
      "needle open",
    ]);
    expect((await readdir(root)).sort()).toEqual(["closed", "fixed", "open", "secret"]);
    await chmod(join(root, "closed"), 0o755);
    await chmod(join(root, "fixed"), 0o755);
  });
});

describe("a file system without room", () => {
  test("leaves the old file, no draft and no folder", async () => {
    const root = await sharedFolder();
    const script = `
      await tell(fs.write(root + "/f", text("old")));
      await tell(fs.write(root + "/f", new Uint8Array(1 << 20)));
      await tell(fs.write(root + "/new/deep/f", new Uint8Array(1 << 20)));
      await tell(fs.writeStream(root + "/f", new Blob([new Uint8Array(1 << 20)]).stream()));
      await tell(fs.read(root + "/f"));`;
    const full = "FS_NO_SPACE false EFBIG";
    expect(runLimited(root, script, "ulimit -f 64")).toEqual(["done", full, full, full, "old"]);
    expect(await readdir(root)).toEqual(["f"]);
  });

  test("waits for its turn when a process may open few files, and says so when there are none", async () => {
    const root = await sharedFolder();
    const script = `
      for (let index = 0; index < 400; index += 1) await fs.write(root + "/f" + index, text("x"));
      const all = await Promise.allSettled(Array.from({ length: 400 }, (_, index) => fs.read(root + "/f" + index)));
      told.push(all.filter(({ status }) => status === "fulfilled").length);
      const { openSync } = await import("node:fs");
      try { for (;;) openSync("/dev/null"); } catch {}
      await tell(fs.read(root + "/f1"));
      await tell(fs.write(root + "/f1", text("y")));`;
    const short = "FS_IO true EMFILE";
    expect(runLimited(root, script, "ulimit -n 300")).toEqual([400, short, short]);
    expect(await readFile(join(root, "f1"), "utf8")).toBe("x");
  });
});

describe("a process that is killed while it writes", () => {
  test("leaves the old file or the new one, never half of it", async () => {
    const root = await folder();
    const code = `
      import { nodeFileSystem } from ${JSON.stringify(pathToFileURL(adapter()).href)};
      const fs = nodeFileSystem({ root: ${JSON.stringify(root)} });
      console.log("ready");
      for (let round = 0; ; round += 1) await fs.write(${JSON.stringify(join(root, "f"))}, new Uint8Array(4 << 20).fill(round));`;
    for (let round = 0; round < 6; round += 1) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", code]);
      await new Promise((resolve) => child.stdout.once("data", resolve));
      await new Promise((resolve) => setTimeout(resolve, 20 + round * 13));
      child.kill("SIGKILL");
      await new Promise((resolve) => child.once("close", resolve));
      const bytes = await readFile(join(root, "f")).catch(() => Buffer.alloc(4 << 20));
      expect([bytes.length, bytes.every((byte) => byte === bytes[0])]).toEqual([4 << 20, true]);
    }
  });
});
