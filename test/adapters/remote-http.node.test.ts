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
import { afterEach, describe, expect, test } from "vitest";
import { nodeListener } from "../../adapters/worker/node-http.ts";
import { TOKEN } from "./remote-support.ts";
import { backendOf, bytes, deferred, failure, requireShell, shellBackend } from "./worker-support.ts";

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
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
): Promise<{ far: Backend; url: string; server: Server; errors: unknown[] }> {
  const errors: unknown[] = [];
  const handler = serveBackend(backend, { authorize: bearerToken(TOKEN), ...serve });
  const { url, server } = await listen(nodeListener(handler, (error) => errors.push(error)));
  const far = await remoteBackend({ url, headers: { authorization: `Bearer ${TOKEN}` }, ...options });
  closing.push(() => far.close?.());
  return { far, url, server, errors };
}

describe("a file system through a real connection", () => {
  const cases = fileSystemContract({
    create: async () => (await through(backendOf(memoryFileSystem()))).far.fs,
    can: { symlinks: true, watch: true },
  });
  for (const { name, run } of cases) test(name, run);
});

describe("a shell through a real connection", () => {
  const cases = shellContract({
    create: async () => {
      const near = shellBackend();
      closing.push(() => near.close?.());
      return requireShell((await through(near)).far);
    },
    can: { abortBusyLoop: true, ordered: true },
  });
  for (const { name, run } of cases) test(name, run, 60_000);
});

describe("a connection that is cut", () => {
  test("in the middle of a command fails it with BACKEND_GONE, and ends it on the server", async () => {
    const ended = deferred<unknown>();
    const near: Backend = {
      ...backendOf(memoryFileSystem()),
      shell: {
        run: (_command, options) => {
          const exit = new Promise<never>((_, reject) => {
            options?.signal?.addEventListener("abort", () => {
              ended.resolve(options.signal?.reason);
              reject(options.signal?.reason);
            });
          });
          return {
            exit,
            async *[Symbol.asyncIterator]() {
              yield { stream: "stdout" as const, text: "begun" };
              await exit.catch(() => {});
            },
          };
        },
      },
    };
    const { far, server } = await through(near);
    const running = far.shell?.run("x");
    for await (const _piece of running ?? []) {
      server.closeAllConnections();
      break;
    }
    expect(await failure(running?.exit)).toMatchObject({ code: "BACKEND_GONE" });
    expect(await ended.promise).toMatchObject({ code: "BACKEND_GONE" });
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
