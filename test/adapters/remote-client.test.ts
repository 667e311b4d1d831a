import { type Backend, type FileSystem, HoldallError } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { bearerToken, type FetchLike, type RemoteBackendOptions, remoteBackend, serveBackend } from "holdall/worker";
import { afterEach, describe, expect, test } from "vitest";
import { fetchFrom, TOKEN, throughHttp, URL_OF_TESTS } from "./remote-support.ts";
import {
  backendOf,
  bytes,
  deferred,
  failure,
  manualTimers,
  requireShell,
  shellBackend,
  text,
  turns,
  until,
} from "./worker-support.ts";

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A request as a fault sees it. */
interface Seen {
  method: string;
  call: string;
  headers: Headers;
}

/** Does something instead of, or with, what the server answers. */
type Fault = (seen: Seen, answer: () => Promise<Response>) => Promise<Response> | undefined;

/** A backend behind a server and a network with faults; nothing waits between attempts. */
async function faulty(
  backend: Backend,
  fault: Fault,
  options: Partial<RemoteBackendOptions> = {},
): Promise<{ far: Backend; seen: string[]; timers: ReturnType<typeof manualTimers> }> {
  const handler = fetchFrom(serveBackend(backend, { authorize: bearerToken(TOKEN) }));
  const seen: string[] = [];
  const timers = manualTimers();
  let armed = false;
  const fetch: FetchLike = (url, init) => {
    const call = typeof init.body === "string" ? String(JSON.parse(init.body).method) : "";
    if (!armed) return handler(url, init);
    seen.push(call === "" ? String(init.method) : call);
    const request = { method: String(init.method), call, headers: new Headers(init.headers) };
    return fault(request, () => handler(url, init)) ?? handler(url, init);
  };
  const far = await remoteBackend({
    url: URL_OF_TESTS,
    headers: { authorization: `Bearer ${TOKEN}` },
    fetch,
    timers: {
      set: (callback, milliseconds) => {
        if (milliseconds >= 60_000) return timers.set(callback, milliseconds);
        queueMicrotask(callback);
        return 0;
      },
      clear: timers.clear,
    },
    random: () => 0,
    ...options,
  });
  armed = true;
  closing.push(() => far.close?.());
  return { far, seen, timers };
}

function files(): Backend {
  return memoryBackend({ cwd: "/", files: { "/a": "abcdef", "/b": "b" } });
}

const unreachable = (): Promise<Response> => Promise.reject(new TypeError("connection refused"));

/** Counts, and does something for the first so many requests. */
function first(count: number, fault: Fault): Fault {
  let left = count;
  return (seen, answer) => {
    left -= 1;
    return left >= 0 ? fault(seen, answer) : undefined;
  };
}

