/** Ports of browsers and of Node, behind one way to listen and to send. */

/** A `MessagePort`, a `Worker` or a worker's global scope, as browsers have them. */
export interface WebPort {
  postMessage(message: unknown): void;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
  removeEventListener(type: string, listener: (event: Event) => void): void;
}

/** A `MessagePort`, a `Worker` or the `parentPort` of Node's `worker_threads`. */
export interface NodePort {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: string, listener: (value: unknown) => void): unknown;
  off(event: string, listener: (value: unknown) => void): unknown;
}

/** Anything that messages go through. */
export type PortLike = WebPort | NodePort;

/** What comes through a port. */
export interface PortListener {
  message(data: unknown): void;
  /** The other side is gone, as far as the host tells; not every host does. */
  gone(why: string, cause?: unknown): void;
}

/** Listens to a port, and starts it; the returned function stops listening. */
export function listenTo(port: PortLike, { message, gone }: PortListener): () => void {
  const listeners: Record<string, (value: unknown) => void> = {
    // Browsers wrap what comes in an event.
    message: "on" in port ? message : (event) => message(isMessage(event) ? event.data : undefined),
    messageerror: () => gone("the other side sent what cannot be read"),
    error: (event) => {
      if (event instanceof Event) event.preventDefault();
      const what = read(event, "message");
      gone(
        typeof what === "string" && what !== "" ? `the worker failed: ${what}` : "the worker could not be loaded",
        event,
      );
    },
    exit: () => gone("the worker has ended"),
    close: () => gone("the port was closed by the other side"),
  };
  for (const [type, listener] of Object.entries(listeners)) {
    if ("on" in port) port.on(type, listener);
    else port.addEventListener(type, listener);
  }
  if ("start" in port && typeof port.start === "function") port.start();
  return () => {
    for (const [type, listener] of Object.entries(listeners)) {
      if ("on" in port) port.off(type, listener);
      else port.removeEventListener(type, listener);
    }
  };
}

/** Sends a message; the buffers go with it where the host can give them away, else they are copied. */
export function post(port: PortLike, message: unknown, transfer?: ArrayBuffer[]): void {
  try {
    // Not with an empty list, which a browser takes its time to go through.
    if (transfer === undefined) port.postMessage(message);
    else port.postMessage(message, transfer);
  } catch (error) {
    if (transfer === undefined || transfer.length === 0) throw error;
    port.postMessage(message);
  }
}

/** Closes a port, or ends a worker; the global scope of a worker is left open. */
export function closePort(port: PortLike): void {
  if ("terminate" in port && typeof port.terminate === "function") port.terminate();
  else if ("start" in port && "close" in port && typeof port.close === "function") port.close();
}

function isMessage(event: unknown): event is { data: unknown } {
  return typeof event === "object" && event !== null && "data" in event;
}

function read(value: unknown, field: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, field) : undefined;
}
