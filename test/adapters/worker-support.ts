/** What the tests of `holdall/worker` share. */

import type { Backend, FileSystem, Shell } from "holdall";
import { justBashShell } from "holdall/just-bash";
import { memoryBackend } from "holdall/memory";
import {
  type PortBackendOptions,
  type PortServer,
  portBackend,
  type ServePortOptions,
  servePort,
} from "holdall/worker";

/** A backend whose shell is there. */
export type WithShell = Backend & { shell: Shell };

/** Makes a backend in memory with a shell that runs in place, standing in `/work`. */
export function shellBackend(files: Record<string, string> = {}): WithShell {
  const backend = memoryBackend({ cwd: "/work", files, shell: justBashShell({ worker: false }) });
  return requireShell(backend);
}

/** Gives the backend with its shell. */
export function requireShell(backend: Backend): WithShell {
  if (backend.shell === undefined) throw new Error("the backend has no shell");
  return { ...backend, shell: backend.shell };
}

/** A backend and its other side. */
export interface ThroughPort {
  far: Backend;
  server: PortServer;
  /** The client's end. */
  port: MessagePort;
}

/** Puts a channel between a backend and its user. */
export async function throughPort(
  backend: Backend,
  serve: ServePortOptions = {},
  options: PortBackendOptions = {},
): Promise<ThroughPort> {
  const { port1, port2 } = new MessageChannel();
  const server = servePort(port1, backend, serve);
  const far = await portBackend(port2, options);
  return { far, server, port: port2 };
}

/** Makes a backend of a file system. */
export function backendOf(fs: FileSystem): Backend {
  return { name: "test", os: "posix", cwd: "/", fs };
}

/** Reads bytes as text. */
export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Encodes text. */
export function bytes(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** Timers that a test lets run by hand. */
export interface ManualTimers {
  set(callback: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
  /** Lets time pass; what is set meanwhile runs as well when its time comes. */
  pass(milliseconds: number): void;
  /** How many wait for their time. */
  waiting(): number;
}

/** Makes timers that never run by themselves. */
export function manualTimers(): ManualTimers {
  let now = 0;
  let count = 0;
  const waiting = new Map<number, { at: number; callback: () => void }>();
  return {
    set: (callback, milliseconds) => {
      count += 1;
      waiting.set(count, { at: now + milliseconds, callback });
      return count;
    },
    clear: (timer) => void waiting.delete(timer as number),
    pass: (milliseconds) => {
      const until = now + milliseconds;
      for (;;) {
        const due = [...waiting].filter(([, { at }]) => at <= until).sort(([, one], [, other]) => one.at - other.at)[0];
        if (due === undefined) break;
        waiting.delete(due[0]);
        now = due[1].at;
        due[1].callback();
      }
      now = until;
    },
    waiting: () => waiting.size,
  };
}

/** Lets messages and timers of the host have some turns. */
export async function turns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Lets the host go on until something holds, however many turns a busy one takes; a test that waits in vain runs out of time. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turns(1);
}

/** A promise and its ends. */
export interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Makes a promise that is settled from outside. */
export function deferred<T = void>(): Deferred<T> {
  let resolve: Deferred<T>["resolve"] = () => {};
  let reject: Deferred<T>["reject"] = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    [resolve, reject] = [onResolve, onReject];
  });
  return { promise, resolve, reject };
}

/** Gives what a promise rejects with. */
export function failure(promise: Promise<unknown> | undefined): Promise<unknown> {
  if (promise === undefined) throw new Error("there is no promise");
  return promise.then(
    () => new Error("it was fulfilled"),
    (error: unknown) => error,
  );
}