describe("a request that nobody answers", () => {
  test.each([
    ["is refused by the network", unreachable],
    ["is answered by a gateway with 502", async () => new Response("bad gateway", { status: 502 })],
    [
      "is answered by a gateway with 503",
      async () => new Response("wait", { status: 503, headers: { "retry-after": "1" } }),
    ],
    ["is answered by a gateway with 504", async () => new Response("late", { status: 504 })],
    [
      "meets a fetch that throws",
      () => {
        throw new TypeError("no network");
      },
    ],
  ] as [string, Fault][])("is sent again when it %s", async (_name, fault) => {
    const { far, seen } = await faulty(files(), first(2, fault));
    expect(text((await far.fs.read("/a")).bytes)).toBe("abcdef");
    await far.fs.write("/new", bytes("x"), { ifVersion: null });
    expect(seen).toEqual(["GET", "GET", "GET", "PUT"]);
  });

  test("is given up after so many attempts, with the cause", async () => {
    const { far, seen } = await faulty(files(), unreachable, { retry: { attempts: 3 } });
    expect(await failure(far.fs.read("/a"))).toMatchObject({
      code: "BACKEND_GONE",
      retryable: true,
      cause: { message: "connection refused" },
    });
    expect(seen).toEqual(["GET", "GET", "GET"]);
  });

  test("waits longer each time, and as long as the server asks", async () => {
    const waits: number[] = [];
    const timers = {
      set: (callback: () => void, milliseconds: number) => {
        if (milliseconds < 60_000) {
          waits.push(milliseconds);
          queueMicrotask(callback);
        }
        return 0;
      },
      clear: () => {},
    };
    const asks = async (): Promise<Response> => new Response(null, { status: 503, headers: { "retry-after": "7" } });
    let count = 0;
    const fault: Fault = () => {
      count += 1;
      return count === 2 ? asks() : unreachable();
    };
    const { far } = await faulty(files(), fault, {
      timers,
      random: () => 1,
      retry: { attempts: 4, initialDelayMs: 100 },
    });
    await failure(far.fs.read("/a"));
    expect(waits).toEqual([100, 7000, 400]);
  });

  test("is not sent again when what answers is no server of this protocol", async () => {
    for (const response of [
      new Response("<html>", { status: 200 }),
      new Response("moved", { status: 301 }),
      new Response("", { status: 404 }),
    ]) {
      const { far, seen } = await faulty(files(), async () => response);
      expect(await failure(far.fs.stat("/a"))).toMatchObject({ code: "BACKEND_PROTOCOL" });
      expect(seen).toEqual(["stat"]);
    }
  });

  test("is given up when no answer begins in time", async () => {
    const { far, timers } = await faulty(files(), () => new Promise(() => {}), { retry: { attempts: 1 } });
    const call = failure(far.fs.glob({ pattern: "*", path: "/" }));
    await until(() => timers.waiting() > 0);
    timers.pass(300_000);
    expect(await call).toMatchObject({ code: "BACKEND_GONE" });
  });
});

describe("a change that is sent again", () => {
  /** The answer is lost once, after the server has done what it was asked for. */
  const lost: Fault = first(1, async (_seen, answer) => {
    await (await answer()).text();
    throw new TypeError("the connection was lost");
  });

  test("is made once, and answered as it was", async () => {
    const near = files();
    const done: string[] = [];
    const counted: FileSystem = { ...near.fs };
    for (const method of ["write", "makeDirectory", "remove", "rename"] as const) {
      const original = near.fs[method] as (...parameters: unknown[]) => Promise<never>;
      counted[method] = (...parameters: unknown[]): Promise<never> => {
        done.push(method);
        return original(...parameters);
      };
    }
    const calls: [string, (fs: FileSystem) => Promise<unknown>][] = [
      ["write", (fs) => fs.write("/a", bytes("1"))],
      ["makeDirectory", (fs) => fs.makeDirectory("/d")],
      ["rename", (fs) => fs.rename("/b", "/c")],
      ["remove", (fs) => fs.remove("/c")],
    ];
    for (const [method, make] of calls) {
      let isLost = false;
      const { far, seen } = await faulty({ ...near, fs: counted }, (_seen, answer) => {
        if (isLost) return undefined;
        isLost = true;
        return answer().then(() => Promise.reject(new TypeError("lost")));
      });
      await make(far.fs);
      expect([method, seen.length]).toEqual([method, 2]);
    }
    expect(done).toEqual(["write", "makeDirectory", "rename", "remove"]);
  });

  test("keeps its key, counts its attempts, and has another key than the next", async () => {
    const marks: (string | null)[][] = [];
    const { far } = await faulty(files(), (seen, answer) => {
      marks.push(["idempotency-key", "holdall-attempt"].map((name) => seen.headers.get(name)));
      return marks.length === 1 ? unreachable() : answer();
    });
    await far.fs.write("/a", bytes("1"));
    await far.fs.write("/a", bytes("2"));
    const [one, two, three] = marks;
    expect([one?.[0] === two?.[0], one?.[0] === three?.[0], marks.map(([, attempt]) => attempt)]).toEqual([
      true,
      false,
      ["1", "2", "1"],
    ]);
  });

  test("is a command that runs once, whose output comes all the same", async () => {
    const near = shellBackend();
    const { far, seen } = await faulty(near, lost);
    const running = requireShell(far).shell.run("echo once >> log; cat log");
    let printed = "";
    for await (const piece of running) printed += piece.text;
    expect([printed, (await running.exit).code, seen]).toEqual(["once\n", 0, ["run", "run"]]);
  }, 30_000);

  test("is refused by a server that cannot know whether it was made", async () => {
    const fs = memoryFileSystem({ files: { "/a": "a", "/b": "b" } });
    const start = (): FetchLike => fetchFrom(serveBackend(backendOf(fs), { authorize: "none" }));
    let server = start();
    let isLost = false;
    const fetch: FetchLike = async (url, init) => {
      const response = await server(url, init);
      if (!isLost) return response;
      isLost = false;
      server = start();
      throw new TypeError("lost");
    };
    const far = await remoteBackend({ url: URL_OF_TESTS, fetch, retry: { initialDelayMs: 1 } });
    const { version } = await far.fs.write("/a", bytes("0"));
    const losing = (call: () => Promise<unknown>): Promise<unknown> => {
      isLost = true;
      return failure(call());
    };
    expect(await losing(() => far.fs.remove("/b"))).toMatchObject({ code: "BACKEND_GONE" });
    expect(await losing(() => far.fs.write("/a", bytes("1")))).toMatchObject({ code: "BACKEND_GONE" });
    expect(await losing(() => far.fs.write("/a", bytes("2"), { ifVersion: version }))).toMatchObject({
      code: "FS_CONFLICT",
    });
    expect(text((await fs.read("/a")).bytes)).toBe("1");
  });
});

