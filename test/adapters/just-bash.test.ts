// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of shell scripts
import { HoldallError } from "holdall";
import { justBashShell } from "holdall/just-bash";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { shellContract } from "holdall/testing";
import { describe, expect, test } from "vitest";
import { readText, run, workspace } from "./just-bash-support.ts";

const ended = { code: 0, timedOut: false, truncated: false, cwd: "/work" };

const files = {
  "/work/a.txt": "one\ntwo\nthree\n",
  "/work/b.md": "# b\n",
  "/work/src/x.ts": "export const x = 1;\n",
  "/work/src/deep/y.ts": "export const y = 2;\n",
  "/work/naïve dir/ünï.txt": "ü\n",
  "/work/bytes.bin": new Uint8Array([0, 255, 128, 10]),
};

const scripts: readonly [name: string, command: string, stdout: string][] = [
  ["keeps the lines of a command apart", 'echo "a"\necho "b" | cat', "a\nb\n"],
  ["leaves a quoted < alone", "echo '<4:name|t5:x,' | cat", "<4:name|t5:x,\n"],
  ["joins lines at a backslash", "echo a \\\n  b", "a b\n"],
  ["keeps the indentation of a here-document", "cat <<'END'\n  $x\n\ttab\nEND", "  $x\n\ttab\n"],
  ["fills in a here-document", "x=5; cat <<END\nx is $x and $((x + 1))\nEND", "x is 5 and 6\n"],
  ["reads a here-string", "tr a-z A-Z <<< word", "WORD\n"],
  ["pipes", "sort -r a.txt | head -n 2 | tr '\\n' ,", "two,three,"],
  ["redirects", "echo 1 > new; echo 2 >> new; cat < new; rm new", "1\n2\n"],
  ["joins the streams", "ls /none 2>&1 | wc -l | tr -d ' '", "1\n"],
  ["globs", "echo *.txt src/*.ts n*/*", "a.txt src/x.ts naïve dir/ünï.txt\n"],
  ["globs deeply", "shopt -s globstar; echo **/*.ts", "src/deep/y.ts src/x.ts\n"],
  ["leaves a glob without a match", "echo *.none", "*.none\n"],
  ["keeps characters beyond ASCII", 'cat "naïve dir/ünï.txt"; echo "漢字 🙂" | cat', "ü\n漢字 🙂\n"],
  ["counts bytes and characters", "printf 'é🙂' | wc -c; printf 'é🙂' | wc -m", "6\n2\n"],
  [
    "keeps bytes that are no text",
    "cat bytes.bin > copy.bin; cp bytes.bin other.bin; cat copy.bin other.bin | od -An -b; rm copy.bin other.bin",
    " 000 377 200 012 000 377 200 012\n",
  ],
  [
    "loops",
    'for i in {1..3}; do echo -n "$i"; done; while read -r line; do echo "<$line>"; done < a.txt',
    "123<one>\n<two>\n<three>\n",
  ],
  ["branches", "if [[ -f a.txt && ! -d a.txt ]]; then echo file; fi; case x.ts in *.ts) echo ts;; esac", "file\nts\n"],
  ["substitutes", "echo $(echo in) `echo old` $((2 ** 10)) ${HOME##*/}", "in old 1024 work\n"],
  ["substitutes processes", "paste <(echo a) <(echo b)", "a\tb\n"],
  ["has arrays", 'a=(x "y z"); a+=(w); echo "${#a[@]} ${a[1]}"', "3 y z\n"],
  ["has functions", 'f() { local v=$1; echo "f $v"; return 3; }; f 1; echo $?', "f 1\n3\n"],
  ["keeps a subshell apart", "(cd src; x=1; pwd); pwd; echo ${x-unset}", "/work/src\n/work\nunset\n"],
  [
    "finds and greps",
    "find src -name '*.ts' | sort; grep -rn 'const y' src",
    "src/deep/y.ts\nsrc/x.ts\nsrc/deep/y.ts:1:export const y = 2;\n",
  ],
  ["runs xargs", "ls src/*.ts | xargs -n 1 basename", "x.ts\n"],
  [
    "runs sed, awk and jq",
    "sed -n 2p a.txt; awk 'NR==3{print $1}' a.txt; echo '{\"k\":[1,2]}' | jq -c .k",
    "two\nthree\n[1,2]\n",
  ],
  ["edits in place", "cp a.txt c.txt; sed -i 's/two/2/' c.txt; cat c.txt; rm c.txt", "one\n2\nthree\n"],
  ["tells the exit code of a pipeline", "false | true; echo ${PIPESTATUS[0]} $?", "1 0\n"],
  ["ends at the first failure when told so", "set -e; echo a; false; echo b", "a\n"],
  [
    "runs a script that is executable",
    "printf '#!/bin/bash\\necho \"script $1\"\\n' > s.sh; ./s.sh x; chmod +x s.sh; ./s.sh x; rm s.sh",
    "script x\n",
  ],
  ["reads /dev/null and writes to it", "cat /dev/null; echo x > /dev/null; [ -e /dev/null ] && echo there", "there\n"],
  [
    "reads the first bytes of endless devices",
    "head -c 3 /dev/zero | od -An -b; head -c 8 /dev/urandom | wc -c",
    " 000 000 000\n8\n",
  ],
  [
    "has the folders that scripts expect",
    "cd /tmp && pwd; [ -d /usr/bin ] && [ -x /bin/ls ] && command -v grep",
    "/tmp\n/usr/bin/grep\n",
  ],
  ["shows the workspace alone in its root", "ls /; find / -name '*.md'", "work\n/work/b.md\n"],
  [
    "gives each command of a pipeline its own /dev/stdin",
    "echo piped | cat /dev/stdin; cat /dev/stdin < a.txt | head -n 1",
    "piped\none\n",
  ],
];

