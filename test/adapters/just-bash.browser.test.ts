import type { ShellRun } from "holdall";
import { type JustBashOptions, justBashShell } from "holdall/just-bash";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { afterEach, describe, expect, test } from "vitest";
import { spawnWorker } from "../../adapters/just-bash/spawn-worker.ts";
import { startWorkerHost } from "../../adapters/just-bash/worker-host.ts";
import { readText, run, type WithShell } from "./just-bash-support.ts";

const opened: WithShell[] = [];

afterEach(async () => {
  for (const { shell } of opened.splice(0)) await shell.close?.();
});

function inWorker(options: JustBashOptions = {}): WithShell {
  const backend = memoryBackend({ cwd: "/work", shell: justBashShell(options) });
  if (backend.shell === undefined) throw new Error("the backend has no shell");
  const open = { ...backend, shell: backend.shell };
  opened.push(open);
  return open;
}

/** Makes workers of the package's own kind, and keeps them at hand. */
function recorded(): { worker: () => Worker; workers: Worker[] } {
  const workers: Worker[] = [];
  return {
    workers,
    worker: () => {
      const worker = spawnWorker();
      workers.push(worker);
      return worker;
    },
  };
}

/** Makes a worker of a piece of script. */
function scripted(source: string): () => Worker {
  return () => new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });
}

/** Stops a command at the tenth timer of the page that comes while it runs; one that keeps the page is stopped by its deadline. */
async function stopByTimers(running: (signal: AbortSignal) => ShellRun): Promise<void> {
  const controller = new AbortController();
  const run = running(controller.signal);
  let ticks = 0;
  for await (const _started of run) {
    const timer = setInterval(() => {
      ticks += 1;
      if (ticks < 10) return;
      clearInterval(timer);
      controller.abort(new Error("enough"));
    }, 5);
  }
  await expect(run.exit).rejects.toThrow("enough");
}

const loops: readonly [name: string, command: string][] = [
  ["a busy loop", "while true; do :; done"],
  ["a busy loop that never pauses", "while ((1)); do ((i++)); done"],
];

describe("a just-bash shell in a page", { timeout: 60_000 }, () => {
  test("runs in a worker on the page's files", async () => {
    const { worker, workers } = recorded();
    const backend = inWorker({ worker });
    await backend.fs.write("/work/in", new TextEncoder().encode("from the page\n"));
    expect((await run(backend.shell, "cat in; echo from the worker > out")).stdout).toBe("from the page\n");
    expect({ out: await readText(backend, "/work/out"), workers: workers.length }).toEqual({
      out: "from the worker\n",
      workers: 1,
    });
  });

  test.each(loops)("stops %s at its deadline", async (_name, command) => {
    const { shell } = inWorker();
    await run(shell, "x=kept");
    const { stdout, exit } = await run(shell, `x=lost; echo before; ${command}`, { timeoutMs: 300 });
    expect({ stdout, exit }).toEqual({
      stdout: "before\n",
      exit: { code: 124, timedOut: true, truncated: false, cwd: "/work" },
    });
    expect((await run(shell, "echo $x")).stdout).toBe("kept\n");
  });

  test.each(loops)("stops %s at an abort while the page goes on, and keeps the session", async (_name, command) => {
    const { shell } = inWorker();
    await run(shell, "cd /tmp; x=kept; f() { echo f; }");
    await stopByTimers((signal) => shell.run(`echo go; ${command}`, { signal }));
    expect((await run(shell, "pwd; echo $x; f")).stdout).toBe("/tmp\nkept\nf\n");
  });

  test("ends a worker that does not stop by itself, and starts another one", async () => {
    const { worker, workers } = recorded();
    const { shell } = inWorker({ worker });
    const controller = new AbortController();
    const running = shell.run("echo go; while ((1)); do ((i++)); done", { signal: controller.signal });
    for await (const _piece of running) controller.abort();
    await expect(running.exit).rejects.toThrow();
    await run(shell, "true");
    expect(workers.length).toBe(2);
  });

  test("runs two sessions at once", async () => {
    const { worker, workers } = recorded();
    const { shell } = inWorker({ worker, statCacheMs: 0 });
    const wait = (name: string): string => `while [ ! -e ${name} ]; do sleep 0.005; done`;
    const a = run(shell, `echo > a; ${wait("b")}; echo a saw b`, { session: "a" });
    const b = run(shell, `${wait("a")}; echo > b; echo b saw a`, { session: "b" });
    expect([(await a).stdout, (await b).stdout, workers.length]).toEqual(["a saw b\n", "b saw a\n", 2]);
    await run(shell, "true", { session: "c" });
    expect(workers.length).toBe(2);
  });

  test("lets more sessions wait than there are workers", async () => {
    const { worker, workers } = recorded();
    const { shell } = inWorker({ worker });
    const all = Array.from({ length: 10 }, (_, index) =>
      run(shell, `sleep 0.01; echo ${index}`, { session: `s${index}` }),
    );
    expect((await Promise.all(all)).map(({ stdout }) => stdout)).toEqual(all.map((_, index) => `${index}\n`));
    expect(workers.length).toBeLessThanOrEqual(10);
  });

  test("keeps errors of the page's files", async () => {
    const { shell } = inWorker();
    expect((await run(shell, "cat none; mkdir /work; echo x > none/f")).stderr).toBe(
      "cat: none: No such file or directory\nmkdir: cannot create directory '/work': File exists\nbash: none/f: No such file or directory\n",
    );
  });

  test("lets the page in when it runs there", async () => {
    const { shell } = inWorker({ worker: false });
    await run(shell, "true");
    await stopByTimers((signal) => shell.run("echo go; while true; do :; done", { signal, timeoutMs: 20_000 }));
    const { exit } = await run(shell, "while true; do :; done", { timeoutMs: 50 });
    expect(exit.timedOut).toBe(true);
  });
});