describe("an answer that goes wrong", () => {
  /** Gives the answer with only so many bytes of its body. */
  const cutAt =
    (length: number, breaks: boolean): Fault =>
    async (_seen, answer) => {
      const response = await answer();
      const whole = new Uint8Array(await response.arrayBuffer());
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(whole.slice(0, length));
          if (breaks) controller.error(new TypeError("socket hang up"));
          else controller.close();
        },
      });
      return new Response(body, { status: response.status, headers: response.headers });
    };
  const drain = async (fs: FileSystem): Promise<string> => {
    let all = "";
    const reader = fs.readStream("/a").getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) all += text(next.value);
    return all;
  };
  const calls: [string, (fs: FileSystem) => Promise<unknown>][] = [
    ["read", (fs) => fs.read("/a")],
    ["readStream", drain],
    [
      "list",
      async (fs) => {
        for await (const _entry of fs.list("/"));
      },
    ],
  ];
  const cuts = calls.flatMap(([name, call]) =>
    [0, 3, 5].flatMap((length) => [true, false].map((breaks) => ({ name, call, length, breaks }))),
  );

  test.each(cuts)(
    "never is a part taken for the whole: $name cut after $length bytes, noticed by the host: $breaks",
    async ({ call, length, breaks }) => {
      const { far } = await faulty(files(), cutAt(length, breaks));
      expect(await failure(call(far.fs))).toMatchObject({ code: "BACKEND_GONE" });
    },
  );

  test("is BACKEND_PROTOCOL when it is JSON of the wrong kind, or none", async () => {
    for (const body of [
      "",
      "{",
      "[]",
      '{"value":7}',
      '{"value":{"kind":"file"}}',
      '{"value":{"kind":"file","size":"1","modifiedAt":0,"version":"1"}}',
    ]) {
      const { far } = await faulty(
        files(),
        async (_seen, answer) => new Response(body, { headers: (await answer()).headers }),
      );
      expect([body, Reflect.get(Object(await failure(far.fs.stat("/a"))), "code")]).toEqual([body, "BACKEND_PROTOCOL"]);
    }
  });

  test("is BACKEND_PROTOCOL when it is another range than was asked for", async () => {
    for (const range of ["bytes 0-9/*", "bytes 1-2/*", "bytes 5-2/*", ""]) {
      const { far } = await faulty(files(), async (_seen, answer) => {
        const { headers } = await answer();
        headers.set("content-range", range);
        return new Response("abcdef", { status: 206, headers });
      });
      expect(await failure(far.fs.read("/a", { length: 6 }))).toMatchObject({ code: "BACKEND_PROTOCOL" });
    }
  });

  test("is BACKEND_GONE when it falls silent in the middle", async () => {
    const near = shellBackend();
    const { far, timers } = await faulty(near, async (_seen, answer) => {
      const { headers } = await answer();
      return new Response(
        new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes(":\n\n")) }),
        { headers },
      );
    });
    const end = failure(far.shell?.run("sleep 60").exit);
    let isOver = false;
    void end.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await turns(20);
      timers.pass(60_000);
    }
    expect(await end).toMatchObject({ code: "BACKEND_GONE" });
  }, 30_000);

  test("is told apart from a failure in the middle, which keeps its code", async () => {
    const fs = memoryFileSystem({ files: { "/f": "x".repeat(1 << 20) } });
    const { far } = await throughHttp(backendOf(fs));
    const reader = far.fs.readStream("/f").getReader();
    await reader.read();
    await fs.write("/f", bytes("changed"));
    const reading = (async () => {
      while (!(await reader.read()).done);
    })();
    expect(await failure(reading)).toMatchObject({ code: "FS_CONFLICT", data: { path: "/f" } });
  });
});

