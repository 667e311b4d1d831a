import type { Backend, ShellRun } from "holdall";
import { bearerToken, type FetchLike, type RemoteBackendOptions, remoteBackend, serveBackend } from "holdall/worker";
import { afterEach, describe, expect, test } from "vitest";
import { forAll } from "../unit/property.ts";
import { type Command, commandBackend, fetchFrom, TOKEN, URL_OF_TESTS } from "./remote-support.ts";
import { deferred, failure, manualTimers, turns, until } from "./worker-support.ts";

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** What a network does to an answer of a command; undefined leaves it alone. */
type Fault = (whole: Uint8Array, connection: number, headers: Headers) => Uint8Array | undefined;

const soon: NonNullable<RemoteBackendOptions["timers"]> = {
  set: (callback, milliseconds) => {
    if (milliseconds < 10_000) queueMicrotask(callback);
    return 0;
  },
  clear: () => {},
};

/** Puts a server and a network with faults between a command and its user; cut answers end with an error of the host. */
async function through(
  command: Command,
  fault: Fault = () => undefined,
  options: Partial<RemoteBackendOptions> = {},
): Promise<{ far: Backend; positions: (string | null)[] }> {
  const send = fetchFrom(serveBackend(commandBackend(command), { authorize: bearerToken(TOKEN) }));
  const positions: (string | null)[] = [];
  const fetch: FetchLike = async (url, init) => {
    const response = await send(url, init);
    if (typeof init.body !== "string" || !init.body.includes('"run"')) return response;
    positions.push(new Headers(init.headers).get("last-event-id"));
    const whole = new Uint8Array(await response.arrayBuffer());
    const part = fault(whole, positions.length, new Headers(init.headers));
    return new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(part ?? whole);
          if (part === undefined) controller.close();
        },
        pull: (controller) => controller.error(new TypeError("socket hang up")),
      }),
      { status: response.status, headers: response.headers },
    );
  };
  const headers = { authorization: `Bearer ${TOKEN}` };
  const far = await remoteBackend({ url: URL_OF_TESTS, headers, fetch, timers: soon, ...options });
  closing.push(() => far.close?.());
  return { far, positions };
}

function start({ shell }: Backend, signal?: AbortSignal): ShellRun {
  if (shell === undefined) throw new Error("there is no shell");
  return shell.run("x", signal && { signal });
}

async function printed(run: ShellRun): Promise<string> {
  let all = "";
  for await (const { text } of run) all += text;
  await run.exit;
  return all;
}

/** Pieces that a careless way would damage: halves of pairs, ends of lines, what looks like events. */
const PIECES = [
  "a\r\n",
  "\ud83e",
  "\udd8a",
  "é漢🦊",
  "\n\n",
  "data: x\n\n",
  "id: 7\n",
  "\u0000\ufffd\ufeff",
  "",
  "\u2028",
  "z",
];

async function* pieces(): AsyncGenerator<string> {
  for (const piece of PIECES) {
    yield piece;
    await turns(1);
  }
}

describe("the output of a command over a connection that is cut", () => {
  test("is whole and comes once, wherever it is cut", async () => {
    let [runs, cases] = [0, 0];
    const command: Command = () => {
      runs += 1;
      return pieces();
    };
    await forAll(60, async (random) => {
      cases += 1;
      const { far } = await through(command, (whole, connection) =>
        connection < 4 ? whole.subarray(0, random.below(whole.length)) : undefined,
      );
      expect(await printed(start(far))).toBe(PIECES.join(""));
    });
    expect(runs).toBe(cases);
  });

  test("goes on behind the last event that came, however often it is cut, as long as something new comes through", async () => {
    const cutAfter = (events: number, whole: Uint8Array): Uint8Array => {
      const text = new TextDecoder().decode(whole);
      const end = text.split("\n\n").slice(0, events).join("\n\n").length + 2;
      return whole.subarray(0, new TextEncoder().encode(text.slice(0, end)).length);
    };
    const { far, positions } = await through(pieces, (whole, connection) =>
      connection <= 8 ? cutAfter(2, whole) : undefined,
    );
    expect(await printed(start(far))).toBe(PIECES.join(""));
    expect(positions).toEqual([null, "1", "2", "3", "4", "5", "6", "7", "8"]);
  });

  test("does not come twice when the server repeats what it has said", async () => {
    const first: Uint8Array[] = [];
    const { far } = await through(pieces, (whole, connection) => {
      if (connection > 2) return undefined;
      first.push(whole);
      const length = Math.floor((first[0]?.length ?? 0) * (connection === 1 ? 0.5 : 0.7));
      return first[0]?.subarray(0, length);
    });
    expect(await printed(start(far))).toBe(PIECES.join(""));
  });

  test("fails when the server leaves a part of it out", async () => {
    const { far } = await through(pieces, (whole) => {
      const events = new TextDecoder().decode(whole).split("\n\n");
      events.splice(3, 1);
      return new TextEncoder().encode(events.join("\n\n"));
    });
    expect(await failure(printed(start(far)))).toMatchObject({ code: "BACKEND_PROTOCOL" });
  });

  test("fails in the end when nothing new comes through, with the cause", async () => {
    const { far, positions } = await through(pieces, (whole) => whole.subarray(0, 3), { retry: { attempts: 3 } });
    expect(await failure(printed(start(far)))).toMatchObject({
      code: "BACKEND_GONE",
      cause: { message: "socket hang up" },
    });
    expect(positions).toEqual([null, "0", "0"]);
  });

  test("fails when the server was started anew, and the command does not run again", async () => {
    let runs = 0;
    const command: Command = () => {
      runs += 1;
      return pieces();
    };
    const server = (): FetchLike => fetchFrom(serveBackend(commandBackend(command), { authorize: "none" }));
    let send = server();
    let isCut = false;
    const cut: FetchLike = async (url, init) => {
      const response = await send(url, init);
      if (runs === 0 || isCut) return response;
      isCut = true;
      send = server();
      // The new one has been met before the command is asked for again.
      await far.fs.stat("/");
      return new Response((await response.arrayBuffer()).slice(0, 30), response);
    };
    const far: Backend = await remoteBackend({ url: URL_OF_TESTS, fetch: cut, timers: soon });
    expect([await failure(printed(start(far))), runs]).toEqual([
      expect.objectContaining({ code: "BACKEND_GONE", data: { outcome: "unknown" } }),
      1,
    ]);
  });
});