describe("justBashShell", () => {
  test("is there once just-bash is loaded", async () => {
    const { shell } = memoryBackend({ shell: justBashShell() });
    expect((await shell?.run("true").exit)?.code).toBe(0);
    await shell?.close?.();
  }, 60_000);

  // In a page this runs in workers, elsewhere in place; both stop a loop that never waits.
  const cases = shellContract({
    create: () => {
      const { fs, shell, cwd } = memoryBackend({ cwd: "/work", shell: justBashShell() });
      if (shell === undefined) throw new Error("the backend has no shell");
      return { fs, shell, cwd };
    },
    can: { abortBusyLoop: true, ordered: true },
  });
  for (const { name, run: check } of cases) test(name, check, 60_000);
});

describe("a just-bash shell", () => {
  test.each(scripts)("%s", async (_name, command, stdout) => {
    const { shell } = workspace(files);
    const ran = await run(shell, command);
    expect({ stdout: ran.stdout, truncated: ran.exit.truncated, timedOut: ran.exit.timedOut }).toEqual({
      stdout,
      truncated: false,
      timedOut: false,
    });
  });

  test("gives the streams in the order they were printed", async () => {
    const { shell } = workspace();
    const running = shell.run("echo 1; echo 2 >&2; for i in 3 4; do echo $i; ls /none; done");
    const order: string[] = [];
    for await (const { stream, text } of running) order.push(`${stream} ${text.trim()}`);
    const missing = "stderr ls: /none: No such file or directory";
    expect(order).toEqual(["stdout 1", "stderr 2", "stdout 3", missing, "stdout 4", missing]);
    expect(await running.exit).toEqual({ ...ended, code: 2 });
  });

  test("gives output while the script still runs", async () => {
    const { shell } = workspace();
    const controller = new AbortController();
    const running = shell.run("echo early; while true; do :; done", { signal: controller.signal });
    for await (const { text } of running) {
      expect(text).toBe("early\n");
      controller.abort(new Error("seen enough"));
    }
    await expect(running.exit).rejects.toThrow("seen enough");
  });

  test.each([
    ["a silent exec", "echo a; exec > log; echo b; cat log >&2", "a\n", "b\n"],
    ["an exec in a function", "f() { exec > log; }; echo a; f; echo b; cat log >&2", "a\n", "b\n"],
    ["an exec in eval", "echo a; eval 'exec > log'; echo b; cat log >&2", "a\n", "b\n"],
  ])("respects %s", async (_name, command, stdout, stderr) => {
    expect(await run(workspace().shell, command)).toEqual({ stdout, stderr, exit: ended });
  });

  test("passes standard input on", async () => {
    const { shell } = workspace();
    expect((await run(shell, "read a; read b; echo $b$a; cat", { stdin: "1\n2\nrest é\n" })).stdout).toBe(
      "21\nrest é\n",
    );
    expect((await run(shell, "cat; cat /dev/stdin; read x || echo none")).stdout).toBe("none\n");
  });

  test("writes through to the file system", async () => {
    const backend = workspace();
    await run(
      backend.shell,
      "mkdir -p out/deep; echo é > out/deep/f; echo t > /tmp/t; cp -r out copy; mv copy moved; rm -r out",
    );
    expect(await readText(backend, "/work/moved/deep/f")).toBe("é\n");
    expect(await readText(backend, "/tmp/t")).toBe("t\n");
    expect(await backend.fs.stat("/work/out")).toBeUndefined();
    expect(await backend.fs.stat("/work/copy")).toBeUndefined();
  });

  test("writes nothing of its own", async () => {
    const backend = memoryBackend({ cwd: "/work", shell: justBashShell({ worker: false }) });
    await backend.shell?.run("cd /tmp; ls -la /bin /dev > /dev/null; cd ~; pwd").exit;
    const names: string[] = [];
    for await (const { name } of backend.fs.list("/")) names.push(name);
    expect(names).toEqual(["work"]);
  });

  test("remembers modes and times that commands set", async () => {
    const { shell } = workspace({ "/work/s.sh": "echo ran\n" });
    await run(shell, "chmod 755 s.sh; touch -d 2020-01-02 s.sh; mv s.sh t.sh; cp t.sh u.sh");
    expect((await run(shell, "./t.sh; stat -c %a t.sh u.sh; ls -l t.sh | grep -c 2020")).stdout).toBe(
      "ran\n755\n755\n1\n",
    );
    expect(
      (
        await run(
          shell,
          "echo 'echo new' > t.sh; ls -l t.sh | grep -c 2020; stat -c %a t.sh; rm t.sh; echo 1 > t.sh; stat -c %a t.sh",
        )
      ).stdout,
    ).toBe("0\n755\n644\n");
  });
});