describe("a call that is given up", () => {
  test("before it begins, sends nothing", async () => {
    const { far, seen } = await faulty(files(), () => undefined);
    const reason = new Error("no");
    const signal = AbortSignal.abort(reason);
    const calls = [
      far.fs.stat("/a", { signal }),
      far.fs.read("/a", { signal }),
      far.fs.write("/a", bytes("x"), { signal }),
    ];
    expect([await Promise.all(calls.map(failure)), seen]).toEqual([[reason, reason, reason], []]);
  });

  test("while it waits for its next attempt, ends at once", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const { far } = await faulty(
      files(),
      () => {
        queueMicrotask(() => controller.abort(reason));
        return unreachable();
      },
      { timers: manualTimers() },
    );
    expect(await failure(far.fs.read("/a", { signal: controller.signal }))).toBe(reason);
  });

  test("stops the work of the server", async () => {
    const reached = deferred<AbortSignal | undefined>();
    const near = backendOf({
      ...memoryFileSystem(),
      grep: (query) => {
        reached.resolve(query.signal);
        return new Promise(() => {});
      },
    });
    const { far } = await throughHttp(near);
    const controller = new AbortController();
    const call = failure(far.fs.grep({ pattern: "x", path: "/", signal: controller.signal }));
    const signal = await reached.promise;
    controller.abort(new Error("enough"));
    await call;
    await until(() => signal?.aborted === true);
  });

  test("is a change of which the truth is told: it came in time, or it did not", async () => {
    const fs = memoryFileSystem({ files: { "/a": "a" } });
    const inside = deferred();
    const near = backendOf({
      ...fs,
      remove: (_path, options) => {
        inside.resolve();
        return new Promise((_, reject) =>
          options?.signal?.addEventListener("abort", () => reject(options.signal?.reason)),
        );
      },
      rename: async (from, to) => {
        inside.resolve();
        await turns(10);
        await fs.rename(from, to);
      },
    });
    const { far } = await throughHttp(near);
    const controller = new AbortController();
    const reason = new Error("enough");
    const removing = failure(far.fs.remove("/a", { signal: controller.signal }));
    const renaming = far.fs.rename("/a", "/b", { signal: controller.signal });
    await inside.promise;
    controller.abort(reason);
    expect([await removing, await renaming, (await fs.stat("/b"))?.kind]).toEqual([reason, undefined, "file"]);
  });

  test("is a change that is known to be unknown when the server does not tell", async () => {
    const reached = deferred();
    const near = backendOf({
      ...memoryFileSystem(),
      remove: () => {
        reached.resolve();
        return new Promise(() => {});
      },
    });
    const timers = manualTimers();
    const { far } = await throughHttp(near, {}, { timers });
    const controller = new AbortController();
    const call = failure(far.fs.remove("/a", { signal: controller.signal }));
    await reached.promise;
    const reason = new Error("enough");
    controller.abort(reason);
    timers.pass(10_000);
    expect(await call).toMatchObject({ code: "BACKEND_GONE" });
  });
});

