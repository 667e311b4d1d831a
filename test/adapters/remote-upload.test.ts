import type { Backend, FileSystem } from "holdall";
import { memoryBackend } from "holdall/memory";
import {
  bearerToken,
  type FetchLike,
  type RemoteBackendOptions,
  remoteBackend,
  type ServeBackendOptions,
  serveBackend,
} from "holdall/worker";
import { afterEach, describe, expect, test } from "vitest";
import { fetchFrom, TOKEN, URL_OF_TESTS } from "./remote-support.ts";
import { backendOf, bytes, deferred, failure, manualTimers, text, turns, until } from "./worker-support.ts";

const MIB = 1 << 20;

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A request as a fault sees it: the method of a call, or `part 3`. */
type Fault = (what: string, answer: () => Promise<Response>) => Promise<Response> | undefined;

interface Through {
  far: Backend;
  seen: string[];
  /** Bytes of bodies that have been sent and not been answered, at most. */
  most(): number;
}

/** Puts a server and a network with faults between a backend and its user. */
async function through(
  near: Backend,
  fault: Fault = () => undefined,
  serve: Partial<ServeBackendOptions> = {},
  options: Partial<RemoteBackendOptions> = {},
): Promise<Through> {
  const send = fetchFrom(serveBackend(near, { authorize: bearerToken(TOKEN), ...serve }));
  const seen: string[] = [];
  let [underWay, most] = [0, 0];
  const fetch: FetchLike = async (url, init) => {
    const { body } = init;
    const part = new Headers(init.headers).get("holdall-part");
    const call = typeof body === "string" ? String(JSON.parse(body).method) : String(init.method);
    const what = part === null ? call : `part ${part}`;
    seen.push(what);
    const size = body instanceof Uint8Array ? body.length : 0;
    underWay += size;
    most = Math.max(most, underWay);
    try {
      return await (fault(what, () => send(url, init)) ?? send(url, init));
    } finally {
      underWay -= size;
    }
  };
  const headers = { authorization: `Bearer ${TOKEN}` };
  const retry = { initialDelayMs: 1 };
  const far = await remoteBackend({ url: URL_OF_TESTS, headers, fetch, retry, ...options });
  closing.push(() => far.close?.());
  seen.length = 0;
  return { far, seen, most: () => most };
}

function memory(): Backend {
  return memoryBackend({ cwd: "/", files: { "/f": "old" } });
}

/** A source of so many bytes in chunks of any size, none of which repeats itself. */
function source(size: number, chunk = 300_007, pulled: (total: number) => void = () => {}): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (at >= size) return controller.close();
        const part = pattern(at, Math.min(chunk, size - at));
        at += part.length;
        pulled(at);
        controller.enqueue(part);
      },
    },
    { highWaterMark: 0 },
  );
}

function pattern(from: number, length: number): Uint8Array {
  const part = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) part[index] = byteAt(from + index);
  return part;
}

async function isPattern({ fs }: Backend, path: string, size: number): Promise<boolean> {
  const { bytes: whole } = await fs.read(path);
  let same = whole.length === size;
  for (let at = 0; at < size && same; at += 1) same = whole[at] === byteAt(at);
  return same;
}

/** Tells bytes apart, also those that are a part away from each other. */
function byteAt(at: number): number {
  return (at * 31 + (at >> 11)) & 0xff;
}

async function contentOf({ fs }: Backend, path: string): Promise<string> {
  return text((await fs.read(path)).bytes);
}