const failures: readonly [name: string, command: string, stderr: string, code: number][] = [
  ["an unknown command", "frobnicate", "bash: frobnicate: command not found\n", 127],
  ["git, which there is not", "git status", "bash: git: command not found\n", 127],
  ["a missing file", "cat none", "cat: none: No such file or directory\n", 1],
  ["a directory that is missing", "cd none", "bash: cd: none: No such file or directory\n", 1],
  ["a redirection into a missing folder", "echo x > none/f", "bash: none/f: No such file or directory\n", 1],
  ["a redirection below a file", "echo x >> a.txt/f", "bash: a.txt/f: Not a directory\n", 1],
  ["a redirection to a folder", "echo x > src", "bash: src: Is a directory\n", 1],
  ["a redirection to no device", "echo x > /dev/none", "bash: /dev/none: Permission denied\n", 1],
  ["a redirection by a variable", 'd="none/a b"; { echo x; } > "$d"', "bash: none/a b: No such file or directory\n", 1],
  ["a redirection by a substitution", "echo x > $(echo none/f)", "bash: /work/none/f: No such file or directory\n", 1],
  ["a redirection in bash -c", "bash -c 'echo x > none/f'", "bash: none/f: No such file or directory\n", 1],
  ["noclobber", "set -C; echo a > new; echo b > new", "bash: new: cannot overwrite existing file\n", 1],
  ["an unset variable", "set -u; echo $none; echo after", "bash: none: unbound variable\n", 1],
  [
    "an unfinished command",
    "if true; then",
    "bash: syntax error: Parse error at 1:14: syntax error near unexpected token `fi'\n",
    2,
  ],
  ["rmdir of what is not empty", "rmdir src", "rmdir: failed to remove 'src': Directory not empty\n", 1],
  ["rm of a folder", "rm src", "rm: cannot remove 'src': Is a directory\n", 1],
  ["mkdir of what exists", "mkdir src", "mkdir: cannot create directory 'src': File exists\n", 1],
  [
    "mkdir in a missing folder",
    "mkdir none/x",
    "mkdir: cannot create directory 'none/x': No such file or directory\n",
    1,
  ],
  ["mv into itself", "mv src src/deep", "mv: cannot move 'src' into itself, '/work/src/deep/src'\n", 1],
  ["a hard link", "ln a.txt hard", "ln: ENOTSUP: operation not supported, link '/work/hard'\n", 1],
  ["an overlong path", "cat $(printf 'x%.0s' {1..5000}) 2>/dev/null", "", 1],
];

