import { type FileSystem, fsError } from "holdall";
import { justBashShell } from "holdall/just-bash";
import { memoryBackend } from "holdall/memory";
import { describe, expect, test } from "vitest";
import { createFactTable } from "../../adapters/just-bash/file-facts.ts";
import { shellFiles } from "../../adapters/just-bash/shell-files.ts";
import { cacheFiles } from "../../adapters/just-bash/stat-cache.ts";
import { readText, run, workspace } from "./just-bash-support.ts";

/** A file system that notes every call, with and without symlinks. */
function counted(files: Record<string, string>, withLinks = false): { fs: FileSystem; calls: string[] } {
  const { fs } = memoryBackend({ cwd: "/work", files });
  const calls: string[] = [];
  const note = <T>(name: string, path: string, value: T): T => {
    calls.push(`${name} ${path}`);
    return value;
  };
  const { symlink, readLink, ...plain } = fs;
  const all: FileSystem = {
    ...(withLinks ? fs : plain),
    stat: (path, options) => note("stat", path, fs.stat(path, options)),
    read: (path, options) => note("read", path, fs.read(path, options)),
    write: (path, bytes, options) => note("write", path, fs.write(path, bytes, options)),
    list: (path, options) => note("list", path, fs.list(path, options)),
    makeDirectory: (path, options) => note("makeDirectory", path, fs.makeDirectory(path, options)),
    remove: (path, options) => note("remove", path, fs.remove(path, options)),
    rename: (from, to, options) => note("rename", from, fs.rename(from, to, options)),
  };
  return { fs: all, calls };
}

const tree = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [
    `/work/src/m${index % 5}/file${index}.ts`,
    `export const v${index} = ${index};\n`,
  ]),
);

const script = `
mkdir -p out/logs
for f in src/m0/*.ts; do cp "$f" out/; done
ls out | wc -l
cat out/file0.ts out/file5.ts
[ -f out/file0.ts ] && [ ! -e out/none ] && echo ok
find src -name '*.ts' | wc -l
grep -rl 'v1' src | sort | head -n 3
ls -l src/m1 | wc -l
for i in 1 2 3 4 5; do echo "line $i" >> out/logs/log.txt; done
wc -l out/logs/log.txt
mv out/file0.ts out/renamed.ts
test -e out/file0.ts || echo moved
head -n 1 out/renamed.ts
sort src/m2/*.ts | tail -n 1
cd src/m3
ls *.ts | xargs -n 1 basename | head -n 1
cd ../..
rm -r out/logs
[ -d out/logs ] || echo gone
stat -c %s out/renamed.ts
`;

