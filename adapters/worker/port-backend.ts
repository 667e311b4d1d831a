/** A backend made of a port: the client's side. */

import type { Backend, Timers } from "holdall";
import { type ClientOptions, connectBackend } from "./client.ts";
import type { Feed, Link } from "./link.ts";
import type { PortLike } from "./port-like.ts";
import { openPortLine, type PortLine } from "./port-line.ts";
import type { StreamMethod, Streams } from "./protocol.ts";
import { goneError } from "./wire-error.ts";

/** Where a port comes from. */
export interface PortConnector {
  /** Starts a worker, or asks for a port; called at first, and again for the next call when the last one is gone. */
  connect(): PortLike | Promise<PortLike>;
}

/** How a client uses its port. */
export interface PortBackendOptions extends ClientOptions {
  /**
   * Milliseconds of silence, although something is waited for, until the other side counts as gone; a worker that is
   * kept by a loop cannot answer. `Infinity` waits for ever. Defaults to 60,000.
   */
  silenceMs?: number;
  /** Sets and clears timers; a test passes its own. */
  timers?: Timers;
}

/**
 * Makes a backend of the other side of a port, where `servePort` answers.
 *
 * Bytes are given away to the other side, not copied for the way; buffers of the caller stay whole. When the worker dies
 * or the port closes, calls under way fail with `BACKEND_GONE`, and so do later ones, unless a `connect` brings a new port.
 * Closing the backend ends the worker, or closes the port.
 *
 * @param port The port or worker, or what brings one.
 * @throws HoldallError `BACKEND_GONE`, `BACKEND_PROTOCOL`
 * @example
 * const backend = await portBackend({ connect: () => new Worker(new URL("./files.js", import.meta.url), { type: "module" }) });
 */
export function portBackend(port: PortLike | PortConnector, options: PortBackendOptions = {}): Promise<Backend> {
  return connectBackend(createPortLink("connect" in port ? port : once(port), options), options);
}

function once(port: PortLike): PortConnector {
  let used = false;
  return {
    connect: () => {
      if (used) throw goneError("the port is closed, and there is no `connect` to bring another");
      used = true;
      return port;
    },
  };
}

function createPortLink(connector: PortConnector, options: PortBackendOptions): Link {
  let line: PortLine | undefined;
  let connecting: Promise<PortLine> | undefined;
  let closed: unknown;

  const connect = async (): Promise<PortLine> => {
    const opened = openPortLine(await connector.connect(), options);
    if (closed !== undefined) opened.close(closed);
    line = opened;
    return opened;
  };
  const current = (): PortLine | Promise<PortLine> => {
    if (line?.isOpen === true) return line;
    if (closed !== undefined) return Promise.reject(closed);
    connecting ??= connect().finally(() => {
      connecting = undefined;
    });
    return connecting;
  };
  return {
    ask: (method, args, signal) => {
      const ready = current();
      return "ask" in ready ? ready.ask(method, args, signal) : ready.then((it) => it.ask(method, args, signal));
    },
    open: (method, args, signal) => openLater(async () => (await current()).open(method, args, signal)),
    upload: async (args, stream, signal) => (await current()).upload(args, stream, signal),
    close: () => {
      closed = goneError("the backend was closed");
      line?.close(closed);
    },
  };
}

/** A feed whose line has to be connected first. */
function openLater<M extends StreamMethod>(
  open: () => Promise<Feed<Streams[M]["items"], Streams[M]["ends"]>>,
): Feed<Streams[M]["items"], Streams[M]["ends"]> {
  let feed: ReturnType<typeof open> | undefined;
  return {
    next: async () => {
      feed ??= open();
      return (await feed).next();
    },
    stop: () =>
      void feed?.then(
        (opened) => opened.stop(),
        () => {},
      ),
  };
}
