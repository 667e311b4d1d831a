/** A backend behind a port: the server's side. */

import type { Backend } from "holdall";
import { copyBytes, isBytes, releasable } from "./bytes.ts";
import { isAskCall, readCall } from "./call-shapes.ts";
import { createGate, createInbox, type Gate, type Inbox } from "./inbox.ts";
import { MAX_CALLS } from "./limits.ts";
import { closePort, listenTo, type PortLike, post } from "./port-like.ts";
import { packAnswer, readMessage, readNumber, type ToClient, type Unread } from "./port-protocol.ts";
import type { AskMethod, Asks, Call, StreamCall, UploadCall } from "./protocol.ts";
import { createRecent } from "./recent.ts";
import { createService, type Service, type ServiceOptions } from "./service.ts";
import { busyError, goneError, packError, protocolError } from "./wire-error.ts";

/** How a backend is served through a port. */
export interface ServePortOptions extends ServiceOptions {
  /** The most calls that may be under way; more are answered with `BACKEND_BUSY`. Defaults to 1,024. */
  maxCalls?: number;
}

/** A backend that is being served. */
export interface PortServer {
  /** Ends what is under way, tells the client, and closes the port; the backend stays open. */
  close(): void;
}

/** A call under way. */
interface Served {
  controller: AbortController;
  gate: Gate;
  inbox: Inbox<Uint8Array | undefined>;
}

/**
 * Serves a backend to the other side of a port, where `portBackend` makes a backend of it again.
 *
 * @param port A `MessagePort`, the global scope of a web worker, or the `parentPort` of a Node worker.
 * @param backend The backend.
 * @example
 * // in a worker
 * servePort(self, memoryBackend({ shell: justBashShell() }));
 */
export function servePort(port: PortLike, backend: Backend, options: ServePortOptions = {}): PortServer {
  const { maxCalls = MAX_CALLS } = options;
  const service = createService(backend, options);
  const calls = new Map<number, Served>();
  let underWay = 0;
  const isNew = createRecent(4 * maxCalls);
  const send = (message: ToClient, transfer?: ArrayBuffer[]): void => post(port, message, transfer);

  const ended = (): void => {
    underWay -= 1;
  };
  /** Tells whether a call may begin: what was repeated on its way is done once. */
  const mayBegin = (id: number): boolean => {
    if (!isNew(id)) return false;
    underWay += 1;
    if (underWay <= maxCalls) return true;
    ended();
    send({ type: "failed", id, error: packError(busyError(maxCalls)) });
    return false;
  };
  const begin = (id: number, message: Unread): void => {
    if (!mayBegin(id)) return;
    const served = createServed(id, send);
    calls.set(id, served);
    void answer(service, id, message, served, send).finally(() => {
      calls.delete(id);
      served.gate.shut(undefined);
      ended();
    });
  };
  const receive = (data: unknown): void => {
    if (Array.isArray(data)) {
      const number = readNumber(data[0]);
      // What cannot be given up needs no signal, which costs more than a small call does.
      if (number !== undefined && mayBegin(number))
        answerPlainly(service, { id: number, method: data[1], args: data[2], send, ended });
      return;
    }
    const message = readMessage(data);
    const id = readNumber(message?.id);
    if (message?.type === "ping") send({ type: "pong" });
    if (message === undefined || id === undefined) return;
    if (message.type === "call") begin(id, message);
    else handle(message, calls.get(id));
  };
  const end = (): void => {
    stop();
    for (const { controller } of calls.values()) controller.abort(goneError("the server has stopped"));
    calls.clear();
    closePort(port);
  };
  const stop = listenTo(port, { message: receive, gone: end });
  return {
    close: () => {
      send({ type: "bye" });
      end();
    },
  };
}

function createServed(id: number, send: (message: ToClient) => void): Served {
  const controller = new AbortController();
  const gate = createGate();
  const inbox = createInbox<Uint8Array | undefined>((count) => send({ type: "credit", id, count }));
  controller.signal.addEventListener("abort", () => {
    gate.shut(controller.signal.reason);
    inbox.fail(controller.signal.reason);
  });
  return { controller, gate, inbox };
}