describe("a just-bash shell and what goes wrong", () => {
  test.each(failures)("tells of %s", async (_name, command, stderr, code) => {
    const { shell } = workspace(files);
    expect(await run(shell, command)).toEqual({ stdout: "", stderr, exit: { ...ended, code } });
  });

  test("goes on after a redirection that failed", async () => {
    const { shell } = workspace();
    const { stdout } = await run(
      shell,
      "echo x > none/f && echo no || echo fallback; echo $?; { echo y > none/g; } 2>/dev/null; echo $?",
    );
    expect(stdout).toBe("fallback\n0\n1\n");
  });

  test("says which path a refused write is about", async () => {
    const backend = memoryBackend({ cwd: "/work" });
    const refused = new HoldallError("FS_READ_ONLY", "/work/f is on a read-only file system. Write somewhere else.");
    const shell = justBashShell({ worker: false })({
      ...backend,
      fs: { ...backend.fs, write: () => Promise.reject(refused) },
    });
    const { stderr, stdout } = await run(shell, "echo x > f; echo $?; echo y | tee g; touch h");
    expect(stdout).toBe("1\ny\n");
    expect(stderr).toMatch(/^bash: f: Read-only file system\ntee: g: .*\ntouch: .*read-only file system.*\n$/);
  });

  test("does not run in a folder that is missing", async () => {
    const { shell } = workspace();
    expect(await run(shell, "echo ran", { cwd: "/none" })).toEqual({
      stdout: "",
      stderr: "bash: cd: /none: No such file or directory\n",
      exit: { ...ended, code: 1 },
    });
  });

  test.each([
    ["nothing", async () => Promise.reject(new Error("not installed"))],
    ["something else", async () => ({ Bash: undefined as never })],
  ])("names the install command when the loader gives %s", async (_name, load) => {
    const { shell } = workspace({}, { load });
    const running = shell.run("echo x");
    await expect(running.exit).rejects.toMatchObject({ code: "PEER_MISSING", data: { peer: "just-bash" } });
    await expect(running.exit).rejects.toThrow("`npm install just-bash`");
    await expect(running.exit).rejects.toThrow("option `load`");
  });

  test.each([
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: -1 },
    { maxOutputBytes: -1 },
    { maxOutputBytes: Number.NaN },
  ])("refuses %j", (options) => {
    expect(() => workspace().shell.run("echo x", options)).toThrow("SHELL_OPTION");
  });

  test("does not work among the devices, of which it has its own", () => {
    const fs = memoryFileSystem();
    expect(() => justBashShell()({ fs, cwd: "/dev/shm/work" })).toThrow("SHELL_OPTION: cwd cannot be /dev/shm/work.");
  });
});

