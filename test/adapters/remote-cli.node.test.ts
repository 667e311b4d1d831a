import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { Backend } from "holdall";
import { type RemoteBackendOptions, remoteBackend } from "holdall/worker";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { root as repository } from "../support/sources.ts";
import { bytes, text } from "./worker-support.ts";

const TOKEN = "the-token-of-these-tests-0123456789";

let script: string;
let folder: string;
let scriptFolder: string;
const children: ChildProcess[] = [];
const backends: Backend[] = [];

/** The command as one file: the sources are TypeScript, which Node 20 does not run by itself. */
beforeAll(async () => {
  scriptFolder = await mkdtemp(join(tmpdir(), "holdall-cli-"));
  script = join(scriptFolder, "cli.mjs");
  await build({
    entryPoints: [`${repository}adapters/worker/cli.ts`],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
  });
}, 60_000);

afterAll(() => rm(scriptFolder, { recursive: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdall-served-"));
  await writeFile(`${folder}.token`, `${TOKEN}\n`, { mode: 0o600 });
});

afterEach(async () => {
  for (const backend of backends.splice(0)) await backend.close?.();
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
  await rm(folder, { recursive: true, force: true });
  await rm(`${folder}.token`, { force: true });
});

interface Server {
  url: string;
  child: ChildProcess;
}

/** Starts the command in a process of its own, and waits for the line that names its address. */
async function serve(...parameters: string[]): Promise<Server> {
  const child = start("serve", "--root", folder, "--token-file", `${folder}.token`, "--port", "0", ...parameters);
  let printed = "";
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    if (printed.includes("\n")) break;
  }
  const [, url] = /^holdall serves .+ at (http:\/\/\S+)\n$/.exec(printed) ?? [];
  if (url === undefined) throw new Error(`the command printed ${JSON.stringify(printed)}`);
  return { url, child };
}