describe("a file that is written from a stream over HTTP", () => {
  test.each([
    ["nothing", 0, ["PUT"]],
    ["less than a part", 2 * MIB - 1, ["PUT"]],
    ["exactly a part", 2 * MIB, ["PUT"]],
    ["a part and a byte", 2 * MIB + 1, ["uploadBegin", "part 0", "part 1", "uploadCommit"]],
    ["three parts", 6 * MIB, ["uploadBegin", "part 0", "part 1", "part 2", "uploadCommit"]],
  ])("goes as it should when it is %s", async (_name, size, requests) => {
    const near = memory();
    const { far, seen } = await through(near);
    const stat = await far.fs.writeStream("/f", source(size));
    expect([
      stat.size,
      stat.version === (await near.fs.stat("/f"))?.version,
      await isPattern(near, "/f", size),
    ]).toEqual([size, true, true]);
    expect(seen).toEqual(requests);
  });

  test("of 64 MiB never takes more than a few parts of memory on its way", async () => {
    const size = 64 * MIB;
    let [pulled, taken, most] = [0, 0, 0];
    const near = backendOf({
      ...memory().fs,
      writeStream: async (_path, stream) => {
        const reader = stream.getReader();
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
          taken += next.value.length;
          // A slow disk: the sender must wait for it.
          if ((taken / MIB) % 8 === 0) await turns(2);
        }
        return { kind: "file", size: taken, modifiedAt: 0, version: "1" };
      },
    });
    const link = await through(near);
    const zeros = new Uint8Array(64 << 10);
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          if (pulled === size) return controller.close();
          pulled += zeros.length;
          most = Math.max(most, pulled - taken);
          controller.enqueue(zeros);
        },
      },
      { highWaterMark: 0 },
    );
    expect((await link.far.fs.writeStream("/f", stream)).size).toBe(size);
    expect([taken, most <= 4 * 2 * MIB, link.most() <= 2 * MIB]).toEqual([size, true, true]);
  });

  test("keeps its condition until the end", async () => {
    const near = memory();
    const { far } = await through(near);
    const { version = "" } = (await near.fs.stat("/f")) ?? {};
    expect(await failure(far.fs.writeStream("/f", source(5 * MIB), { ifVersion: null }))).toMatchObject({
      code: "FS_CONFLICT",
    });
    expect(await failure(far.fs.writeStream("/f", source(5 * MIB), { ifVersion: "other" }))).toMatchObject({
      code: "FS_CONFLICT",
    });
    const changing = source(5 * MIB, MIB, (total) => {
      if (total === 4 * MIB) void near.fs.write("/f", bytes("changed"));
    });
    expect(await failure(far.fs.writeStream("/f", changing, { ifVersion: version }))).toMatchObject({
      code: "FS_CONFLICT",
    });
    expect(await contentOf(near, "/f")).toBe("changed");
    await far.fs.writeStream("/new", source(3 * MIB), { ifVersion: null });
    expect(await isPattern(near, "/new", 3 * MIB)).toBe(true);
  });

  test("leaves the old one when its source fails, or it is given up, and the server lets go of it", async () => {
    const near = memory();
    const aborted: unknown[] = [];
    const { writeStream } = near.fs;
    const fs: FileSystem = {
      ...near.fs,
      writeStream: (path, stream, options) => {
        options?.signal?.addEventListener("abort", () => aborted.push(options.signal?.reason));
        return writeStream(path, stream, options);
      },
    };
    const { far } = await through({ ...near, fs });
    const reason = new Error("the source failed");
    const failing = source(9 * MIB, MIB, (total) => {
      if (total > 5 * MIB) throw reason;
    });
    expect(await failure(far.fs.writeStream("/f", failing))).toBe(reason);
    const controller = new AbortController();
    const enough = new Error("enough");
    const stopped = source(9 * MIB, MIB, (total) => {
      if (total === 5 * MIB) controller.abort(enough);
    });
    expect(await failure(far.fs.writeStream("/f", stopped, { signal: controller.signal }))).toBe(enough);
    const hanging = new ReadableStream<Uint8Array>({});
    const later = new AbortController();
    const waiting = failure(far.fs.writeStream("/f", hanging, { signal: later.signal }));
    later.abort(enough);
    expect(await waiting).toBe(enough);
    await until(() => aborted.length === 2);
    expect([await contentOf(near, "/f"), aborted]).toMatchObject([
      "old",
      [{ code: "BACKEND_GONE" }, { code: "BACKEND_GONE" }],
    ]);
  });

  test("is whole although answers are lost and parts come twice", async () => {
    const near = memory();
    const lost = new Set<string>();
    const { far, seen } = await through(near, (what, answer) => {
      if (lost.has(what)) return undefined;
      lost.add(what);
      return answer().then(() => Promise.reject(new TypeError("the connection was lost")));
    });
    const { version } = await far.fs.writeStream("/f", source(7 * MIB));
    expect([await isPattern(near, "/f", 7 * MIB), (await near.fs.stat("/f"))?.version === version]).toEqual([
      true,
      true,
    ]);
    expect(seen.filter((what) => what === "part 2")).toHaveLength(2);
  });

  test("is whole although parts are cut on their way", async () => {
    const near = memory();
    const cut = new Set<string>();
    const handler = serveBackend(near, { authorize: "none" });
    const fetch: FetchLike = async (url, init) => {
      const part = new Headers(init.headers).get("holdall-part");
      if (part === null || cut.has(part)) return handler(new Request(url, init));
      cut.add(part);
      const half = init.body instanceof Uint8Array ? init.body.slice(0, MIB) : new Uint8Array(0);
      const response = await handler(new Request(url, { ...init, body: half }));
      expect(response.ok).toBe(false);
      throw new TypeError("the connection was cut");
    };
    const far = await remoteBackend({ url: URL_OF_TESTS, fetch, retry: { initialDelayMs: 1 } });
    await far.fs.writeStream("/f", source(7 * MIB));
    expect([cut.size, await isPattern(near, "/f", 7 * MIB)]).toEqual([4, true]);
  });

  test("fails when the server was started anew in the middle of it, and leaves the old one", async () => {
    const near = memory();
    let send = fetchFrom(serveBackend(near, { authorize: "none" }));
    const fetch: FetchLike = (url, init) => {
      if (new Headers(init.headers).get("holdall-part") === "2")
        send = fetchFrom(serveBackend(near, { authorize: "none" }));
      return send(url, init);
    };
    const far = await remoteBackend({ url: URL_OF_TESTS, fetch, retry: { initialDelayMs: 1 } });
    expect(await failure(far.fs.writeStream("/f", source(9 * MIB)))).toMatchObject({ code: "BACKEND_GONE" });
    expect(await contentOf(near, "/f")).toBe("old");
  });

  test("goes whole to a server that wants it so, within the limit of one request", async () => {
    const near = memory();
    const { far, seen } = await through(near, undefined, { limits: { maxUploads: 0 } }, { maxFileBytes: 6 * MIB });
    await far.fs.writeStream("/f", source(5 * MIB));
    expect([await isPattern(near, "/f", 5 * MIB), seen]).toEqual([true, ["uploadBegin", "PUT"]]);
    expect(await failure(far.fs.writeStream("/f", source(7 * MIB)))).toMatchObject({ code: "BACKEND_LIMIT" });
  });

  test("may not be larger than the server allows", async () => {
    const near = memory();
    const { far } = await through(near, undefined, { limits: { maxUploadBytes: 4 * MIB } });
    expect(await failure(far.fs.writeStream("/f", source(5 * MIB)))).toMatchObject({ code: "BACKEND_LIMIT" });
    expect(await contentOf(near, "/f")).toBe("old");
  });

  test("is refused by a server that is read-only", async () => {
    const { far } = await through(memory(), undefined, { readOnly: true });
    expect(await failure(far.fs.writeStream("/f", source(5 * MIB)))).toMatchObject({ code: "FS_READ_ONLY" });
  });
});

