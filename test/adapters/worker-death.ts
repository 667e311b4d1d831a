/** What is promised about real workers that die, for the hosts that have them. */

import type { Backend } from "holdall";
import { type PortLike, portBackend } from "holdall/worker";
import { afterEach, describe, expect, test } from "vitest";
import { failure, manualTimers, text } from "./worker-support.ts";

/** A worker of a host. */
export interface TestWorker {
  port: PortLike;
  /** Ends it from outside. */
  kill(): void;
}

/**
 * Declares the tests.
 *
 * @param start Starts a worker that serves the backend of `worker-served.ts`.
 * @param broken Starts one that cannot be loaded.
 * @param tellsOfEnd Whether the host says when a worker was ended from outside; else only silence tells.
 */
export function testWorkerDeath(start: () => TestWorker, broken: () => TestWorker, tellsOfEnd: boolean): void {
  const backends: Backend[] = [];
  const started: TestWorker[] = [];

  afterEach(async () => {
    for (const backend of backends.splice(0)) await backend.close?.();
    for (const worker of started.splice(0)) worker.kill();
  });

  const timers = manualTimers();
  /** Waits while time flies; whoever lives has time enough to answer. */
  const hastened = async <T>(promise: Promise<T>): Promise<T> => {
    const flying = setInterval(() => timers.pass(15_000), 300);
    return promise.finally(() => clearInterval(flying));
  };

  const open = async (): Promise<Backend> => {
    const connect = (): PortLike => {
      const worker = start();
      started.push(worker);
      return worker.port;
    };
    const backend = await portBackend({ connect }, tellsOfEnd ? {} : { timers });
    backends.push(backend);
    return backend;
  };

  describe("a backend in a worker", { timeout: 60_000 }, () => {
    test("has files and a shell", async () => {
      const { fs, shell } = await open();
      await fs.write("/work/b.txt", new Uint8Array(2 << 20).fill(65));
      expect((await fs.read("/work/b.txt")).bytes.every((byte) => byte === 65)).toBe(true);
      let printed = "";
      for await (const piece of shell?.run("cat a.txt; wc -c < b.txt") ?? []) printed += piece.text;
      expect(printed.replace(/ +/g, "")).toBe("abc2097152\n");
    });

    test.each(["/crash", "/loop"])(
      "that dies of %s fails what is under way, and is started anew for the next call",
      async (path) => {
        if (path === "/loop" && tellsOfEnd) return;
        const { fs } = await open();
        await fs.write("/work/a.txt", new TextEncoder().encode("changed"));
        const waiting = [failure(fs.stat(path)), failure(fs.grep({ pattern: "a", path: "/crash" }))];
        expect((await hastened(Promise.all(waiting)))[0]).toMatchObject({ code: "BACKEND_GONE", retryable: true });
        expect(text((await fs.read("/work/a.txt")).bytes)).toBe("abc");
        expect(started.length).toBe(2);
      },
    );

    test("that is ended from outside fails what is under way, and is started anew for the next call", async () => {
      const { fs, shell } = await open();
      const running = shell?.run("echo begun; sleep 60");
      for await (const _piece of running ?? []) {
        started[0]?.kill();
        break;
      }
      expect(await hastened(failure(running?.exit))).toMatchObject({ code: "BACKEND_GONE" });
      expect((await fs.stat("/work/a.txt"))?.size).toBe(3);
    });

    test("that cannot be loaded fails the greeting", async () => {
      const worker = broken();
      started.push(worker);
      expect(await failure(portBackend(worker.port))).toMatchObject({ code: "BACKEND_GONE" });
    });
  });
}