describe("a remote backend", () => {
  test("asks for many stats at once, and tells each how it went", async () => {
    const { far, seen } = await faulty(files(), () => undefined);
    const stats = await Promise.all([
      far.fs.stat("/a"),
      far.fs.stat("/none"),
      failure(far.fs.stat("")),
      far.fs.stat("/b"),
    ]);
    expect(stats.map((stat) => (HoldallError.is(stat) ? stat.code : Reflect.get(Object(stat), "size")))).toEqual([
      6,
      undefined,
      "FS_INVALID_PATH",
      1,
    ]);
    await far.fs.stat("/a");
    expect(seen).toEqual(["statMany", "stat"]);
  });

  test("asks for its headers each time", async () => {
    let count = 0;
    const given: (string | null)[] = [];
    const handler = serveBackend(files(), {
      authorize: ({ headers }) => {
        given.push(headers.get("authorization"));
        return true;
      },
    });
    const far = await remoteBackend({
      url: URL_OF_TESTS,
      fetch: fetchFrom(handler),
      headers: async () => {
        count += 1;
        return { authorization: `Bearer ${count}` };
      },
    });
    await far.fs.stat("/a");
    expect(given).toEqual(["Bearer 1", "Bearer 2"]);
  });

  test("tells what the server refuses", async () => {
    const handler = fetchFrom(serveBackend(files(), { authorize: bearerToken(TOKEN) }));
    const refused = remoteBackend({
      url: `${URL_OF_TESTS}?key=secret`,
      fetch: handler,
      headers: { authorization: "Bearer wrong" },
    });
    expect(await failure(refused)).toMatchObject({ code: "BACKEND_UNAUTHORIZED" });
    const lost = await failure(
      remoteBackend({ url: `${URL_OF_TESTS}?key=secret`, fetch: unreachable, retry: { attempts: 1 } }),
    );
    expect([HoldallError.is(lost, "BACKEND_GONE"), String(lost).includes("secret")]).toEqual([true, false]);
  });

  test("refuses files over its own limit, both ways", async () => {
    const { far } = await throughHttp(files(), {}, { maxFileBytes: 3 });
    expect(await failure(far.fs.write("/c", bytes("abcd")))).toMatchObject({ code: "BACKEND_LIMIT" });
    expect(await failure(far.fs.read("/a"))).toMatchObject({ code: "BACKEND_LIMIT" });
    expect(text((await far.fs.read("/a", { length: 3 })).bytes)).toBe("abc");
  });

  test("keeps its shell sessions apart from those of other clients, and comes back to its own", async () => {
    const near = shellBackend();
    const [one, other] = [(await throughHttp(near)).far, (await throughHttp(near)).far];
    const again = { sessions: "mine" };
    const [mine, later] = [(await throughHttp(near, {}, again)).far, (await throughHttp(near, {}, again)).far];
    const run = async ({ shell }: Backend, command: string): Promise<string> => {
      let all = "";
      for await (const piece of shell?.run(command) ?? []) all += piece.text;
      return all;
    };
    await run(one, "x=one");
    await run(mine, "x=mine");
    expect([await run(one, "echo $x"), await run(other, "echo $x"), await run(later, "echo $x")]).toEqual([
      "one\n",
      "\n",
      "mine\n",
    ]);
  }, 30_000);

  test("fails what is under way and what comes later once it is closed", async () => {
    const { far } = await throughHttp(backendOf({ ...memoryFileSystem(), realpath: () => new Promise(() => {}) }));
    const under = failure(far.fs.realpath("/a"));
    await far.close?.();
    expect([await under, await failure(far.fs.stat("/a"))]).toMatchObject([
      { code: "FS_CLOSED" },
      { code: "FS_CLOSED" },
    ]);
  });
});