describe("a just-bash shell and its limits", () => {
  test.each([
    ["a busy loop", "echo before; while true; do :; done"],
    ["a loop of arithmetic", "echo before; while ((1)); do ((i++)); done"],
    ["a sleep", "echo before; sleep 60"],
  ])("stops %s at its deadline, and keeps what was printed", async (_name, command) => {
    const { shell } = workspace();
    const { stdout, stderr, exit } = await run(shell, `cd /tmp; ${command}`, { timeoutMs: 600 });
    expect({ stdout, exit }).toEqual({ stdout: "before\n", exit: { ...ended, code: 124, timedOut: true } });
    expect(stderr).toMatch(/deadline/);
  });

  test("tells its own deadline from that of the command `timeout`", async () => {
    expect((await run(workspace().shell, "timeout 0.05 sleep 5")).exit).toEqual({ ...ended, code: 124 });
  });

  test("stops a file system call that never answers", async () => {
    const backend = memoryBackend({ cwd: "/work", files: { "/work/f": "x" } });
    const shell = justBashShell({ worker: false })({
      ...backend,
      fs: { ...backend.fs, read: () => new Promise(() => {}) },
    });
    expect((await run(shell, "cat f", { timeoutMs: 50 })).exit).toEqual({ ...ended, code: 124, timedOut: true });
  });

  test.each([
    ["cuts between characters", "printf 'ab€€'", 6, "ab€"],
    ["keeps exactly as much as allowed", "printf 'ab€'", 5, "ab€"],
    ["keeps nothing when nothing is allowed", "echo x", 0, ""],
    ["counts both streams together", "echo 12; echo 34 >&2; echo 56", 5, "12\n"],
    [
      "keeps the first part of what never ends",
      "while true; do echo 0123456789; done",
      25,
      "0123456789\n0123456789\n012",
    ],
  ])("%s", async (_name, command, maxOutputBytes, stdout) => {
    const ran = await run(workspace().shell, command, { maxOutputBytes, timeoutMs: 300 });
    const whole = stdout === "ab€" && maxOutputBytes === 5;
    expect({ stdout: ran.stdout, truncated: ran.exit.truncated }).toEqual({ stdout, truncated: !whole });
  });

  test("lets a command end whose output is cut", async () => {
    const backend = workspace();
    const { stdout, exit } = await run(backend.shell, "seq 1 5000; echo done > f", { maxOutputBytes: 10 });
    expect({ stdout, exit, file: await readText(backend, "/work/f") }).toEqual({
      stdout: "1\n2\n3\n4\n5\n",
      exit: { ...ended, truncated: true },
      file: "done\n",
    });
  });

  test.each([
    ["commands", { commands: 50 }, "for i in {1..100}; do :; done"],
    ["rounds of a loop", { loopRounds: 50 }, "while true; do :; done"],
    ["calls", { callDepth: 5 }, "f() { f; }; f"],
    ["source", { sourceBytes: 100_000 }, `echo ${"x".repeat(200_000)}`],
    ["printed bytes", { printedBytes: 100_000 }, "while true; do seq 1 1000; done > /dev/null"],
  ])("ends a command over its limit of %s with code 126", async (_name, limits, command) => {
    const { exit } = await run(workspace({}, { limits }).shell, command);
    expect(exit).toEqual({ ...ended, code: 126 });
  });
});

