/** A server whose client is hostile: what it sends is raw, and the server has a real directory behind it. */
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Backend } from "holdall";
import { nodeBackend } from "holdall/node";
import { bearerToken, remoteBackend, serveBackend } from "holdall/worker";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeListener } from "../../adapters/worker/node-http.ts";
import { forLocalNames } from "../../adapters/worker/serve-command.ts";
import { TOKEN } from "./remote-support.ts";

let folder: string;
let root: string;
let backend: Backend;
let server: Server;
let port: number;
const errors: unknown[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdall-hostile-"));
  root = join(folder, "root");
  await mkdir(root);
  await writeFile(join(folder, "secret"), "nobody's business");
  await writeFile(join(root, "a.txt"), "abcdef");
  await symlink(join(folder, "secret"), join(root, "way-out"));
  await symlink(folder, join(root, "way-up"));
  backend = nodeBackend({ root });
  const handler = forLocalNames(serveBackend(backend, { authorize: bearerToken(TOKEN) }));
  server = createServer(
    { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 },
    nodeListener(handler, (error) => errors.push(error)),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await backend.close?.();
  await rm(folder, { recursive: true });
});

/** Sends text as it is, and gives all that comes until the connection is closed. */
async function raw(text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  let answer = "";
  socket.on("data", (chunk) => {
    answer += String(chunk);
  });
  socket.write(text);
  await once(socket, "close");
  return answer;
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

const GOOD = [`host: localhost`, `authorization: Bearer ${TOKEN}`, "holdall-protocol: 1", "connection: close"];

function request(line: string, headers: readonly string[], body = ""): string {
  return `${[`${line} HTTP/1.1`, ...headers].join("\r\n")}\r\n\r\n${body}`;
}

function get(...headers: string[]): string {
  return request("GET /", [...GOOD, ...headers]);
}

function post(body: string, ...headers: string[]): string {
  const length = `content-length: ${new TextEncoder().encode(body).length}`;
  return request("POST /", [...GOOD, "content-type: application/json", length, ...headers], body);
}

describe("a request that says two things at once", () => {
  test.each([
    ["two tokens", get(`authorization: Bearer ${TOKEN}`, "holdall-path: /a"), 400],
    ["a wrong token before the right one", get("authorization: Bearer wrong", "holdall-path: /a"), 400],
    ["two paths", get("holdall-path: /a", "Holdall-Path: /b"), 400],
    ["two conditions", get("holdall-path: /a", 'if-match: "1"', 'if-match: "2"'), 400],
    ["two hosts", get("host: evil.example", "holdall-path: /a"), 400],
    ["two lengths", post("{}", "content-length: 3"), 400],
    ["a length and chunks", post("{}", "transfer-encoding: chunked"), 400],
    ["a header over two lines", get("holdall-path: /a\r\n /b"), 400],
    ["a header with a bare line feed", get("holdall-path: /a\nauthorization: x"), 400],
  ])("is refused: %s", async (_name, text, status) => {
    expect(statusOf(await raw(text))).toBe(status);
  });

  test("cannot hide a second request in its body", async () => {
    const hidden = request("GET /", [...GOOD, "holdall-path: /a.txt"]);
    const answer = await raw(
      request("POST /", [...GOOD, "content-type: application/json", `content-length: ${hidden.length}`], hidden),
    );
    expect([answer.match(/HTTP\/1\.1/g)?.length, statusOf(answer)]).toEqual([1, 400]);
  });
});

describe("a request under another name", () => {
  const evil = GOOD.map((line) => line.replace("localhost", "evil.example"));
  test.each([
    ["in its host", request("GET /", evil), 421],
    ["behind two slashes", request("GET //localhost/", evil), 421],
    ["behind a backslash", request("GET /\\localhost/", evil), 421],
    ["in a whole address", request("GET http://localhost/", evil), 400],
    ["in a whole address, the other way round", request("GET http://evil.example/", GOOD), 400],
    ["with a name before it", request("GET /", [...GOOD.slice(1), "host: localhost@evil.example"]), 400],
    ["with a path in it", request("GET /", [...GOOD.slice(1), "host: localhost/evil"]), 400],
    ["that begins like this machine's", request("GET /", [...GOOD.slice(1), "host: localhost.evil.example"]), 421],
    ["that begins like an address of it", request("GET /", [...GOOD.slice(1), "host: 127.0.0.1.evil.example"]), 421],
    ["that is empty", request("GET /", [...GOOD.slice(1), "host: "]), 400],
  ])("does not get in: %s", async (_name, text, status) => {
    expect(statusOf(await raw(text))).toBe(status);
  });

  test.each(["localhost", "localhost:80", "127.0.0.1", "127.8.8.8:1", "[::1]", "[::1]:80", "LOCALHOST"])(
    "gets in as %s",
    async (host) => {
      const answer = await raw(request("GET /", [...GOOD.slice(1), `host: ${host}`, "holdall-path: /a"]));
      expect(statusOf(answer)).not.toBe(421);
      expect(answer).toContain("FS_OUTSIDE_ROOT");
    },
  );
});

describe("a request that is no call", () => {
  const deep = 2_000_000;
  test.each([
    [
      "nobody's",
      request(
        "GET /",
        GOOD.filter((line) => !line.startsWith("authorization")),
      ),
      401,
    ],
    ["an empty token", request("GET /", [...GOOD.filter((line) => !/^auth/.test(line)), "authorization: "]), 401],
    [
      "a scheme alone",
      request("GET /", [...GOOD.filter((line) => !/^auth/.test(line)), "authorization: Bearer "]),
      401,
    ],
    ["another method that is asked for on the side", post("{}", "x-http-method-override: GET"), 400],
    [
      "a form",
      request("POST /", [...GOOD, "content-type: application/x-www-form-urlencoded", "content-length: 0"]),
      400,
    ],
    ["almost JSON", request("POST /", [...GOOD, "content-type: application/jsonp", "content-length: 0"]), 400],
    ["no type", request("POST /", [...GOOD, "content-length: 0"]), 400],
    ["a HEAD", request("HEAD /", [...GOOD, "holdall-path: /a"]), 405],
    ["a DELETE", request("DELETE /", GOOD), 405],
    ["a PATCH", request("PATCH /", [...GOOD, "content-length: 0"]), 405],
    ["deep JSON", post(`${"[".repeat(deep)}${"]".repeat(deep)}`), 400],
    ["deep arguments", post(`{"method":"stat","args":${'{"a":'.repeat(deep)}1${"}".repeat(deep)}}`), 400],
    ["a prototype as call", post('{"__proto__":{"method":"hello","args":{"protocol":1}}}'), 400],
    ["a prototype as arguments", post('{"method":"stat","args":{"__proto__":{"path":"/"}}}'), 400],
    ["a constructor", post('{"method":"constructor","args":{}}'), 400],
    ["a number as path", post('{"method":"stat","args":{"path":1}}'), 400],
    ["more than a call may have", post(`{"method":"stat","args":{"path":"${"x".repeat(17_000)}"}}`), 413],
    [
      "more than it says",
      request("POST /", [...GOOD, "content-type: application/json", "content-length: 99999999"]),
      413,
    ],
    ["a head without end", get(`holdall-path: /${"x".repeat(20_000)}`), 431],
    ["a backward range", get("holdall-path: /a", "range: bytes=5-2"), 400],
    ["several ranges", get("holdall-path: /a", "range: bytes=0-1,3-4"), 400],
    ["a range from the end", get("holdall-path: /a", "range: bytes=-1"), 400],
    ["a range of huge numbers", get("holdall-path: /a", `range: bytes=${"9".repeat(40)}-`), 400],
  ])("is refused, and the server goes on: %s", async (_name, text, status) => {
    expect(statusOf(await raw(text))).toBe(status);
    expect([Reflect.get({}, "method"), errors]).toEqual([undefined, []]);
  });

  test.each([
    ["a list of tags", '"1", "2"'],
    ["a weak tag", 'W/"1"'],
    ["any tag", "*"],
    ["a tag without marks", "1"],
    ["a tag that is not encoded", '"%zz"'],
  ])("writes nothing on the condition of %s", async (_name, tag) => {
    const path = encodeURI(join(root, "a.txt"));
    const headers = [...GOOD, `holdall-path: ${path}`, `if-match: ${tag}`, "content-length: 1"];
    expect(statusOf(await raw(request("PUT /", headers, "x")))).toBe(400);
    expect(await readFile(join(root, "a.txt"), "utf8")).toBe("abcdef");
  });
});

describe("a client that is slow", () => {
  test.each([
    ["with its head", "GET / HTTP/1.1\r\nhost: localhost\r\n"],
    ["with its body", request("POST /", [...GOOD, "content-type: application/json", "content-length: 100"], "{")],
  ])("is cut off: %s", async (_name, text) => {
    expect(await raw(text)).not.toContain("200 OK");
  });

  test("and unknown is told so, and not waited for", async () => {
    const headers = ["host: localhost", "holdall-protocol: 1", "content-length: 1000000000"];
    expect(statusOf(await raw(request("PUT /", headers, "x")))).toBe(401);
  });
});

describe("a path that leads out of the root", () => {
  const outside = (): string[] => [
    join(folder, "secret"),
    "/etc/passwd",
    `${root}/../secret`,
    `${root}/way-out`,
    `${root}/way-up/secret`,
  ];

  test("is refused in every field of every call, and nothing outside is read, changed or told", async () => {
    const far = await remoteBackend({
      url: `http://127.0.0.1:${port}/`,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const { fs } = far;
    const drain = async (items: AsyncIterable<unknown>): Promise<unknown[]> => {
      const all: unknown[] = [];
      for await (const item of items) all.push(item);
      return all;
    };
    const large = (): ReadableStream<Uint8Array> => new Blob([new Uint8Array(3 << 20)]).stream();
    const inside = `${root}/a.txt`;
    for (const path of outside()) {
      const calls: Record<string, () => Promise<unknown>> = {
        read: () => fs.read(path),
        readStream: () => new Response(fs.readStream(path)).text(),
        write: () => fs.write(path, new Uint8Array(1)),
        writeStream: () => fs.writeStream(path, large()),
        list: () => drain(fs.list(path)),
        walk: () => drain(fs.walk(path)),
        makeDirectory: () => fs.makeDirectory(`${path}/new`),
        "rename from": () => fs.rename(`${path}/x`, `${root}/stolen`),
        "rename to": () => fs.rename(inside, `${path}/x`),
        symlink: async () => fs.symlink?.(inside, `${path}/x`),
        realpath: () => fs.realpath(path),
        "remove below": () => fs.remove(`${path}/x`),
      };
      for (const [name, call] of Object.entries(calls)) {
        const outcome = await call().then(
          (value) => `${name} of ${path} gave ${JSON.stringify(value)}`,
          (error: { code: string }) => error.code,
        );
        expect(outcome).toMatch(/^FS_(OUTSIDE_ROOT|NOT_FOUND|NOT_DIRECTORY|INVALID_PATH|UNSUPPORTED)$/);
      }
      const found = [
        await fs.glob({ pattern: "../**/secret", path: root }).catch(() => undefined),
        await fs.glob({ pattern: "*", path }).catch(() => undefined),
        await fs.grep({ pattern: "business", path }).catch(() => undefined),
        await fs.grep({ pattern: "business", path: root, glob: "../*" }).catch(() => undefined),
      ];
      expect(JSON.stringify(found)).not.toContain("secret");
    }
    await far.close?.();
    expect([
      await readFile(join(folder, "secret"), "utf8"),
      (await readdir(folder)).sort(),
      (await readdir(root)).sort(),
    ]).toEqual(["nobody's business", ["root", "secret"], ["a.txt", "way-out", "way-up"]]);
  });
});

describe("a client of this package", () => {
  test("listens to a signal once, however many calls share it", async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error): void => void warnings.push(warning);
    process.on("warning", hear);
    const far = await remoteBackend({
      url: `http://127.0.0.1:${port}/`,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const { signal } = new AbortController();
    const calls = Array.from({ length: 30 }, () => [
      far.fs.read(`${root}/a.txt`, { signal }),
      far.fs.realpath(root, { signal }),
      far.fs.read(`${root}/a.txt`),
    ]);
    await Promise.all(calls.flat());
    await far.close?.();
    // A warning comes a turn later.
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off("warning", hear);
    expect(warnings).toEqual([]);
  });
});
