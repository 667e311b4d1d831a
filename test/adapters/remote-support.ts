/** What the tests of the HTTP transport share. */

import type { Backend, ShellExit } from "holdall";
import { memoryBackend } from "holdall/memory";
import {
  type BackendHandler,
  bearerToken,
  type FetchLike,
  type RemoteBackendOptions,
  remoteBackend,
  type ServeBackendOptions,
  serveBackend,
} from "holdall/worker";
import { deferred } from "./worker-support.ts";

/** The token of all tests. */
export const TOKEN = "a-token-for-the-tests-0123456789";

/** Where no server is; the tests hand requests to the handler themselves. */
export const URL_OF_TESTS = "http://server.test/files";

/**
 * Makes a `fetch` of a handler. As over a network, an abort fails the call at once and takes the connection down: the
 * request's signal aborts, and a body that comes later is cancelled.
 */
export function fetchFrom(handler: BackendHandler): FetchLike {
  return (url, init) =>
    new Promise((resolve, reject) => {
      const { signal } = init;
      const abort = (): void => reject(signal?.reason);
      if (signal?.aborted === true) return abort();
      signal?.addEventListener("abort", abort);
      handler(new Request(url, init)).then((response) => {
        if (signal?.aborted === true) response.body?.cancel().catch(() => {});
        resolve(response);
      }, reject);
    });
}

/** A backend and the server behind it. */
export interface ThroughHttp {
  far: Backend;
  handler: BackendHandler;
}

/** Puts a server between a backend and its user. */
export async function throughHttp(
  backend: Backend,
  serve: Partial<ServeBackendOptions> = {},
  options: Partial<RemoteBackendOptions> = {},
): Promise<ThroughHttp> {
  const handler = serveBackend(backend, { authorize: bearerToken(TOKEN), ...serve });
  const far = await remoteBackend({
    url: URL_OF_TESTS,
    headers: { authorization: `Bearer ${TOKEN}` },
    fetch: fetchFrom(handler),
    ...options,
  });
  return { far, handler };
}

/** What a command of a test prints; it hears of being ended. */
export type Command = (signal: AbortSignal | undefined, command: string) => AsyncIterable<string>;

/** Makes a backend whose every command prints what a function gives, and then ends well; it fails when it is given up. */
export function commandBackend(run: Command): Backend {
  return {
    ...memoryBackend({ cwd: "/" }),
    shell: {
      run: (command, options) => {
        const signal = options?.signal;
        const { promise: exit, resolve, reject } = deferred<ShellExit>();
        exit.catch(() => {});
        signal?.addEventListener("abort", () => reject(signal.reason));
        return {
          exit,
          async *[Symbol.asyncIterator]() {
            for await (const text of run(signal, command)) yield { stream: "stdout" as const, text };
            resolve({ code: 0, timedOut: false, truncated: false });
          },
        };
      },
    },
  };
}