function start(...parameters: string[]): ChildProcess {
  const child = spawn(process.execPath, [script, ...parameters], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  return child;
}

async function connect(url: string, options: Partial<RemoteBackendOptions> = {}): Promise<Backend> {
  const backend = await remoteBackend({
    url,
    headers: { authorization: `Bearer ${TOKEN}` },
    retry: { initialDelayMs: 20 },
    ...options,
  });
  backends.push(backend);
  return backend;
}

async function end({ child }: Server, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

/** Lets the server answer, and loses that answer on its way; something may happen before the next attempt. */
function losing(
  isLost: (init: RequestInit) => boolean,
  meanwhile: () => Promise<void> = async () => {},
): NonNullable<RemoteBackendOptions["fetch"]> {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!isLost(init)) return response;
    await response.arrayBuffer();
    await meanwhile();
    throw new TypeError("the connection was lost");
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilEnded(pid: number): Promise<void> {
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Runs a command that prints its process id and then waits. */
async function runSleeper(backend: Backend, signal?: AbortSignal): Promise<{ pid: number; end: Promise<unknown> }> {
  const running = backend.shell?.run("echo $$; sleep 300", signal && { signal });
  if (running === undefined) throw new Error("there is no shell");
  const end = running.exit.then(
    () => "ended",
    (error: unknown) => error,
  );
  for await (const piece of running) return { pid: Number(piece.text), end };
  throw new Error("nothing was printed");
}

describe("holdall serve", { timeout: 60_000 }, () => {
  test("serves files and a shell to whoever has the token", async () => {
    const { url } = await serve();
    const backend = await connect(url);
    await backend.fs.write(`${backend.cwd}/a.txt`, bytes("from the client\n"));
    const running = backend.shell?.run("cat a.txt; echo out > b.txt; exit 3");
    let printed = "";
    for await (const piece of running ?? []) printed += piece.text;
    expect({
      printed,
      code: (await running?.exit)?.code,
      made: text((await backend.fs.read(`${backend.cwd}/b.txt`)).bytes),
      disk: await readFile(join(folder, "a.txt"), "utf8"),
    }).toEqual({ printed: "from the client\n", code: 3, made: "out\n", disk: "from the client\n" });
  });

  test("lets nobody else in, nor requests for another name", async () => {
    const { url } = await serve();
    await expect(connect(url, { headers: {} })).rejects.toMatchObject({ code: "BACKEND_UNAUTHORIZED" });
    await expect(connect(url, { headers: { authorization: "Bearer wrong-0123456789" } })).rejects.toMatchObject({
      code: "BACKEND_UNAUTHORIZED",
    });
    expect((await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(400);
  });

  test("refuses changes and commands when it is read-only", async () => {
    await writeFile(join(folder, "a.txt"), "kept");
    const { url } = await serve("--read-only");
    const { fs, shell, cwd } = await connect(url);
    await expect(fs.write(`${cwd}/a.txt`, bytes("x"))).rejects.toMatchObject({ code: "FS_READ_ONLY" });
    expect([shell, text((await fs.read(`${cwd}/a.txt`)).bytes)]).toEqual([undefined, "kept"]);
  });

  test.each([
    ["no command", [], "the only command is `serve`"],
    ["an unknown option", ["serve", "--rot", "x"], "--rot"],
    ["no root", ["serve", "--token-file", "TOKEN"], "--root is missing"],
    ["no token file", ["serve", "--root", "ROOT"], "--token-file is missing"],
    ["a port that is none", ["serve", "--root", "ROOT", "--token-file", "TOKEN", "--port", "x"], "--port cannot be"],
    ["a token file that is not there", ["serve", "--root", "ROOT", "--token-file", "ROOT/none"], "cannot be opened"],
    ["a directory as token file", ["serve", "--root", "ROOT", "--token-file", "ROOT"], "is not a file"],
    ["a root that is not there", ["serve", "--root", "ROOT/none", "--token-file", "TOKEN"], "none"],
  ])("refuses %s", async (_name, parameters, message) => {
    const child = start(...parameters.map((each) => each.replace("ROOT", folder).replace("TOKEN", `${folder}.token`)));
    const printed = await collect(child.stderr);
    if (child.exitCode === null) await once(child, "exit");
    expect([printed.includes(message), child.exitCode]).toEqual([true, 2]);
  });

  test.each([
    ["others can read", 0o644, TOKEN, "can be read or changed by others"],
    ["others can write", 0o622, TOKEN, "can be read or changed by others"],
    ["is empty", 0o600, "\n", "holds no token"],
    ["holds a short one", 0o600, "secret", "holds no token"],
  ])("refuses a token file that %s", async (_name, mode, content, message) => {
    await writeFile(`${folder}.token`, content);
    await chmod(`${folder}.token`, mode);
    const child = start("serve", "--root", folder, "--token-file", `${folder}.token`);
    const printed = await collect(child.stderr);
    if (child.exitCode === null) await once(child, "exit");
    expect([printed.includes(message), printed.includes("secret"), child.exitCode]).toEqual([true, false, 2]);
  });

  test("ends a command that its client gives up", async () => {
    const { url } = await serve();
    const backend = await connect(url);
    const controller = new AbortController();
    const { pid, end: ended } = await runSleeper(backend, controller.signal);
    expect(isRunning(pid)).toBe(true);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await ended).toBe(reason);
    await untilEnded(pid);
  });

  test("ends its commands and goes when it is asked to", async () => {
    const server = await serve();
    const backend = await connect(server.url);
    const { pid, end: ended } = await runSleeper(backend);
    expect(await end(server, "SIGTERM")).toBe(0);
    expect(await ended).toMatchObject({ code: "BACKEND_GONE" });
    await untilEnded(pid);
  });

  test("killed in the middle of a command, it leaves a typed error, and the next one is served by its successor", async () => {
    const server = await serve();
    const backend = await connect(server.url);
    const { pid, end: ended } = await runSleeper(backend);
    await end(server, "SIGKILL");
    // Nobody else is left who could end it.
    process.kill(-pid, "SIGKILL");
    expect(await ended).toMatchObject({ code: "BACKEND_GONE" });
    await expect(backend.fs.stat(backend.cwd)).rejects.toMatchObject({ code: "BACKEND_GONE" });
    await serve("--port", new URL(server.url).port);
    expect((await backend.fs.stat(backend.cwd))?.kind).toBe("directory");
    expect((await backend.shell?.run("true").exit)?.code).toBe(0);
  });

  test("makes a change once, although its answer was lost and it was sent again", async () => {
    const { url } = await serve();
    let left = 1;
    const backend = await connect(url, {
      fetch: losing(({ body }) => {
        const isRun = typeof body === "string" && body.includes('"run"');
        left -= isRun ? 1 : 0;
        return isRun && left === 0;
      }),
    });
    const running = backend.shell?.run("echo once >> log; echo printed");
    let printed = "";
    for await (const piece of running ?? []) printed += piece.text;
    expect([printed, (await running?.exit)?.code, await readFile(join(folder, "log"), "utf8")]).toEqual([
      "printed\n",
      0,
      "once\n",
    ]);
  });

  test("started anew between the loss of an answer and the retry, it makes no change twice", async () => {
    let server = await serve();
    const { port } = new URL(server.url);
    let armed = false;
    const restart = async (): Promise<void> => {
      await end(server, "SIGKILL");
      server = await serve("--port", port);
    };
    const { fs, shell, cwd } = await connect(server.url, {
      fetch: losing(() => {
        const isLost = armed;
        armed = false;
        return isLost;
      }, restart),
    });
    const losingAnswer = (call: () => Promise<unknown> | undefined): Promise<unknown> | undefined => {
      armed = true;
      return call();
    };
    const { version } = await fs.write(`${cwd}/f`, bytes("one"));

    await expect(losingAnswer(() => shell?.run("echo once >> log").exit)).rejects.toMatchObject({
      code: "BACKEND_GONE",
    });
    expect(await readFile(join(folder, "log"), "utf8")).toBe("once\n");

    await expect(losingAnswer(() => fs.rename(`${cwd}/log`, `${cwd}/moved`))).rejects.toMatchObject({
      code: "BACKEND_GONE",
    });
    expect(await readFile(join(folder, "moved"), "utf8")).toBe("once\n");

    await expect(losingAnswer(() => fs.write(`${cwd}/f`, bytes("two"), { ifVersion: version }))).rejects.toMatchObject({
      code: "FS_CONFLICT",
    });
    expect(await readFile(join(folder, "f"), "utf8")).toBe("two");
    await losingAnswer(() => fs.makeDirectory(`${cwd}/d`));
    expect((await fs.stat(`${cwd}/d`))?.kind).toBe("directory");
  });
});

async function collect(stream: AsyncIterable<unknown> | null): Promise<string> {
  let all = "";
  for await (const chunk of stream ?? []) all += String(chunk);
  return all;
}
