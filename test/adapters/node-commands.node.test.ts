import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { HoldallError, type Shell, type ShellExit, type ShellOptions, type Timers } from "holdall";
import { type NodeShellOptions, nodeBackend, nodeShell } from "holdall/node";
import { afterEach, describe, expect, test } from "vitest";
import { bundledAdapter, has, temporaryFolders } from "./node-support.ts";

const folder = temporaryFolders();
const open: Shell[] = [];

afterEach(async () => {
  for (const shell of open.splice(0)) await shell.close?.();
});

async function shellIn(options: NodeShellOptions = {}, cwd?: string): Promise<{ shell: Shell; root: string }> {
  const root = cwd ?? (await folder());
  const { shell } = nodeBackend({ root, home: root, shell: nodeShell(options) });
  if (shell === undefined) throw new Error("There is no shell.");
  open.push(shell);
  return { shell, root };
}

type Ran = ShellExit & { stdout: string; stderr: string };

async function run(shell: Shell, command: string, options?: ShellOptions): Promise<Ran> {
  const running = shell.run(command, options);
  const text = { stdout: "", stderr: "" };
  for await (const piece of running) text[piece.stream] += piece.text;
  return { ...text, ...(await running.exit) };
}

/** Waits until a condition holds; the host needs its time to take a process down. */
async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error("It does not come to hold.");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Tells whether anybody of a process group is there who still runs. */
function isAlive(group: number): boolean {
  return readdirSync("/proc").some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const [state, , id] = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return Number(id) === group && state !== "Z";
    } catch {
      return false;
    }
  });
}

describe("what nodeShell prints", () => {
  test.each<[what: string, command: string, stdout: string]>([
    ["letters cut in two by a pause", "printf '\\342\\200'; sleep 0.1; printf '\\224'", "—"],
    ["text that looks like a redirection", "echo '<4:name|t5:x,' | cat", "<4:name|t5:x,\n"],
    ["several lines", 'echo "a"\necho "b" | cat', "a\nb\n"],
    ["nothing to read", 'cat; read line; echo "[$line]"', "[]\n"],
    ["a program with quotes of all kinds", `echo "it's" 'a "b"' $'tab\\there'`, 'it\'s a "b" tab\there\n'],
    ["functions with documents in them", "f() { cat <<'E'\n$x 'y'\nE\n}; f", "$x 'y'\n"],
    ["a trap at the exit, after all else", "trap 'echo bye' EXIT; echo hi", "hi\nbye\n"],
  ])("is exact: %s", async (_what, command, stdout) => {
    const { shell } = await shellIn();
    expect((await run(shell, command)).stdout).toBe(stdout);
  });

  test("is exact for command lines longer than an argument may be", async () => {
    const { shell } = await shellIn();
    const long = "x".repeat(300_000);
    expect((await run(shell, `text='${long}'; echo \${#text}`)).stdout).toBe("300000\n");
    expect((await run(shell, `echo \${#text}`)).stdout).toBe("300000\n");
  });

  test("is bounded, however much it is", async () => {
    const { shell } = await shellIn();
    const before = process.memoryUsage().rss;
    const ran = await run(shell, "yes", { timeoutMs: 1500, maxOutputBytes: 10_000 });
    expect([ran.timedOut, ran.truncated, ran.stdout.length]).toEqual([true, true, 10_000]);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20);
  });

  test("shows nothing of how sessions are kept", async () => {
    const { shell } = await shellIn();
    await run(shell, "cd /");
    const { stdout, stderr } = await run(shell, "env; set; declare -f; echo $0 $# $@");
    expect(`${stdout}${stderr}`).not.toMatch(/holdall-shell/);
    expect(stdout.endsWith("bash 0\n")).toBe(true);
  });

  test("has no variable of this process beyond the harmless ones, and what is added", async () => {
    process.env.SECRET_TOKEN = "secret";
    try {
      const { shell, root } = await shellIn({ env: { ADDED: "yes", PATH_OF_MINE: "x" } });
      const { stdout } = await run(shell, 'echo "[$SECRET_TOKEN] $ADDED $HOME"; env | grep -c secret', {
        env: { "odd-name": "v", A_: "é\n'" },
      });
      expect(stdout).toBe(`[] yes ${root}\n0\n`);
    } finally {
      delete process.env.SECRET_TOKEN;
    }
  });

  test("is of no program that lies in the workspace under a bare name", async () => {
    const root = await folder();
    const before = process.env.PATH;
    await writeFile(join(root, "ls"), "#!/bin/sh\necho planted\n", { mode: 0o755 });
    process.env.PATH = `${root}:.:${before}`;
    try {
      const { shell } = await shellIn({}, root);
      expect((await run(shell, "ls")).stdout).toBe("ls\n");
      expect((await run(shell, "./ls")).stdout).toBe("planted\n");
    } finally {
      process.env.PATH = before;
    }
  });
});