/** Hands a message on to the call it is about; one about none is late, and means nothing. */
function handle(message: Unread, served: Served | undefined): void {
  if (message.type === "abort") served?.controller.abort();
  if (message.type === "credit") served?.gate.open(readNumber(message.count) ?? 0);
  const seq = readNumber(message.seq);
  if (message.type !== "chunk" || served === undefined || seq === undefined) return;
  const { bytes } = message;
  if (message.failed === true) served.inbox.put(seq, { error: goneError("the source of the stream failed") });
  else if (bytes === undefined || isBytes(bytes)) served.inbox.put(seq, { value: bytes });
}

type Send = (message: ToClient, transfer?: ArrayBuffer[]) => void;

/** A call that cannot be given up. */
interface Plain {
  id: number;
  method: unknown;
  args: unknown;
  send: Send;
  ended(): void;
}

/** Answers a call that cannot be given up, with as little as possible around it: most calls are small and many. */
function answerPlainly(service: Service, { id, method, args, send, ended }: Plain): void {
  const fail = (error: unknown): void => {
    ended();
    sendSafely(send, { type: "failed", id, error: packError(error) });
  };
  try {
    const call: Call = readCall(method, args);
    if (!isAskCall(call)) throw protocolError("a call in pieces must be one that can be given up");
    service.ask(call, undefined).then((value) => {
      ended();
      try {
        sendAnswer(id, value, send);
      } catch (error) {
        sendSafely(send, { type: "failed", id, error: packError(error) });
      }
    }, fail);
  } catch (error) {
    fail(error);
  }
}

async function answer(service: Service, id: number, message: Unread, served: Served, send: Send): Promise<void> {
  const { signal } = served.controller;
  try {
    const call: Call = readCall(message.method, message.args);
    if (isAskCall(call)) sendAnswer(id, await service.ask(call, signal), send);
    else if (call.method === "writeStream") await answerUpload(service, id, call, served, send);
    else await answerInPieces(service, id, call, served, send);
  } catch (error) {
    sendSafely(send, { type: "failed", id, error: packError(error, signal) });
  }
}

function sendAnswer(id: number, value: Asks[AskMethod]["gives"], send: Send): void {
  if (typeof value === "object" && "bytes" in value) {
    const bytes = releasable(value.bytes);
    send([id, { bytes, version: value.version }], [bytes.buffer]);
  } else send(packAnswer(id, value));
}

async function answerUpload(service: Service, id: number, call: UploadCall, served: Served, send: Send): Promise<void> {
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await served.inbox.take();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  send(packAnswer(id, await service.upload(call, stream, served.controller.signal)));
}

async function answerInPieces(
  service: Service,
  id: number,
  call: StreamCall,
  { controller, gate }: Served,
  send: Send,
): Promise<void> {
  const { signal } = controller;
  const source = service.open(call, signal);
  let seq = 0;
  try {
    for (let ended = false; !ended; seq += 1) {
      await gate.pass();
      const { done, value } = await source.next();
      if (done === true) return;
      // Copied: whoever makes a stream may still look at its chunks.
      const items = value.items.map((item) => (isBytes(item) ? copyBytes(item) : item));
      const transfer = items.flatMap((item) => (isBytes(item) ? [item.buffer as ArrayBuffer] : []));
      ended = value.end !== undefined;
      send({ type: "items", id, seq, items, ...(value.end && { end: value.end }) }, transfer);
    }
  } catch (error) {
    sendSafely(send, { type: "failed", id, seq, error: packError(error, signal) });
  } finally {
    // Ends what the source still does for nobody.
    if (!signal.aborted) controller.abort();
    source.return?.()?.catch(() => {});
  }
}

/** A port that is closed, or that cannot send what it is given, must not break the server. */
function sendSafely(send: Send, message: ToClient): void {
  try {
    send(message);
  } catch {
    // Whoever waits hears of it when the port is gone.
  }
}
