// In browsers a page cannot choose the origin of a request, not even of one that it makes up.
import type { Backend } from "holdall";
import { memoryBackend } from "holdall/memory";
import { bearerToken, type ServeBackendOptions, serveBackend } from "holdall/worker";
import { describe, expect, test } from "vitest";
import { TOKEN, URL_OF_TESTS } from "./remote-support.ts";

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

describe("pages of other origins", () => {
  const cors = { origins: ["https://app.example"], credentials: true };
  const preflight = (origin: string): RequestInit => ({
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "PUT", "access-control-request-headers": "holdall-path" },
  });

  test("are told what they may send, before anybody is asked for a token", async () => {
    const { status, headers } = await send(preflight("https://app.example"), { cors });
    expect([
      status,
      headers.get("access-control-allow-origin"),
      headers.get("access-control-allow-credentials"),
    ]).toEqual([204, "https://app.example", "true"]);
    expect(headers.get("access-control-allow-headers")).toContain("holdall-path");
    expect(headers.get("access-control-allow-methods")).toBe("GET, PUT, POST");
    expect(headers.get("vary")).toBe("origin");
  });

  test.each(["https://evil.example", "http://app.example", "https://app.example.evil", "null"])(
    "of %s are let in neither by the first question nor by a request",
    async (origin) => {
      const asked = await send(preflight(origin), { cors });
      const sent = await send(call("stat", { path: "/a.txt" }, { origin }), { cors });
      expect([
        asked.headers.get("access-control-allow-origin"),
        sent.headers.get("access-control-allow-origin"),
        sent.status,
      ]).toEqual([null, null, 403]);
    },
  );

  test("may read what a response says about itself", async () => {
    const { headers, status } = await send(call("stat", { path: "/a.txt" }, { origin: "https://app.example" }), {
      cors,
    });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "https://app.example"]);
    expect(headers.get("access-control-expose-headers")).toContain("etag");
  });

  test("hear of a refused token, so that they can say why they fail", async () => {
    const init = call("stat", { path: "/a.txt" }, { origin: "https://app.example", authorization: "Bearer wrong" });
    const { headers, status } = await send(init, { cors });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([401, "https://app.example"]);
  });

  test("need not be named when they are of the server's own origin", async () => {
    expect((await send(call("stat", { path: "/a.txt" }, { origin: new URL(URL_OF_TESTS).origin }))).status).toBe(200);
  });
});