describe("the stat cache", () => {
  test.each([
    ["a file system without symlinks", false, 0.2],
    ["a file system with symlinks", true, 0.35],
  ])("saves most calls of a script of twenty commands on %s", async (_name, withLinks, share) => {
    const counts: number[] = [];
    const outputs: string[] = [];
    for (const statCacheMs of [0, 60_000]) {
      const { fs, calls } = counted(tree, withLinks);
      const shell = justBashShell({ worker: false, statCacheMs })({ fs, cwd: "/work" });
      const { stdout, stderr } = await run(shell, script);
      counts.push(calls.filter((call) => /^(stat|list)/.test(call)).length);
      outputs.push(stdout + stderr);
    }
    const [without = 0, cached = 0] = counts;
    expect(outputs[1]).toBe(outputs[0]);
    expect(outputs[1]).toMatch(/^9\n.*gone\n\d+\n$/s);
    expect(cached, `${cached} of ${without} calls`).toBeLessThan(without * share);
  });

  test("asks for nothing to find a command, and once for what is not there", async () => {
    const { fs, calls } = counted({});
    const shell = justBashShell({ worker: false })({ fs, cwd: "/work" });
    await run(shell, "true; ls -d /bin; echo x | cat; [ -e none ]; [ -e none ]; [ -e none/a/b ]; test -f none");
    expect(calls).toEqual(["stat /work/none"]);
  });

  test("appends with one write each, and reads the file once", async () => {
    const { fs, calls } = counted({ "/work/log": "0\n" });
    const shell = justBashShell({ worker: false })({ fs, cwd: "/work" });
    await run(shell, "for i in {1..20}; do echo $i >> log; done");
    expect(calls.filter((call) => call.startsWith("read"))).toEqual(["read /work/log"]);
    expect(calls.filter((call) => call.startsWith("write"))).toHaveLength(20);
  });

  test("sees at once what the shell itself changes", async () => {
    for (const withLinks of [false, true]) {
      const { fs } = counted({ "/work/d/f": "1" }, withLinks);
      const shell = justBashShell({ worker: false, statCacheMs: 60_000 })({ fs, cwd: "/work" });
      const checks =
        "[ -e d ] && echo d; [ -e e ] && echo e; [ -e d/f ] && echo d/f; [ -e e/f ] && echo e/f; [ -e e/g/h ] && echo e/g/h; ls | wc -l";
      const { stdout } = await run(
        shell,
        `${checks}; mkdir -p e/g; ${checks}; mv d/f e/f; ${checks}; echo > e/g/h; ${checks}; rm -r e; ${checks}`,
      );
      expect(stdout).toBe("d\nd/f\n1\nd\ne\nd/f\n2\nd\ne\ne/f\n2\nd\ne\ne/f\ne/g/h\n2\nd\n1\n");
    }
  });

  test("sees what others change after its time", async () => {
    const { fs, calls } = counted({ "/work/a": "1" });
    let time = 0;
    const files = cacheFiles(shellFiles(fs, new AbortController().signal), { maxAgeMs: 100, now: () => time });
    const looks = async (): Promise<unknown[]> => [
      (await files.look("/work/a", true))?.size,
      (await files.look("/work/b", true))?.size,
    ];
    expect(await looks()).toEqual([1, undefined]);
    await fs.write("/work/a", new Uint8Array(2));
    await fs.write("/work/b", new Uint8Array(3));
    calls.length = 0;
    time = 100;
    expect({ looks: await looks(), calls }).toEqual({ looks: [1, undefined], calls: [] });
    time = 101;
    expect(await looks()).toEqual([2, 3]);
  });

  test("keeps no answer that a change has overtaken", async () => {
    const { fs } = counted({});
    let answer = (): void => {};
    const slow: FileSystem = {
      ...fs,
      stat: (path) => new Promise((resolve) => (answer = () => resolve(fs.stat(path)))),
    };
    const files = cacheFiles(shellFiles(slow, new AbortController().signal), { maxAgeMs: 1000, now: () => 0 });
    const first = files.look("/work/a", true);
    const stale = await fs.stat("/work/a");
    answer();
    await files.write("/work/a", new Uint8Array(1));
    expect([stale, (await first)?.size]).toEqual([undefined, undefined]);
    expect((await files.look("/work/a", true))?.size).toBe(1);
  });

  test("answers through a listing only what it tells for certain", async () => {
    const { fs, calls } = counted({ "/work/a": "12" }, true);
    await fs.symlink?.("a", "/work/link");
    const files = cacheFiles(shellFiles(fs, new AbortController().signal), { maxAgeMs: 1000, now: () => 0 });
    await files.list("/work");
    calls.length = 0;
    const kinds = [
      await files.look("/work/none", true),
      await files.look("/work/none/below", true),
      (await files.look("/work/link", true))?.kind,
    ];
    expect({ kinds, calls }).toEqual({ kinds: [undefined, undefined, "file"], calls: ["stat /work/link"] });
  });
});