describe("a just-bash shell and aborts", () => {
  test("runs nothing when the signal has aborted before", async () => {
    const backend = workspace();
    const running = backend.shell.run("echo x > f", { signal: AbortSignal.abort(new Error("too late")) });
    await expect(running.exit).rejects.toThrow("too late");
    for await (const _piece of running) throw new Error("there is no output");
    expect(await backend.fs.stat("/work/f")).toBeUndefined();
  });

  test.each([
    ["a busy loop", "echo go; while true; do :; done"],
    ["a printing loop", "echo go; while true; do echo y > /dev/null; done"],
    ["a sleep", "echo go; sleep 60"],
  ])("stops %s", async (_name, command) => {
    const backend = workspace();
    const controller = new AbortController();
    const running = backend.shell.run(`cd /tmp; x=1; ${command}; echo > f`, { signal: controller.signal });
    for await (const _piece of running) controller.abort(new Error("stop it"));
    await expect(running.exit).rejects.toThrow("stop it");
    expect((await run(backend.shell, "pwd; echo ${x-unset}")).stdout).toBe("/work\nunset\n");
    expect(await backend.fs.stat("/tmp/f")).toBeUndefined();
  });

  test("gives up a file system call that never answers", async () => {
    const backend = memoryBackend({ cwd: "/work", files: { "/work/f": "x" } });
    const controller = new AbortController();
    const shell = justBashShell({ worker: false })({
      ...backend,
      fs: { ...backend.fs, read: () => new Promise(() => controller.abort(new Error("stop it"))) },
    });
    await expect(shell.run("cat f", { signal: controller.signal }).exit).rejects.toThrow("stop it");
  });

  test("ends what runs when it is closed, and runs nothing more", async () => {
    const { shell } = workspace();
    const running = shell.run("echo go; sleep 60");
    for await (const _piece of running) await shell.close?.();
    await expect(running.exit).rejects.toMatchObject({ code: "SHELL_FAILED" });
    await expect(shell.run("echo x").exit).rejects.toMatchObject({ code: "SHELL_FAILED" });
  });
});

describe("commands that just-bash lacks", () => {
  test.each([
    ["realpath a.txt ../work/./src none", "/work/a.txt\n/work/src\n/work/none\n", "", 0],
    [
      "realpath -e none; realpath none/x",
      "",
      "realpath: none: No such file or directory\nrealpath: none/x: No such file or directory\n",
      1,
    ],
    ["realpath -m none/x; realpath --relative-to=src a.txt src/deep .", "/work/none/x\n../a.txt\ndeep\n..\n", "", 0],
    ["realpath; realpath -w x", "", "realpath: missing operand\nrealpath: unrecognized option '-w'\n", 1],
    ["uname; uname -sm; uname -z", "Linux\nLinux x86_64\n", "uname: invalid option -- 'z'\n", 1],
    ["nproc; umask; umask 077; ulimit -n", "1\n0022\nunlimited\n", "", 0],
    [
      "trap 'rm -f x' EXIT INT; trap - EXIT; trap '' TERM; echo on",
      "on\n",
      "trap: this shell runs no traps: the commands for EXIT, INT are ignored\n",
      0,
    ],
    ["nohup echo 'a b' \"it's\"; nohup", "a b it's\n", "nohup: missing operand\n", 125],
    [
      "mktemp a.XX; mktemp none/a.XXX",
      "",
      "mktemp: too few X's in template 'a.XX'\nmktemp: failed to create file via template 'none/a.XXX': No such file or directory\n",
      1,
    ],
  ])("%s", async (command, stdout, stderr, code) => {
    expect(await run(workspace(files).shell, command)).toEqual({ stdout, stderr, exit: { ...ended, code } });
  });

  test("makes temporary files and folders", async () => {
    const { shell } = workspace();
    const { stdout } = await run(
      shell,
      'f=$(mktemp); d=$(mktemp -d); t=$(mktemp -p . log.XXXXX --suffix=.txt); [ -f "$f" ] && [ -d "$d" ] && [ -f "$t" ] && echo "$f $d $t"',
    );
    expect(stdout).toMatch(/^\/tmp\/tmp\.\w{10} \/tmp\/tmp\.\w{10} \.\/log\.\w{5}\.txt\n$/);
  });
});
