import { type Backend, HoldallError } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { bearerToken, type ServeBackendOptions, serveBackend } from "holdall/worker";
import { describe, expect, test } from "vitest";
import { TOKEN, URL_OF_TESTS } from "./remote-support.ts";
import { backendOf, shellBackend, text } from "./worker-support.ts";

const good = { authorization: `Bearer ${TOKEN}`, "holdall-protocol": "1" };

function ground(): Backend {
  return memoryBackend({ cwd: "/", files: { "/a.txt": "abcdef", "/empty": "" } });
}

/** Sends one request as it is. */
async function send(init: RequestInit, options: Partial<ServeBackendOptions> = {}, backend = ground()) {
  const handler = serveBackend(backend, { authorize: bearerToken(TOKEN), ...options });
  return handler(new Request(URL_OF_TESTS, init));
}

function call(method: string, args: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { ...good, "content-type": "application/json", ...headers },
    body: JSON.stringify({ method, args }),
  };
}

async function codeOf(response: Response): Promise<unknown> {
  const { error } = (await response.json()) as { error?: { code?: unknown } };
  return error?.code;
}

describe("serveBackend", () => {
  test.each([
    ["nobody to ask", {}],
    ["an authorisation that is none", { authorize: true }],
    ["any origin with credentials", { authorize: () => true, cors: { origins: ["*"], credentials: true } }],
    ["any origin without authorisation", { authorize: "none", cors: { origins: ["*"] } }],
    ["an origin with a path", { authorize: () => true, cors: { origins: ["https://app.example/x"] } }],
    ["an origin that is none", { authorize: () => true, cors: { origins: ["app.example"] } }],
  ])("refuses to be made with %s", (_name, options) => {
    expect(() => serveBackend(ground(), options as ServeBackendOptions)).toThrow(/^SERVE_OPTION: /);
  });

  test("lets everybody in when that is stated", async () => {
    const { authorization: _, ...headers } = good;
    const response = await send(
      { ...call("stat", { path: "/a.txt" }), headers: { ...headers, "content-type": "application/json" } },
      {
        authorize: "none",
      },
    );
    expect(response.status).toBe(200);
  });

  test.each([
    ["no token", {}],
    ["a wrong token", { authorization: "Bearer another-token-0123456789" }],
    ["the beginning of the token", { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ["the token and more", { authorization: `Bearer ${TOKEN}x` }],
    ["another scheme", { authorization: `Basic ${TOKEN}` }],
    ["two tokens", { authorization: `Bearer ${TOKEN} ${TOKEN}` }],
  ])("does not let in who brings %s", async (_name, headers) => {
    const response = await send({
      ...call("stat", { path: "/" }),
      headers: { "holdall-protocol": "1", ...headers } as HeadersInit,
    });
    expect([response.status, response.headers.get("www-authenticate"), await codeOf(response)]).toEqual([
      401,
      "Bearer",
      "BACKEND_UNAUTHORIZED",
    ]);
  });

  test("lets nobody in when the authorisation fails, and tells its maker alone", async () => {
    const failure = new Error("the directory of users is down");
    const heard: unknown[] = [];
    const authorize = (): boolean => {
      throw failure;
    };
    const response = await send(call("stat", { path: "/" }), { authorize, onError: (error) => heard.push(error) });
    expect([response.status, (await response.text()).includes("users"), heard]).toEqual([401, false, [failure]]);
  });

  test("takes any of several tokens", async () => {
    const authorize = bearerToken(["another-token-0123456789", TOKEN]);
    expect((await send(call("stat", { path: "/" }), { authorize })).status).toBe(200);
    for (const wrong of ["short", "", [], "with white space 0123456789"])
      expect(() => bearerToken(wrong)).toThrow(/^SERVE_OPTION: /);
  });

  test("reads a range, with the version as a tag", async () => {
    const backend = ground();
    const stat = await backend.fs.stat("/a.txt");
    const get = (headers: Record<string, string>): Promise<Response> =>
      send({ headers: { ...good, ...headers } }, {}, backend);
    const part = await get({ "holdall-path": "/a.txt", range: "bytes=1-3" });
    expect([part.status, part.headers.get("content-range"), part.headers.get("etag"), await part.text()]).toEqual([
      206,
      "bytes 1-3/*",
      `"${stat?.version}"`,
      "bcd",
    ]);
    expect(await (await get({ "holdall-path": "/a.txt" })).text()).toBe("abcdef");
    expect((await get({ "holdall-path": "/a.txt", range: "bytes=6-" })).status).toBe(416);
    expect((await get({ "holdall-path": "/empty" })).status).toBe(416);
    expect((await get({ "holdall-path": "/none" })).status).toBe(404);
    for (const range of ["bytes=3-1", "bytes=-3", "bytes=0-1,3-4", "lines=1-2", "bytes=a-b"])
      expect([range, (await get({ "holdall-path": "/a.txt", range })).status]).toEqual([range, 400]);
  });

  test("writes on the condition that a tag names", async () => {
    const backend = ground();
    const put = (body: string, headers: Record<string, string>): Promise<Response> =>
      send({ method: "PUT", body, headers: { ...good, "holdall-path": "/b%20%C3%A9", ...headers } }, {}, backend);
    const made = await put("one", { "if-none-match": "*" });
    const tag = made.headers.get("etag") ?? "";
    expect([
      made.status,
      (await put("two", { "if-none-match": "*" })).status,
      (await put("three", { "if-match": '"other"' })).status,
      (await put("four", { "if-match": tag })).status,
      (await put("five", { "if-match": tag })).status,
      (await put("six", { "if-match": tag, "if-none-match": "*" })).status,
      (await put("seven", { "if-match": "*" })).status,
      text((await backend.fs.read("/b é")).bytes),
    ]).toEqual([200, 412, 412, 200, 412, 400, 400, "four"]);
  });

  test("writes nothing of a body that is shorter or longer than was said", async () => {
    for (const size of ["2", "4", "x", "-1"]) {
      const backend = ground();
      const response = await send(
        { method: "PUT", body: "abc", headers: { ...good, "holdall-path": "/new", "holdall-size": size } },
        {},
        backend,
      );
      expect([size, response.ok, await backend.fs.stat("/new")]).toEqual([size, false, undefined]);
    }
  });

  test.each([
    ["a method that means nothing", { method: "DELETE", headers: good }, 405, "BACKEND_METHOD"],
    ["no protocol", { headers: { authorization: good.authorization } }, 400, "BACKEND_PROTOCOL"],
    ["another protocol", { headers: { ...good, "holdall-protocol": "2" } }, 400, "BACKEND_PROTOCOL"],
    ["a GET without a path", { headers: good }, 400, "BACKEND_PROTOCOL"],
    ["a path that is not encoded", { headers: { ...good, "holdall-path": "/%zz" } }, 400, "BACKEND_PROTOCOL"],
    ["a relative path", { headers: { ...good, "holdall-path": "a.txt" } }, 400, "FS_INVALID_PATH"],
    ["a path with a NUL", { headers: { ...good, "holdall-path": "/a%00" } }, 400, "FS_INVALID_PATH"],
    [
      "a call that is a form",
      { ...call("stat", { path: "/" }, { "content-type": "text/plain" }) },
      400,
      "BACKEND_PROTOCOL",
    ],
    ["a call that is not JSON", { ...call("stat", {}), body: "{" }, 400, "BACKEND_PROTOCOL"],
    ["a call that is a list", { ...call("stat", {}), body: "[]" }, 400, "BACKEND_PROTOCOL"],
    ["a call that is null", { ...call("stat", {}), body: "null" }, 400, "BACKEND_PROTOCOL"],
    ["bytes that are no text", { ...call("stat", {}), body: new Uint8Array([255, 254]) }, 400, "BACKEND_PROTOCOL"],
    ["a call that does not exist", call("constructor", {}), 400, "BACKEND_PROTOCOL"],
    ["a write as JSON", call("write", { path: "/x", bytes: [1] }), 400, "BACKEND_PROTOCOL"],
    ["an upload as JSON", call("writeStream", { path: "/x" }), 400, "BACKEND_PROTOCOL"],
    ["arguments of the wrong kind", call("rename", { from: "/a.txt" }), 400, "BACKEND_PROTOCOL"],
    [
      "a key that is too long",
      call("remove", { path: "/a.txt" }, { "idempotency-key": "k".repeat(101) }),
      400,
      "BACKEND_PROTOCOL",
    ],
    [
      "a file over the limit",
      { method: "PUT", body: "x".repeat(200), headers: { ...good, "holdall-path": "/x" } },
      413,
      "BACKEND_LIMIT",
    ],
    ["a call over the limit", call("stat", { path: `/${"x".repeat(2000)}` }), 413, "BACKEND_LIMIT"],
    ["a read over the limit", { headers: { ...good, "holdall-path": "/big" } }, 413, "BACKEND_LIMIT"],
  ])("refuses %s", async (_name, init, status, code) => {
    const backend = memoryBackend({ cwd: "/", files: { "/a.txt": "abcdef", "/big": "x".repeat(101) } });
    const response = await send(init as RequestInit, { limits: { maxFileBytes: 100, maxCallBytes: 1000 } }, backend);
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
    expect(text((await backend.fs.read("/a.txt")).bytes)).toBe("abcdef");
  });

  test("does not leave the root, however a path is written", async () => {
    for (const path of ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/a.txt/../../etc/passwd"]) {
      const response = await send({ headers: { ...good, "holdall-path": path } });
      expect([path, response.status]).toEqual([path, 404]);
    }
  });

  test("tells nothing of what failed inside it", async () => {
    const backend = backendOf({
      ...memoryFileSystem(),
      stat: () => Promise.reject(new TypeError("secret of the host")),
      read: () =>
        Promise.reject(new HoldallError("FS_IO", "the host failed. Try again.", { cause: new Error("secret") })),
    });
    const one = await send(call("stat", { path: "/a" }), {}, backend);
    const other = await send({ headers: { ...good, "holdall-path": "/a" } }, {}, backend);
    expect([
      one.status,
      (await one.text()).includes("secret"),
      other.status,
      (await other.text()).includes("secret"),
    ]).toEqual([500, false, 500, false]);
  });

  test("answers no more calls at once than it may", async () => {
    const handler = serveBackend(backendOf({ ...memoryFileSystem(), stat: () => new Promise(() => {}) }), {
      authorize: "none",
      limits: { maxCalls: 1 },
    });
    void handler(new Request(URL_OF_TESTS, call("stat", { path: "/" })));
    const response = await handler(new Request(URL_OF_TESTS, call("stat", { path: "/" })));
    expect([response.status, response.headers.get("retry-after"), await codeOf(response)]).toEqual([
      503,
      "1",
      "BACKEND_BUSY",
    ]);
  });

  test("takes new calls once a stream has been read or left", async () => {
    const handler = serveBackend(ground(), { authorize: "none", limits: { maxCalls: 1 } });
    const list = (): Promise<Response> => handler(new Request(URL_OF_TESTS, call("list", { path: "/" })));
    expect(await (await list()).text()).toContain("event: batch");
    await (await list()).body?.cancel();
    expect((await list()).status).toBe(200);
  });

  test("ends what is under way when it is stopped", async () => {
    const stop = new AbortController();
    const handler = serveBackend(shellBackend(), { authorize: "none", signal: stop.signal });
    const response = await handler(
      new Request(URL_OF_TESTS, call("run", { command: "echo a; sleep 60", session: "s" })),
    );
    const reading = response.text();
    stop.abort(new HoldallError("BACKEND_GONE", "the server has stopped. Call again."));
    expect(await reading).toContain('event: failed\ndata: {"code":"BACKEND_GONE"');
    expect((await handler(new Request(URL_OF_TESTS, call("stat", { path: "/" })))).status).toBe(503);
  }, 30_000);
});
