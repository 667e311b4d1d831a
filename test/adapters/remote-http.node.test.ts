import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Backend } from "holdall";
import { memoryFileSystem } from "holdall/memory";
import { fileSystemContract, shellContract } from "holdall/testing";
import {
  bearerToken,
  type RemoteBackendOptions,
  remoteBackend,
  type ServeBackendOptions,
  serveBackend,
} from "holdall/worker";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { nodeListener } from "../../adapters/worker/node-http.ts";
import { commandBackend, TOKEN } from "./remote-support.ts";
import { backendOf, bytes, deferred, failure, requireShell, shellBackend } from "./worker-support.ts";

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(listener: RequestListener, atEnd = closing): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/** Puts a real server and a real connection between a backend and its user. */
async function through(
  backend: Backend,
  serve: Partial<ServeBackendOptions> = {},
  options: Partial<RemoteBackendOptions> = {},
  atEnd = closing,
): Promise<{ far: Backend; url: string; server: Server; errors: unknown[] }> {
  const errors: unknown[] = [];
  const handler = serveBackend(backend, { authorize: bearerToken(TOKEN), ...serve });
  const { url, server } = await listen(
    nodeListener(handler, (error) => errors.push(error)),
    atEnd,
  );
  const far = await remoteBackend({ url, headers: { authorization: `Bearer ${TOKEN}` }, ...options });
  atEnd.push(() => far.close?.());
  return { far, url, server, errors };
}

/** What the contracts open is closed when all of them have run: they do so side by side. */
const opened: (() => unknown)[] = [];

afterAll(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

describe("a file system through a real connection", () => {
  const cases = fileSystemContract({
    create: async () => (await through(backendOf(memoryFileSystem()), {}, {}, opened)).far.fs,
    can: { symlinks: true, watch: true },
  });
  for (const { name, run } of cases) test.concurrent(name, run);
});

describe("a shell through a real connection", () => {
  const cases = shellContract({
    create: async () => {
      const near = shellBackend();
      opened.push(() => near.close?.());
      return requireShell((await through(near, {}, {}, opened)).far);
    },
    can: { abortBusyLoop: true, ordered: true },
  });
  for (const { name, run } of cases) test(name, run, 60_000);
});

describe("a connection that is cut", () => {
  test("in the middle of a command is made again, and nothing of the output is lost or comes twice", async () => {
    const goOn = deferred();
    let runs = 0;
    const near = commandBackend(async function* () {
      runs += 1;
      yield "begun ";
      await goOn.promise;
      yield "and ended";
    });
    const { far, server } = await through(near, {}, { retry: { initialDelayMs: 1 } });
    const running = far.shell?.run("x");
    let printed = "";
    for await (const { text } of running ?? []) {
      printed += text;
      if (printed !== "begun ") continue;
      server.closeAllConnections();
      goOn.resolve();
    }
    expect([printed, (await running?.exit)?.code, runs]).toEqual(["begun and ended", 0, 1]);
  });

  test("in the middle of an upload leaves the old file", async () => {
    const fs = memoryFileSystem({ files: { "/f": "old" } });
    const { url } = await through(backendOf(fs));
    for (const head of [
      "content-length: 10",
      "transfer-encoding: chunked",
      "transfer-encoding: chunked\r\nholdall-size: 10",
    ]) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      await once(socket, "connect");
      socket.write(
        `PUT / HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${TOKEN}\r\nholdall-protocol: 1\r\nholdall-path: /f\r\n${head}\r\n\r\n`,
      );
      socket.write(head.startsWith("content") ? "half" : "4\r\nhalf\r\n");
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.destroy();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(new TextDecoder().decode((await fs.read("/f")).bytes)).toBe("old");
    }
  });

  test("by a server that answers half of it is never a part taken for the whole", async () => {
    const { url } = await listen((_request, response) => {
      response.writeHead(206, {
        "holdall-protocol": "1",
        etag: '"1"',
        "content-range": "bytes 0-9/*",
        "content-length": "10",
      });
      response.write("half");
      setTimeout(() => response.destroy(), 5);
    });
    const far = remoteBackend({ url, fetch: greeting(fetch) });
    expect(await failure((await far).fs.read("/a"))).toMatchObject({ code: "BACKEND_GONE" });
  });
});

/** Answers the greeting itself. */
function greeting(send: typeof fetch): NonNullable<RemoteBackendOptions["fetch"]> {
  const facts = {
    protocol: 1,
    name: "x",
    os: "posix",
    cwd: "/",
    readOnly: false,
    shell: false,
    symlink: false,
    readLink: false,
    watch: false,
  };
  return async (url, init) =>
    typeof init.body === "string" && init.body.includes('"hello"')
      ? Response.json({ value: facts }, { headers: { "holdall-protocol": "1" } })
      : send(url, init);
}

describe("a server of Node", () => {
  test("refuses a body over its limit without reading it all, and says so", async () => {
    const { far } = await through(backendOf(memoryFileSystem()), { limits: { maxFileBytes: 1000 } });
    expect(await failure(far.fs.write("/a", new Uint8Array(5_000_000)))).toMatchObject({ code: "BACKEND_LIMIT" });
    await far.fs.write("/a", bytes("small"));
  });

  test("sends no more of a stream than its reader takes", async () => {
    let pulled = 0;
    const near = backendOf({
      ...memoryFileSystem(),
      readStream: () =>
        new ReadableStream<Uint8Array>(
          {
            pull: (controller) => {
              pulled += 1;
              controller.enqueue(new Uint8Array(1 << 20));
            },
          },
          { highWaterMark: 0 },
        ),
    });
    const { far } = await through(near);
    const reader = far.fs.readStream("/a").getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(pulled).toBeLessThan(64);
    await reader.cancel();
  });

  test("takes a stream of 64 MiB, and holds no more of it than a few parts", async () => {
    let [pulled, taken, most] = [0, 0, 0];
    const near = backendOf({
      ...memoryFileSystem(),
      writeStream: async (_path, stream) => {
        const reader = stream.getReader();
        for (let next = await reader.read(); !next.done; next = await reader.read()) taken += next.value.length;
        return { kind: "file", size: taken, modifiedAt: 0, version: "1" };
      },
    });
    const { far } = await through(near);
    const chunk = new Uint8Array(256 << 10);
    const source = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          if (pulled === 64 << 20) return controller.close();
          pulled += chunk.length;
          most = Math.max(most, pulled - taken);
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    expect((await far.fs.writeStream("/f", source)).size).toBe(64 << 20);
    expect(most).toBeLessThanOrEqual(6 << 20);
  });

  test("survives requests that are no requests", async () => {
    const { url, far } = await through(backendOf(memoryFileSystem()));
    for (const text of [
      "\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "TRACE / HTTP/1.1\r\nhost: x\r\n\r\n",
      "GET //\\ HTTP/1.1\r\nhost: [\r\n\r\n",
    ]) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      await once(socket, "connect");
      socket.end(text);
      socket.resume();
      await once(socket, "close");
    }
    expect((await far.fs.stat("/"))?.kind).toBe("directory");
  });
});