describe("a worker that breaks", { timeout: 60_000 }, () => {
  test.each([
    ["throws at start", "throw new Error('broken at start')"],
    ["has a syntax error", "const ="],
    [
      "says what nobody expects",
      "postMessage({ type: 'hello' }); onmessage = () => postMessage({ type: 'failed', error: { code: 'SHELL_FAILED', name: 'HoldallError', message: 'odd. Try again.' } })",
    ],
  ])("rejects the command when it %s, and lets the next one start another", async (_name, source) => {
    let count = 0;
    const broken = scripted(source);
    const { shell } = inWorker({
      worker: () => {
        count += 1;
        return count === 1 ? broken() : spawnWorker();
      },
    });
    await expect(shell.run("echo x").exit).rejects.toMatchObject({ name: "HoldallError", code: "SHELL_FAILED" });
    expect((await run(shell, "echo y")).stdout).toBe("y\n");
  });

  test("rejects the command when it cannot be made", async () => {
    const { shell } = inWorker({
      worker: () => {
        throw new Error("not allowed here");
      },
    });
    const running = shell.run("echo x");
    await expect(running.exit).rejects.toMatchObject({
      code: "SHELL_FAILED",
      retryable: true,
      cause: { message: "not allowed here" },
    });
    for await (const _piece of running) throw new Error("there is no output");
  });

  test("names the install command when it has no just-bash", async () => {
    const source =
      "postMessage({ type: 'hello' }); onmessage = () => postMessage({ type: 'failed', error: { code: 'PEER_MISSING', name: 'HoldallError', message: 'just-bash could not be loaded. Install it.', data: { peer: 'just-bash' } } })";
    await expect(inWorker({ worker: scripted(source) }).shell.run("echo x").exit).rejects.toMatchObject({
      code: "PEER_MISSING",
      data: { peer: "just-bash" },
    });
  });

  test("rejects the command it runs when it crashes, and keeps the session", async () => {
    const crashing =
      "postMessage({ type: 'hello' }); onmessage = ({ data }) => { if (data.type === 'start') postMessage({ type: 'ready' }); else { postMessage({ type: 'output', piece: { stream: 'stdout', text: 'first' } }); setTimeout(() => { throw new Error('crashed'); }); } }";
    let count = 0;
    const { shell } = inWorker({
      worker: () => {
        count += 1;
        return count === 2 ? scripted(crashing)() : spawnWorker();
      },
    });
    await run(shell, "x=kept; cd /tmp");
    // The kept worker runs the first of two commands; the second gets the one that crashes.
    const other = run(shell, "sleep 0.05", { session: "other" });
    const running = shell.run("echo x");
    let text = "";
    for await (const piece of running) text += piece.text;
    await expect(running.exit).rejects.toMatchObject({ code: "SHELL_FAILED" });
    await other;
    expect([text, (await run(shell, "pwd; echo $x")).stdout]).toEqual(["first", "/tmp\nkept\n"]);
  });

  test("counts as broken when it does not answer in time", async () => {
    const host = startWorkerHost(scripted("setInterval(() => {}, 1000)"), memoryFileSystem(), 30);
    await expect(host.ready).rejects.toMatchObject({ code: "SHELL_FAILED" });
    expect(host.alive).toBe(false);
  });

  test("is ended when the shell is closed", async () => {
    const { shell } = inWorker();
    const running = shell.run("echo go; while ((1)); do ((i++)); done");
    for await (const _piece of running) await shell.close?.();
    await expect(running.exit).rejects.toMatchObject({ code: "SHELL_FAILED" });
    await expect(shell.run("echo x").exit).rejects.toMatchObject({ code: "SHELL_FAILED" });
  });
});
