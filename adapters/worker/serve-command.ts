/** Serves a directory of this host, as `holdall serve` is told to. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { HoldallError } from "holdall";
import { nodeBackend } from "holdall/node";
import { bearerToken } from "./authorize.ts";
import type { ServeCommand } from "./cli-options.ts";
import { nodeListener } from "./node-http.ts";
import { type BackendHandler, serveBackend } from "./serve-backend.ts";
import { readTokenFile } from "./token-file.ts";
import { goneError } from "./wire-error.ts";

/** A server that listens. */
export interface RunningServer {
  url: string;
  /** Whether only this machine can reach it. */
  isLocal: boolean;
  /** Ends commands and streams, waits a moment for writes under way, and closes the connections. */
  close(): Promise<void>;
}

/** Connections at once; more are closed. */
const MAX_CONNECTIONS = 2048;

/** Milliseconds that a client has to send the head of a request, and all of it; who is slower is cut off. */
const TIMES = { headersTimeout: 20_000, requestTimeout: 300_000, connectionsCheckingInterval: 5000 };

/** Milliseconds that writes under way have to end when the server is closed. */
const CLOSE_GRACE = 2000;

/**
 * Starts a server.
 *
 * @param command Which directory, for whom, where.
 * @param onError Hears of what went wrong and is told to no client.
 * @throws HoldallError `TOKEN_FILE`, `FS_NOT_FOUND`, `FS_NOT_DIRECTORY`, `SERVE_LISTEN`, `SERVE_OPTION`
 */
export async function startServer(command: ServeCommand, onError: (error: unknown) => void): Promise<RunningServer> {
  const { root, host, readOnly, shell, origins } = command;
  const token = await readTokenFile(command.tokenFile);
  const stop = new AbortController();
  const backend = nodeBackend({ root, ...(!shell && { shell: false as const }) });
  const handler = serveBackend(backend, {
    authorize: bearerToken(token),
    readOnly,
    cors: { origins },
    signal: stop.signal,
    onError,
  });
  const isLocal = isLoopback(host);
  const server = createServer(TIMES, nodeListener(isLocal ? forLocalNames(handler) : handler, onError));
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, command).catch(async (error: unknown) => {
    await backend.close?.();
    throw error;
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/`,
    isLocal,
    close: async () => {
      stop.abort(goneError("the server has stopped"));
      const closed = new Promise((resolve) => server.close(resolve));
      await backend.close?.();
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE);
      await closed;
      clearTimeout(late);
    },
  };
}

function listen(server: Server, { host, port }: ServeCommand): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const sentence = `cannot listen at ${host}, port ${port}: ${error.message}. Choose another with --host and --port.`;
      reject(new HoldallError("SERVE_LISTEN", sentence, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

/**
 * Makes a handler that refuses requests for other names: a page could point a name of its own at this machine, and its
 * browser would take the server for the page's own.
 */
export function forLocalNames(handler: BackendHandler): BackendHandler {
  return async (request) => {
    if (isLoopback(new URL(request.url).hostname)) return handler(request);
    return new Response("This server answers to localhost only.\n", { status: 421 });
  };
}

/** Tells whether a name or an address can only be this machine's own. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