describe("a session of nodeShell", () => {
  test("keeps arrays, attributes, functions and odd values", async () => {
    const { shell } = await shellIn();
    await run(
      shell,
      `list=(a 'b c' "d
e"); declare -A map=([k]=v ["x y"]='"z"'); declare -i count=3; declare -r fixed=1
       text='\\' quote="'"; line=$'one\\ntwo "three"'; greet() { echo "hi $1"; }; export OUT='a=b'; empty=`,
    );
    const { stdout } = await run(
      shell,
      `count+=4; echo "\${list[2]}|\${map[x y]}|$count|$fixed|$text|$quote|$line|[\${empty-unset}]"; greet you; env | grep ^OUT`,
    );
    expect(stdout).toBe('d\ne|"z"|7|1|\\|\'|one\ntwo "three"|[]\nhi you\nOUT=a=b\n');
    expect((await run(shell, "unset list; unset -f greet")).code).toBe(0);
    expect((await run(shell, `echo "[\${list[0]}]"; greet`)).code).toBe(127);
  });

  test("gives variables of one command back their values of before", async () => {
    const { shell } = await shellIn();
    await run(shell, "export KEPT='own value'; plain=x");
    const env = { KEPT: "given", plain: "given", NEW: "given" };
    expect((await run(shell, 'KEPT=changed; echo "$KEPT $plain $NEW"', { env })).stdout).toBe("changed given given\n");
    expect((await run(shell, 'echo "$KEPT $plain [$NEW]"; env | grep ^KEPT')).stdout).toBe(
      "own value x []\nKEPT=own value\n",
    );
  });

  test("does not repeat what is by chance", async () => {
    const { shell } = await shellIn();
    const numbers = await Promise.all(
      Array.from({ length: 4 }, async () => (await run(shell, "echo $RANDOM$RANDOM")).stdout),
    );
    expect(new Set(numbers).size).toBe(4);
  });

  test.each<[how: string, command: string]>([
    ["ends", "cd sub"],
    ["exits", "cd sub; exit 3"],
    ["fails under set -e", "set -e; cd sub; false; cd /"],
    ["has a trap of its own", "trap 'echo bye' EXIT; cd sub"],
    ["uses a variable that is not set under set -u", "set -u; cd sub; echo $missing; cd /"],
    ["does not overwrite files", "set -C; cd sub"],
    ["prints elsewhere", "exec >log 2>&1; cd sub; echo x"],
    ["calls a function named like a command", "cat() { :; }; printf() { :; }; cd sub"],
    ["is ended by a signal it is sent", "cd sub; kill -TERM $$; sleep 5"],
  ])("stands where a command went that %s", async (_how, command) => {
    const { shell, root } = await shellIn();
    await mkdir(join(root, "sub"));
    expect((await run(shell, command)).cwd).toBe(join(root, "sub"));
    expect((await run(shell, "unset -f cat printf; pwd; cd - >/dev/null; pwd")).stdout).toBe(`${root}/sub\n${root}\n`);
  });

  test("keeps what it was when a command takes the shell's place or is killed", async () => {
    const { shell, root } = await shellIn();
    await run(shell, "x=1; mkdir sub");
    expect((await run(shell, "cd sub; x=2; exec true")).cwd).toBe(root);
    const { code, signal } = await run(shell, "cd sub; x=2; kill -KILL $$");
    expect([code, signal]).toEqual([null, "SIGKILL"]);
    expect((await run(shell, "echo $x; pwd")).stdout).toBe(`1\n${root}\n`);
  });

  test("goes home when its directory is gone, and says so", async () => {
    const { shell, root } = await shellIn();
    await run(shell, "mkdir gone; cd gone");
    await rm(join(root, "gone"), { recursive: true });
    const { stdout, stderr } = await run(shell, "pwd");
    expect([stdout, stderr]).toEqual([`${root}\n`, `${root}/gone is gone; commands now run in ${root}.\n`]);
  });

  test("goes through links as a person does", async () => {
    const { shell, root } = await shellIn();
    await mkdir(join(root, "real"));
    await symlink("real", join(root, "link"));
    expect((await run(shell, "cd link; pwd")).cwd).toBe(`${root}/link`);
    expect((await run(shell, "pwd; cd ..; pwd")).stdout).toBe(`${root}/link\n${root}\n`);
  });

  test("keeps the variables it had when there come to be too many", async () => {
    const { shell } = await shellIn();
    await run(shell, "x=small");
    await run(shell, "x=$(head -c 3000000 /dev/zero | tr '\\0' a); mkdir -p sub; cd sub");
    expect((await run(shell, "echo $x; basename $PWD")).stdout).toBe("small\nsub\n");
  });
});