describe("a command that is given up", () => {
  const endless = (heard: (reason: unknown) => void): Command =>
    async function* (signal) {
      yield "begun";
      await new Promise<void>((resolve) => {
        signal?.addEventListener("abort", () => {
          heard(signal.reason);
          resolve();
        });
      });
    };

  test("is ended on the server, and its exit rejects with the reason", async () => {
    const ended = deferred<unknown>();
    const far = await remoteBackend({
      url: URL_OF_TESTS,
      fetch: fetchFrom(serveBackend(commandBackend(endless(ended.resolve)), { authorize: "none" })),
    });
    const controller = new AbortController();
    const running = start(far, controller.signal);
    for await (const _piece of running) break;
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await failure(running.exit)).toBe(reason);
    await ended.promise;
  });

  test("by a client that never comes back is ended after a while, not before", async () => {
    const ended: unknown[] = [];
    const timers = manualTimers();
    const handler = serveBackend(commandBackend(endless((reason) => ended.push(reason))), {
      authorize: "none",
      timers,
    });
    const response = await handler(run({ "idempotency-key": "k" }));
    const reader = response.body?.getReader();
    for (let text = ""; !text.includes("begun"); ) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    await until(() => timers.waiting() > 0);
    timers.pass(9_999);
    expect(ended).toEqual([]);
    timers.pass(1);
    expect(ended).toMatchObject([{ code: "BACKEND_GONE" }]);
  });

  test("without a key, which nobody can come back to, is ended at once", async () => {
    const ended: unknown[] = [];
    const handler = serveBackend(commandBackend(endless((reason) => ended.push(reason))), { authorize: "none" });
    const reader = (await handler(run({}))).body?.getReader();
    for (let text = ""; !text.includes("begun"); ) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    await until(() => ended.length > 0);
    expect(ended).toMatchObject([{ code: "BACKEND_GONE" }]);
  });
});

/** Makes a request for a command. */
function run(headers: Record<string, string>): Request {
  return new Request(URL_OF_TESTS, {
    method: "POST",
    headers: { "holdall-protocol": "1", "content-type": "application/json", ...headers },
    body: JSON.stringify({ method: "run", args: { command: "x", session: "s" } }),
  });
}

describe("a server's stream of output", () => {
  test("begins behind the event that its client names", async () => {
    const handler = serveBackend(commandBackend(pieces), { authorize: "none" });
    const whole = await (await handler(run({ "idempotency-key": "k" }))).text();
    const rest = await (
      await handler(run({ "idempotency-key": "k", "holdall-attempt": "2", "last-event-id": "4" }))
    ).text();
    expect(whole.endsWith(rest.slice(3))).toBe(true);
    expect([whole.match(/^id: \d+$/m)?.[0], rest.match(/^id: \d+$/m)?.[0]]).toEqual(["id: 1", "id: 5"]);
  });

  test.each([
    ["behind its end", { "idempotency-key": "k", "last-event-id": "99" }, 400],
    ["that is no number", { "idempotency-key": "k", "last-event-id": "-1" }, 400],
    ["of a command that was never met", { "idempotency-key": "other", "last-event-id": "0" }, 409],
  ])("refuses to begin at an event %s", async (_name, headers, status) => {
    const handler = serveBackend(commandBackend(pieces), { authorize: "none" });
    await (await handler(run({ "idempotency-key": "k" }))).text();
    expect((await handler(run(headers))).status).toBe(status);
  });

  test("shows a sign of life while there is nothing to say", async () => {
    const goOn = deferred();
    const timers = manualTimers();
    const handler = serveBackend(
      commandBackend(async function* () {
        await goOn.promise;
        yield "late";
      }),
      { authorize: "none", timers },
    );
    const reader = (await handler(run({}))).body?.getReader();
    const next = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
    expect(await next()).toBe(":\n\n");
    const silent = next();
    await until(() => timers.waiting() > 0);
    timers.pass(15_000);
    expect(await silent).toBe(":\n\n");
    goOn.resolve();
    expect(await next()).toContain('"text":"late"');
    await reader?.cancel();
  });

  test("is not begun when too many commands are under way, and their end makes room", async () => {
    const goOn = deferred();
    const handler = serveBackend(
      commandBackend(async function* () {
        await goOn.promise;
        yield "x";
      }),
      { authorize: "none", limits: { maxRuns: 1 } },
    );
    const first = await handler(run({ "idempotency-key": "1" }));
    expect((await handler(run({ "idempotency-key": "2" }))).status).toBe(503);
    goOn.resolve();
    await first.text();
    expect((await handler(run({ "idempotency-key": "2" }))).status).toBe(200);
  });
});