describe("the files of a just-bash shell", () => {
  test("follow symlinks and keep them", async () => {
    const backend = workspace({ "/work/d/f": "text\n" });
    const { stdout, stderr } = await run(
      backend.shell,
      "ln -s d/f link; ln -s d dir; cat link dir/f; readlink link; [ -L link ] && echo link; cp -r dir copy 2>/dev/null; rm link; cat d/f; ls dir; realpath dir/f; cd dir && pwd -P",
    );
    expect({ stdout, stderr }).toEqual({ stdout: "text\ntext\nd/f\nlink\ntext\nf\n/work/d/f\n/work/d\n", stderr: "" });
  });

  test("do not lose what two appends write at once", async () => {
    const backend = workspace({ "/work/log": "0\n" });
    const loop = (name: string): Promise<unknown> =>
      run(backend.shell, `for i in {1..10}; do echo ${name}$i >> log; done`, { session: name });
    await Promise.all([loop("a"), loop("b")]);
    const lines = (await readText(backend, "/work/log")).trim().split("\n");
    const expected = [
      "0",
      ...["a", "b"].flatMap((name) => Array.from({ length: 10 }, (_, index) => `${name}${index + 1}`)),
    ];
    expect(lines.sort()).toEqual(expected.sort());
  });

  test.each([
    ["FS_OUTSIDE_ROOT", "Permission denied"],
    ["FS_READ_ONLY", "Read-only file system"],
    ["FS_NO_SPACE", "No space left on device"],
    ["FS_LOOP", "Too many symbolic links encountered"],
    ["FS_IO", "I/o error"],
  ] as const)("tell of %s in a redirection", async (code, words) => {
    const { fs } = memoryBackend({ cwd: "/work" });
    const shell = justBashShell({ worker: false })({
      cwd: "/work",
      fs: { ...fs, write: (path) => Promise.reject(fsError(code, path)) },
    });
    const { stdout, stderr } = await run(shell, "echo x > new || echo failed; echo on");
    expect({ stdout, stderr }).toEqual({ stdout: "failed\non\n", stderr: `bash: new: ${words}\n` });
  });

  test("leave the folders of a shell where the file system refuses them", async () => {
    const { fs } = memoryBackend({ cwd: "/work" });
    const refuse = (path: string): Promise<never> => Promise.reject(fsError("FS_OUTSIDE_ROOT", path));
    const inside = (path: string): boolean => path === "/work" || path.startsWith("/work/");
    const rooted: FileSystem = {
      ...fs,
      stat: (path, options) => (inside(path) ? fs.stat(path, options) : refuse(path)),
      write: (path, bytes, options) => (inside(path) ? fs.write(path, bytes, options) : refuse(path)),
    };
    const shell = justBashShell({ worker: false })({ cwd: "/work", fs: rooted });
    const { stdout, stderr } = await run(
      shell,
      "cd /tmp && pwd; echo x > /tmp/f; cat /etc/passwd; [ -e /etc ] || echo no; echo y > /work/g; cat /work/g; nosuch",
    );
    expect(stdout).toBe("/tmp\nno\ny\n");
    expect(stderr).toBe(
      "bash: /tmp/f: Permission denied\ncat: /etc/passwd: No such file or directory\nbash: nosuch: command not found\n",
    );
  });

  test("are those of the user where the user has some in the shell's own places", async () => {
    const backend = memoryBackend({
      cwd: "/work",
      files: { "/bin/mine": "echo mine\n", "/tmp/t": "t\n", "/work/f": "" },
    });
    const shell = justBashShell({ worker: false })(backend);
    expect(
      (
        await run(
          shell,
          "cat /tmp/t; ls /bin | grep -c '^mine$'; chmod +x /bin/mine; mine; rm /tmp/t; ls /tmp; rm /bin/cat 2>/dev/null || cat /tmp/t 2>&1",
        )
      ).stdout,
    ).toBe("t\n1\nmine\ncat: /tmp/t: No such file or directory\n");
  });
});

describe("the table of modes and times", () => {
  const look = { kind: "file", size: 1, modifiedAt: 5 } as const;

  test("follows moves and removals, and tells what has changed", () => {
    const facts = createFactTable({ "/old": { mode: 0o700 }, "/d/a": { mode: 0o600 } });
    facts.setMode("/new", 0o100755);
    facts.carry("/d", "/e", true);
    facts.drop("/old");
    facts.setTime("/new", 99, look);
    facts.setMode("/gone", 0o711);
    facts.drop("/gone");
    expect([
      facts.mode("/new", look),
      facts.mode("/e/a", look),
      facts.mode("/d/a", look),
      facts.mode("/old", look),
      facts.time("/new", look),
      facts.time("/new", { ...look, modifiedAt: 6 }),
    ]).toEqual([0o755, 0o600, 0o644, 0o644, 99, 6]);
    const other = createFactTable({ "/old": { mode: 0o700 }, "/d/a": { mode: 0o600 } });
    other.apply(facts.changes());
    expect(other.all()).toEqual(facts.all());
    expect(
      facts
        .changes()
        .map(([path]) => path)
        .sort(),
    ).toEqual(["/d/a", "/e/a", "/new", "/old"]);
  });

  test("forgets the oldest when it is full", () => {
    const facts = createFactTable();
    for (let index = 0; index < 10_005; index += 1) facts.setMode(`/${index}`, 0o700);
    expect([
      Object.keys(facts.all()).length,
      facts.mode("/4", look),
      facts.mode("/5", look),
      facts.changes().length,
    ]).toEqual([10_000, 0o644, 0o700, 10_000]);
  });
});