describe("the end of a command of nodeShell", () => {
  test("comes by force when it is not heeded", async () => {
    const { shell } = await shellIn({ graceMs: 200 });
    const ran = await run(shell, 'trap "" TERM; echo $$; while :; do sleep 1; done', { timeoutMs: 300 });
    expect([ran.timedOut, ran.code, ran.signal]).toEqual([true, null, "SIGKILL"]);
    expect(isAlive(Number(ran.stdout))).toBe(false);
  });

  test("is that of all it started", async () => {
    const { shell } = await shellIn({ graceMs: 200 });
    const tree =
      'echo $$; for i in 1 2 3; do (sleep 60 & (trap "" TERM; sleep 60; sleep 60) & bash -c "sleep 60 & wait" ) & done; wait';
    const ran = await run(shell, tree, { timeoutMs: 500 });
    expect(ran.timedOut).toBe(true);
    await until(() => !isAlive(Number(ran.stdout)));
  });

  test("comes with an abort, and then rejects with its reason", async () => {
    const { shell } = await shellIn({ graceMs: 200 });
    const controller = new AbortController();
    const running = shell.run("echo $$; sleep 60 | sleep 60", { signal: controller.signal });
    let group = 0;
    for await (const { text } of running) {
      group = Number(text);
      break;
    }
    expect(isAlive(group)).toBe(true);
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(running.exit).rejects.toBe(reason);
    await until(() => !isAlive(group));
  });

  test("is not waited for by what it leaves in the background, which goes on until the shell is closed", async () => {
    const { shell } = await shellIn({ graceMs: 200 });
    const start = Date.now();
    const ran = await run(shell, "nohup sleep 60 & echo $$");
    expect(Date.now() - start).toBeLessThan(5000);
    const group = Number(ran.stdout);
    expect([ran.code, isAlive(group)]).toEqual([0, true]);
    await shell.close?.();
    await until(() => !isAlive(group));
  });

  test("leaves a server in the background alive that goes on printing", async () => {
    const { shell, root } = await shellIn();
    const ran = await run(
      shell,
      "(for i in $(seq 1 20); do echo line $i; sleep 0.05; done; echo done > finished) & echo started",
    );
    expect(ran.stdout.startsWith("started\n") || ran.stdout.includes("started\n")).toBe(true);
    await until(() => existsSync(join(root, "finished")));
  });

  test.runIf(has("setsid"))("is not held up by what has left its group", async () => {
    const { shell } = await shellIn({ graceMs: 200 });
    const start = Date.now();
    const ran = await run(shell, "setsid sleep 3 & echo hi; sleep 60", { timeoutMs: 300 });
    expect([ran.timedOut, ran.stdout, Date.now() - start < 2500]).toEqual([true, "hi\n", true]);
  });

  test("is counted by the timers that are given", async () => {
    const waiting = new Map<object, { callback: () => void; milliseconds: number }>();
    const timers: Timers = {
      set: (callback, milliseconds) => {
        const timer = {};
        waiting.set(timer, { callback, milliseconds });
        // The deadline comes when the test says so.
        if (milliseconds !== 7_654_321) setTimeout(() => waiting.has(timer) && callback(), milliseconds);
        return timer;
      },
      clear: (timer) => void waiting.delete(timer as object),
    };
    const { shell } = await shellIn({ timers, graceMs: 5000 });
    const running = shell.run("echo started; sleep 60", { timeoutMs: 7_654_321 });
    for await (const { text } of running) if (text !== "") break;
    for (const { callback, milliseconds } of [...waiting.values()]) if (milliseconds === 7_654_321) callback();
    expect(await running.exit).toMatchObject({ timedOut: true, code: null, signal: "SIGTERM" });
  });

  test("is a failure of the shell where that cannot be started", async () => {
    const { shell } = await shellIn({ shell: "/no/such/bash" });
    await expect(shell.run("true").exit).rejects.toMatchObject({ code: "SHELL_FAILED" });
  });

  test("never comes to be for what cannot be run", async () => {
    const { shell } = await shellIn();
    for (const [command, options] of [
      ["a\0b", {}],
      ["true", { timeoutMs: 0 }],
      ["true", { maxOutputBytes: -1 }],
      ["true", { env: { "A=B": "x" } }],
    ] as const) {
      expect(() => shell.run(command, options)).toThrow(HoldallError);
    }
  });

  test("names the signal, whichever it is", async () => {
    const { shell } = await shellIn();
    for (const name of ["SEGV", "ABRT", "HUP"])
      expect((await run(shell, `kill -${name} $$`)).signal).toBe(`SIG${name}`);
  });
});

describe("a process that ends with commands running", () => {
  const adapter = bundledAdapter();

  test("takes them along, and its temporary files", async () => {
    const root = await folder();
    const script = `
      import { nodeBackend } from ${JSON.stringify(pathToFileURL(adapter()).href)};
      const { shell } = nodeBackend({ root: ${JSON.stringify(root)} });
      await shell.run("echo $$; sleep 60 &").exit;
      for await (const { text } of shell.run("echo $$; sleep 60")) { console.log(text); break; }
      process.exit(0);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, TMPDIR: root },
    });
    let printed = "";
    child.stdout.on("data", (text: Buffer) => {
      printed += text.toString();
    });
    await new Promise((resolve) => child.once("close", resolve));
    expect(Number(printed)).toBeGreaterThan(1);
    await until(() => !isAlive(Number(printed)));
    expect(await readdir(root)).toEqual([]);
  });
});
