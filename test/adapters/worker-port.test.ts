import { type Backend, type FileSystem, HoldallError, type Shell, type ShellOutput } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { portBackend, servePort, type WebPort } from "holdall/worker";
import { afterEach, describe, expect, test } from "vitest";
import { backendOf, bytes, deferred, failure, manualTimers, text, throughPort, turns } from "./worker-support.ts";

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function through(...parameters: Parameters<typeof throughPort>): ReturnType<typeof throughPort> {
  const pair = await throughPort(...parameters);
  closing.push(
    () => pair.server.close(),
    () => pair.far.close?.(),
  );
  return pair;
}

/** A shell that does as a test tells it. */
function shellOf(pieces: AsyncIterable<ShellOutput>): Shell {
  const exit = Promise.resolve({ code: 0, timedOut: false, truncated: false });
  return { run: () => ({ exit, [Symbol.asyncIterator]: () => pieces[Symbol.asyncIterator]() }) };
}

/** Messages of one end of a channel, sent and read as they are. */
function rawPort(port: MessagePort): { send(message: unknown): void; next(): Promise<Record<string, unknown>> } {
  const come: Record<string, unknown>[] = [];
  let wake = (): void => {};
  port.onmessage = ({ data }) => {
    come.push(data);
    wake();
  };
  return {
    send: (message) => port.postMessage(message),
    next: async () => {
      for (;;) {
        const message = come.shift();
        if (message !== undefined) return message;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

describe("a backend through a port", () => {
  test("is what the other one is", async () => {
    const near = memoryBackend({ cwd: "/w", home: "/h", files: { "a.txt": "abcdef" } });
    const { far } = await through(near);
    const { name, os, cwd, home, shell } = far;
    expect({ name, os, cwd, home, shell }).toEqual({
      name: "memory",
      os: "posix",
      cwd: "/w",
      home: "/h",
      shell: undefined,
    });
    expect(await far.fs.stat("/w/a.txt")).toEqual(await near.fs.stat("/w/a.txt"));
    expect(text((await far.fs.read("/w/a.txt", { offset: 1, length: 3 })).bytes)).toBe("bcd");
    const { symlink: _, readLink: __, watch: ___, ...plain } = memoryFileSystem();
    const { far: less } = await through(backendOf(plain));
    expect([less.fs.symlink, less.fs.readLink, less.fs.watch]).toEqual([undefined, undefined, undefined]);
  });

  test("keeps code, message, data and whether to retry of errors, and nothing of foreign ones", async () => {
    const odd = new HoldallError("FS_IO", "odd. Try again.", { data: { path: "/a", call: () => {} }, retryable: true });
    const secret = new TypeError("a secret of the host");
    const fs = memoryFileSystem();
    const { far } = await through(
      backendOf({ ...fs, stat: () => Promise.reject(odd), realpath: () => Promise.reject(secret) }),
    );
    const [one, other] = [await failure(far.fs.read("/none")), await failure(fs.read("/none"))];
    const facts = (error: unknown): unknown => HoldallError.is(error) && [error.code, error.message, error.data];
    expect(facts(one)).toEqual(facts(other));
    expect(await failure(far.fs.stat("/a"))).toMatchObject({
      code: "FS_IO",
      message: "FS_IO: odd. Try again.",
      data: { path: "/a" },
      retryable: true,
    });
    const foreign = await failure(far.fs.realpath("/a"));
    expect([HoldallError.is(foreign, "BACKEND_FAILED"), String(foreign).includes("secret")]).toEqual([true, false]);
  });

  test("gives no buffer of the caller or of the file system away", async () => {
    const own = new Uint8Array([1, 2, 3, 4]);
    const { far } = await through(
      backendOf({ ...memoryFileSystem(), read: async () => ({ bytes: own.subarray(1, 3), version: "1" }) }),
    );
    const mine = new Uint8Array([0, 1, 2, 3, 4, 5]);
    await far.fs.write("/a", mine.subarray(2, 4));
    await far.fs.writeStream("/b", new Blob([mine]).stream());
    const { bytes: read } = await far.fs.read("/a");
    expect({ mine: [...mine], own: [...own], read: [...read], sent: read.buffer.byteLength }).toEqual({
      mine: [0, 1, 2, 3, 4, 5],
      own: [1, 2, 3, 4],
      read: [2, 3],
      sent: 2,
    });
  });

  test("carries an abort to the other side", async () => {
    const reached = deferred<AbortSignal | undefined>();
    const ended = deferred();
    const { far } = await through(
      backendOf({
        ...memoryFileSystem(),
        stat: (_path, options) => {
          options?.signal?.addEventListener("abort", () => ended.resolve());
          reached.resolve(options?.signal);
          return new Promise(() => {});
        },
      }),
    );
    const controller = new AbortController();
    const call = failure(far.fs.stat("/a", { signal: controller.signal }));
    await reached.promise;
    const reason = new Error("not needed");
    controller.abort(reason);
    expect(await call).toBe(reason);
    await ended.promise;
  });

  test("does not wait for ever for what came of a change that was given up", async () => {
    const timers = manualTimers();
    const reached = deferred();
    const { far } = await through(
      backendOf({
        ...memoryFileSystem(),
        remove: () => {
          reached.resolve();
          return new Promise(() => {});
        },
      }),
      {},
      { timers, silenceMs: Number.POSITIVE_INFINITY },
    );
    const controller = new AbortController();
    const call = failure(far.fs.remove("/a", { signal: controller.signal }));
    await reached.promise;
    const reason = new Error("enough");
    controller.abort(reason);
    timers.pass(10_000);
    expect(await call).toMatchObject({ code: "BACKEND_GONE", cause: reason });
  });

  test("reads no further ahead than its reader allows", async () => {
    let pulled = 0;
    const { far } = await through(
      backendOf({
        ...memoryFileSystem(),
        readStream: () =>
          new ReadableStream<Uint8Array>(
            {
              pull: (controller) => {
                pulled += 1;
                controller.enqueue(new Uint8Array(10));
              },
            },
            { highWaterMark: 0 },
          ),
      }),
    );
    const reader = far.fs.readStream("/a").getReader();
    await reader.read();
    await turns(20);
    expect(pulled).toBe(8);
    for (let count = 0; count < 20; count += 1) await reader.read();
    await turns(20);
    expect(pulled).toBeLessThanOrEqual(28);
    await reader.cancel();
    await turns(20);
    const stopped = pulled;
    await turns(20);
    expect(pulled).toBe(stopped);
  });

  test("refuses changes and commands when it is read-only", async () => {
    const near: Backend = { ...memoryBackend({ files: { a: "a" } }), shell: shellOf((async function* () {})()) };
    const { far } = await through(near, { readOnly: true });
    const { fs } = far;
    const calls: (() => Promise<unknown> | undefined)[] = [
      () => fs.write("/a", bytes("x")),
      () => fs.writeStream("/a", new Blob(["x"]).stream()),
      () => fs.makeDirectory("/d"),
      () => fs.remove("/workspace/a"),
      () => fs.rename("/workspace/a", "/b"),
      () => fs.symlink?.("a", "/l"),
    ];
    const codes = await Promise.all(calls.map(async (call) => Reflect.get(Object(await failure(call())), "code")));
    expect([far.shell, codes]).toEqual([undefined, calls.map(() => "FS_READ_ONLY")]);
    expect(text((await fs.read("/workspace/a")).bytes)).toBe("a");
  });

  test("answers more calls than it may have under way with BACKEND_BUSY", async () => {
    const { far } = await through(backendOf({ ...memoryFileSystem(), stat: () => new Promise(() => {}) }), {
      maxCalls: 2,
    });
    const first = [far.fs.stat("/1"), far.fs.stat("/2")];
    expect(await failure(far.fs.stat("/3"))).toMatchObject({ code: "BACKEND_BUSY", retryable: true });
    await far.close?.();
    expect(await Promise.all(first.map(failure))).toMatchObject([{ code: "BACKEND_GONE" }, { code: "BACKEND_GONE" }]);
  });
});

describe("a connection that ends", () => {
  test("fails what is under way and what comes later, whichever side ends it", async () => {
    for (const side of ["client", "server"] as const) {
      const signals: AbortSignal[] = [];
      const reached = deferred();
      const near = backendOf({
        ...memoryFileSystem(),
        stat: (_path, options) => {
          if (options?.signal) signals.push(options.signal);
          reached.resolve();
          return new Promise(() => {});
        },
      });
      const { far, server } = await through(near);
      // Without a signal there is nothing to abort on the other side either.
      const under = failure(far.fs.stat("/a", { signal: new AbortController().signal }));
      await reached.promise;
      if (side === "client") await far.close?.();
      else server.close();
      expect(await under).toMatchObject({ code: "BACKEND_GONE" });
      expect(await failure(far.fs.read("/a"))).toMatchObject({ code: "BACKEND_GONE" });
      if (side === "server") expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    }
  });

  test("counts as gone when it says nothing any more, and is renewed for the next call", async () => {
    const timers = manualTimers();
    const fs = memoryFileSystem({ files: { "/a": "a" } });
    const hanging = deferred();
    let connections = 0;
    const far = await portBackend(
      {
        connect: () => {
          connections += 1;
          const { port1, port2 } = new MessageChannel();
          const server = servePort(port1, backendOf(fs));
          closing.push(() => server.close());
          if (connections > 1) return port2;
          // The first worker greets, and is then kept by a loop that never waits.
          const raw: WebPort & { start(): void; close(): void } = port2;
          let sent = 0;
          return {
            postMessage: (message: unknown, transfer: ArrayBuffer[] = []) => {
              sent += 1;
              if (sent === 1) raw.postMessage(message, transfer);
              else hanging.resolve();
            },
            addEventListener: (type, listener) => raw.addEventListener(type, listener),
            removeEventListener: (type, listener) => raw.removeEventListener(type, listener),
            start: () => raw.start(),
            close: () => raw.close(),
          } satisfies WebPort & { start(): void; close(): void };
        },
      },
      { timers, silenceMs: 1000 },
    );
    closing.push(() => far.close?.());
    const under = failure(far.fs.stat("/a"));
    await hanging.promise;
    timers.pass(3000);
    expect(await under).toMatchObject({ code: "BACKEND_GONE", retryable: true });
    expect([(await far.fs.stat("/a"))?.size, connections]).toEqual([1, 2]);
  });

  test("is not taken for gone while the other side works", async () => {
    const timers = manualTimers();
    const work = deferred<undefined>();
    const { far, port } = await through(
      backendOf({ ...memoryFileSystem(), stat: () => work.promise }),
      {},
      { timers, silenceMs: 1000 },
    );
    const under = far.fs.stat("/a");
    for (let round = 0; round < 10; round += 1) {
      const sign = new Promise((resolve) => port.addEventListener("message", resolve, { once: true }));
      timers.pass(1000);
      await sign;
    }
    work.resolve(undefined);
    expect(await under).toBeUndefined();
  });

  test("fails with BACKEND_GONE when the next one cannot be had, and tries again later", async () => {
    let broken = true;
    const connect = (): MessagePort => {
      if (broken) throw new Error("no worker today");
      const { port1, port2 } = new MessageChannel();
      const server = servePort(port1, backendOf(memoryFileSystem()));
      closing.push(() => server.close());
      return port2;
    };
    await expect(portBackend({ connect })).rejects.toThrow("no worker today");
    broken = false;
    const far = await portBackend({ connect });
    closing.push(() => far.close?.());
    expect(await far.fs.stat("/")).toMatchObject({ kind: "directory" });
  });
});

/** Stands between a port and its user, and does something to what goes out. */
function disturbed(port: MessagePort, send: (message: unknown, pass: (message: unknown) => void) => void): WebPort {
  return {
    postMessage: (message) => send(message, (each) => port.postMessage(each)),
    addEventListener: (type, listener) => port.addEventListener(type, listener),
    removeEventListener: (type, listener) => port.removeEventListener(type, listener),
    ...{ start: () => port.start(), close: () => port.close() },
  };
}

/** Swaps neighbours, as far as they come within one turn. */
function swapping(): (message: unknown, pass: (message: unknown) => void) => void {
  let held: unknown[] = [];
  return (message, pass) => {
    held.push(message);
    if (held.length === 1) {
      setTimeout(() => {
        for (const each of held) pass(each);
        held = [];
      }, 0);
    } else if (held.length === 2) {
      for (const each of held.reverse()) pass(each);
      held = [];
    }
  };
}

const disturbances: readonly [name: string, make: () => Parameters<typeof disturbed>[1]][] = [
  [
    "comes twice",
    () => (message, pass) => {
      pass(message);
      pass(message);
    },
  ],
  ["comes in another order", swapping],
];

describe("a message that", () => {
  test.each(disturbances)("%s does its work once", async (_name, make) => {
    const { port1, port2 } = new MessageChannel();
    const fs = memoryFileSystem();
    const done: string[] = [];
    const counted: FileSystem = {
      ...fs,
      write: (path, given, options) => {
        done.push(`write ${path}`);
        return fs.write(path, given, options);
      },
      writeStream: (path, stream, options) => {
        done.push(`writeStream ${path}`);
        return fs.writeStream(path, stream, options);
      },
    };
    const server = servePort(disturbed(port1, make()), backendOf(counted));
    const far = await portBackend(disturbed(port2, make()));
    closing.push(
      () => server.close(),
      () => far.close?.(),
    );
    const content = new Uint8Array(3 << 20).map((_, index) => index % 251);
    await far.fs.write("/a", content);
    await far.fs.writeStream("/b", far.fs.readStream("/a"));
    const names: string[] = [];
    for await (const { name } of far.fs.list("/")) names.push(name);
    expect({
      done,
      names: names.sort(),
      b: (await fs.read("/b")).bytes.every((byte, at) => byte === content[at]),
    }).toEqual({
      done: ["write /a", "writeStream /b"],
      names: ["a", "b"],
      b: true,
    });
  });
});

describe("two clients of one file", () => {
  test("write it under one version: one of them wins, every time, and nothing is lost", async () => {
    const near = backendOf(memoryFileSystem({ files: { "/n": "0" } }));
    const clients = [await through(near), await through(near)];
    const countUp = async (fs: Backend["fs"]): Promise<void> => {
      for (let counted = 0; counted < 10; ) {
        const { bytes: found, version } = await fs.read("/n");
        const next = bytes(`${Number(text(found)) + 1}`);
        const [outcome] = await Promise.allSettled([fs.write("/n", next, { ifVersion: version })]);
        if (outcome.status === "fulfilled") counted += 1;
        else expect(outcome.reason).toMatchObject({ code: "FS_CONFLICT" });
      }
    };
    await Promise.all(clients.map(({ far }) => countUp(far.fs)));
    expect(text((await near.fs.read("/n")).bytes)).toBe("20");
  });
});

const junk: readonly unknown[] = [
  null,
  undefined,
  0,
  "call",
  [],
  {},
  { type: "call" },
  { type: "call", id: -1, method: "stat", args: { path: "/a" } },
  { type: "call", id: 1.5, method: "stat", args: { path: "/a" } },
  { type: "call", id: "1", method: "stat", args: { path: "/a" } },
  { type: "abort", id: 99 },
  { type: "credit", id: 99, count: 1e9 },
  { type: "chunk", id: 99, seq: 0, bytes: new Uint8Array(1) },
  { type: "nonsense", id: 3 },
  [-1, "stat", { path: "/a" }],
  ["1", "stat", { path: "/a" }],
  [[1], "stat", { path: "/a" }],
  [1.5, "stat", "/a"],
];

const wrongCalls: readonly [method: unknown, args: unknown, code: string][] = [
  ["nothing", { path: "/a" }, "BACKEND_PROTOCOL"],
  ["constructor", {}, "BACKEND_PROTOCOL"],
  ["__proto__", {}, "BACKEND_PROTOCOL"],
  [7, {}, "BACKEND_PROTOCOL"],
  ["stat", undefined, "BACKEND_PROTOCOL"],
  ["stat", { path: 7 }, "BACKEND_PROTOCOL"],
  ["stat", 7, "BACKEND_PROTOCOL"],
  ["stat", "relative", "FS_INVALID_PATH"],
  ["stat", `/${"x".repeat(20_000)}`, "BACKEND_LIMIT"],
  ["read", "/a", "BACKEND_PROTOCOL"],
  ["stat", { path: "relative" }, "FS_INVALID_PATH"],
  ["stat", { path: `/${"x".repeat(20_000)}` }, "BACKEND_LIMIT"],
  ["read", { path: "/a", offset: -1 }, "BACKEND_PROTOCOL"],
  ["read", { path: "/../../etc/passwd" }, "FS_NOT_FOUND"],
  ["write", { path: "/a", bytes: [1, 2] }, "BACKEND_PROTOCOL"],
  ["write", { path: "/a", bytes: "text" }, "BACKEND_PROTOCOL"],
  ["statMany", { stats: Array.from({ length: 501 }, () => ({ path: "/" })) }, "BACKEND_LIMIT"],
  ["run", { command: "ls", session: "s" }, "SHELL_FAILED"],
  ["run", { command: "ls" }, "BACKEND_PROTOCOL"],
  ["run", { command: "ls", session: "s", env: { A: 1 } }, "BACKEND_PROTOCOL"],
  ["hello", { protocol: 99 }, "BACKEND_PROTOCOL"],
];

describe("a server whose client is hostile", () => {
  test("passes over what means nothing, and answers the next call", async () => {
    const { port1, port2 } = new MessageChannel();
    const server = servePort(port1, backendOf(memoryFileSystem({ files: { "/a": "a" } })));
    closing.push(() => server.close());
    const raw = rawPort(port2);
    for (const message of junk) raw.send(message);
    raw.send({
      type: "call",
      id: 7,
      method: "stat",
      args: { path: "/a", extra: { ["__proto__"]: { polluted: true } } },
    });
    expect(await raw.next()).toMatchObject([7, "file", 1, expect.any(Number), expect.any(String)]);
    // Again, and of a call that is not given up.
    for (const _time of [1, 2]) raw.send([8, "stat", "/a"]);
    raw.send([9, "list", { path: "/" }]);
    // What is refused at once may be answered first.
    expect([await raw.next(), await raw.next()]).toEqual(
      expect.arrayContaining([
        [8, "file", 1, expect.any(Number), expect.any(String)],
        expect.objectContaining({
          type: "failed",
          id: 9,
          error: expect.objectContaining({ code: "BACKEND_PROTOCOL" }),
        }),
      ]),
    );
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test.each(wrongCalls)("answers a call %j with an error: %#", async (method, args, code) => {
    const { port1, port2 } = new MessageChannel();
    const server = servePort(port1, backendOf(memoryFileSystem()));
    closing.push(() => server.close());
    const raw = rawPort(port2);
    raw.send({ type: "call", id: 1, method, args });
    expect(await raw.next()).toMatchObject({ type: "failed", id: 1, error: { code } });
    raw.send([2, method, args]);
    const plain = method === "run" ? { code: expect.stringMatching(/SHELL_FAILED|BACKEND_PROTOCOL/) } : { code };
    expect(await raw.next()).toMatchObject({ type: "failed", id: 2, error: plain });
  });
});

const facts = {
  protocol: 1,
  name: "x",
  os: "posix",
  cwd: "/",
  readOnly: false,
  shell: true,
  symlink: false,
  readLink: false,
  watch: false,
};

/** Answers calls as a test says. */
async function hostile(answer: (call: Record<string, unknown>) => object[]): Promise<Backend> {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    const isPlain = Array.isArray(data);
    const { id, method, ...rest } = isPlain ? { id: data[0], method: data[1], args: data[2] } : data;
    if (method === undefined) return;
    const messages = method === "hello" ? [[facts]] : answer({ id, method, ...rest });
    for (const message of messages) port1.postMessage(Array.isArray(message) ? [id, ...message] : { id, ...message });
  };
  const far = await portBackend(port2);
  closing.push(
    () => far.close?.(),
    () => port1.close(),
  );
  return far;
}

const wrongAnswers: readonly [name: string, answer: object][] = [
  ["no answer", []],
  ["text", ["file"]],
  ["a stat without a version", [{ kind: "file", size: 1, modifiedAt: 0 }]],
  ["facts without a version", ["file", 1, 0, undefined]],
  ["facts that are too many", ["file", 1, 0, "1", "2"]],
  ["a size that is none", ["file", -1, 0, "1"]],
  ["a kind that is none", ["folder", 1, 0, "1"]],
  ["an error without a code", { type: "failed", error: { message: "x" } }],
  ["an error with an odd code", { type: "failed", error: { code: "__proto__", message: "x" } }],
];

describe("a client whose server is hostile", () => {
  test.each(wrongAnswers)("refuses %s", async (_name, message) => {
    const far = await hostile(() => [message]);
    expect(await failure(far.fs.write("/a", bytes("x")))).toMatchObject({ code: "BACKEND_PROTOCOL" });
  });

  test.each(["..", ".", "", "a/b", "nul\0"])("refuses an entry called %j", async (name) => {
    const far = await hostile(() => [{ type: "items", seq: 0, items: [{ name, kind: "file" }], end: {} }]);
    const reading = (async () => {
      for await (const _entry of far.fs.list("/")) throw new Error("an entry came");
    })();
    expect(await failure(reading)).toMatchObject({ code: "BACKEND_PROTOCOL" });
  });

  test("does not take data of an error for more than data", async () => {
    const error = {
      code: "FS_IO",
      message: "odd. Try again.",
      data: JSON.parse('{"__proto__":{"polluted":true},"path":"/a"}'),
    };
    const far = await hostile(() => [{ type: "failed", error }]);
    const failed = await failure(far.fs.stat("/a"));
    expect([Reflect.get({}, "polluted"), Reflect.get(Object(failed), "data")]).toEqual([undefined, { path: "/a" }]);
  });

  test("takes no more messages than it allowed", async () => {
    const far = await hostile(() =>
      Array.from({ length: 100 }, (_, seq) => ({ type: "items", seq, items: [new Uint8Array(1)] })),
    );
    const reader = far.fs.readStream("/a").getReader();
    const reading = (async () => {
      await reader.read();
      // All of them come while nobody reads.
      await turns(200);
      for (;;) if ((await reader.read()).done) return;
    })();
    expect(await failure(reading)).toMatchObject({ code: "BACKEND_PROTOCOL" });
  });

  test("takes no more output than it asked for", async () => {
    const piece = { stream: "stdout", text: "x".repeat(600) };
    const far = await hostile(() => [
      { type: "items", seq: 0, items: [piece] },
      { type: "items", seq: 1, items: [piece], end: { value: { code: 0, timedOut: false, truncated: false } } },
    ]);
    expect(await failure(far.shell?.run("x", { maxOutputBytes: 1000 }).exit)).toMatchObject({
      code: "BACKEND_PROTOCOL",
    });
  });

  test("refuses another protocol", async () => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      const error = { code: "BACKEND_PROTOCOL", message: "the client speaks protocol 1, the server 2. Use the same." };
      port1.postMessage({ id: data[0], type: "failed", error });
    };
    expect(await failure(portBackend(port2))).toMatchObject({ code: "BACKEND_PROTOCOL" });
    port1.close();
  });
});