describe("a server that takes a file in parts", () => {
  const good = { "holdall-protocol": "1" };
  const send = (handler: (request: Request) => Promise<Response>, method: string, args: object, key = "k") =>
    handler(
      new Request(URL_OF_TESTS, {
        method: "POST",
        headers: { ...good, "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify({ method, args }),
      }),
    );
  const put = (handler: (request: Request) => Promise<Response>, id: string, part: string, body: string) =>
    handler(
      new Request(URL_OF_TESTS, {
        method: "PUT",
        headers: { ...good, "holdall-upload": id, "holdall-part": part },
        body,
      }),
    );
  const codeOf = async (response: Response): Promise<unknown> => {
    const { error } = (await response.json()) as { error?: { code?: unknown } };
    return error?.code;
  };

  test("puts parts that overtake each other in order, and takes each once", async () => {
    const near = memory();
    const handler = serveBackend(near, { authorize: "none" });
    await send(handler, "uploadBegin", { id: "u", path: "/f" });
    const second = put(handler, "u", "1", "b");
    const [one, again] = [put(handler, "u", "0", "a"), put(handler, "u", "0", "a")];
    expect([(await one).status, (await again).status, (await second).status]).toEqual([200, 200, 200]);
    expect((await put(handler, "u", "1", "never looked at")).status).toBe(200);
    await put(handler, "u", "2", "c");
    const commit = { id: "u", parts: 3 };
    const [done, repeated] = [await send(handler, "uploadCommit", commit), await send(handler, "uploadCommit", commit)];
    expect([await done.text(), done.headers.get("etag")]).toEqual([
      await repeated.text(),
      repeated.headers.get("etag"),
    ]);
    expect(await contentOf(near, "/f")).toBe("abc");
  });

  test("refuses what makes no sense, and changes nothing", async () => {
    const near = memory();
    const handler = serveBackend(near, { authorize: "none", limits: { maxUploads: 1 } });
    await send(handler, "uploadBegin", { id: "u", path: "/f" });
    await put(handler, "u", "0", "a");
    const codes = [
      await codeOf(await send(handler, "uploadBegin", { id: "u", path: "/other" })),
      await codeOf(await send(handler, "uploadBegin", { id: "v", path: "/f" })),
      await codeOf(await send(handler, "uploadBegin", { id: "", path: "/f" })),
      await codeOf(await put(handler, "v", "0", "a")),
      await codeOf(await put(handler, "u", "3", "a")),
      await codeOf(await put(handler, "u", "-1", "a")),
      await codeOf(await put(handler, "u", "1", "x".repeat(2 * MIB + 1))),
      await codeOf(await send(handler, "uploadCommit", { id: "u", parts: 2 }, "2")),
      await codeOf(await send(handler, "uploadCommit", { id: "v", parts: 1 }, "3")),
      await codeOf(await send(handler, "uploadCommit", { id: "u" }, "4")),
    ];
    expect(codes).toEqual([
      "BACKEND_PROTOCOL",
      "BACKEND_BUSY",
      "BACKEND_PROTOCOL",
      "BACKEND_GONE",
      "BACKEND_PROTOCOL",
      "BACKEND_PROTOCOL",
      "BACKEND_LIMIT",
      "BACKEND_PROTOCOL",
      "BACKEND_GONE",
      "BACKEND_PROTOCOL",
    ]);
    expect(await contentOf(near, "/f")).toBe("old");
    await send(handler, "uploadAbandon", { id: "u" });
    expect((await send(handler, "uploadBegin", { id: "v", path: "/f" })).status).toBe(200);
  });

  test("lets go of one of which nothing comes any more", async () => {
    const near = memory();
    const given = deferred<unknown>();
    const { writeStream } = near.fs;
    const fs: FileSystem = {
      ...near.fs,
      writeStream: (path, stream, options) => {
        options?.signal?.addEventListener("abort", () => given.resolve(options.signal?.reason));
        return writeStream(path, stream, options);
      },
    };
    const timers = manualTimers();
    const handler = serveBackend({ ...near, fs }, { authorize: "none", timers });
    await send(handler, "uploadBegin", { id: "u", path: "/f" });
    timers.pass(299_999);
    await put(handler, "u", "0", "a");
    timers.pass(299_999);
    expect((await put(handler, "u", "1", "b")).status).toBe(200);
    timers.pass(300_000);
    expect(await given.promise).toMatchObject({ code: "BACKEND_GONE" });
    expect([await codeOf(await put(handler, "u", "2", "c")), await contentOf(near, "/f")]).toEqual([
      "BACKEND_GONE",
      "old",
    ]);
  });
});
