/** A file system through a `MessagePort`: the worker's shell works on the page's files. */

import {
  createFileSystem,
  type DirEntry,
  type FileStat,
  type FileSystem,
  type FileSystemParts,
  fsError,
  onAbort,
  type ReadResult,
} from "holdall";
import { type PortError, packError, unpackError } from "./port-error.ts";

/** What only some file systems can do; the client side must know it beforehand. */
export interface PortAbilities {
  symlink: boolean;
  readLink: boolean;
}

/** Arguments and answer of every call. */
interface Calls {
  stat: [arguments: [path: string, followSymlinks: boolean | undefined], answer: FileStat | undefined];
  read: [arguments: [path: string, offset: number | undefined, length: number | undefined], answer: ReadResult];
  write: [arguments: [path: string, bytes: Uint8Array, ifVersion: string | null | undefined], answer: FileStat];
  list: [arguments: [path: string], answer: DirEntry[]];
  makeDirectory: [arguments: [path: string], answer: undefined];
  remove: [arguments: [path: string, recursive: boolean | undefined], answer: undefined];
  rename: [arguments: [from: string, to: string], answer: undefined];
  realpath: [arguments: [path: string], answer: string];
  symlink: [arguments: [target: string, path: string], answer: undefined];
  readLink: [arguments: [path: string], answer: string];
}

type Method = keyof Calls;
type Call = { [M in Method]: { id: number; method: M; args: Calls[M][0] } }[Method];
type ToServer = Call | { id: number; method: "abort" };
type ToClient = { id: number; value: unknown } | { id: number; error: PortError };

/** Tells what a file system can do. */
export function portAbilities(fs: FileSystem): PortAbilities {
  return { symlink: fs.symlink !== undefined, readLink: fs.readLink !== undefined };
}

/**
 * Answers the calls that come through a port.
 *
 * @param fs The file system.
 * @param port One end of a channel; it is started.
 * @returns Ends the service: calls that are under way are aborted, and the port is closed.
 */
export function serveFileSystem(fs: FileSystem, port: MessagePort): () => void {
  const running = new Map<number, AbortController>();
  const answer = async (call: Call): Promise<void> => {
    const controller = new AbortController();
    running.set(call.id, controller);
    try {
      const value = await perform(fs, call, controller.signal);
      if (running.has(call.id)) send(port, { id: call.id, value }, bytesOf(value));
    } catch (error) {
      if (running.has(call.id)) send(port, { id: call.id, error: packError(error) });
    } finally {
      running.delete(call.id);
    }
  };
  const listen = ({ data }: MessageEvent<ToServer>): void => {
    if (data.method !== "abort") return void answer(data);
    running.get(data.id)?.abort();
  };
  port.addEventListener("message", listen);
  port.start();
  return () => {
    port.removeEventListener("message", listen);
    for (const controller of running.values()) controller.abort();
    running.clear();
    port.close();
  };
}

/** A file system at the other end of a port. */
export interface PortFileSystem {
  fs: FileSystem;
  /** Fails what is under way, and every later call, with `FS_CLOSED`; closes the port. */
  close(): void;
}

/**
 * Makes a file system of a port at whose other end {@link serveFileSystem} answers.
 *
 * Bytes are copied once on their way; no buffer of the caller is detached.
 */
export function portFileSystem(port: MessagePort, abilities: PortAbilities): PortFileSystem {
  const waiting = new Map<number, Waiting>();
  let count = 0;
  let open = true;
  const call = <M extends Method>(
    method: M,
    args: Calls[M][0],
    signal: AbortSignal | undefined,
    bytes?: Uint8Array,
  ): Promise<Calls[M][1]> => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!open) return Promise.reject(fsError("FS_CLOSED", String(args[0])));
    count += 1;
    const id = count;
    const abort = (): void => {
      send(port, { id, method: "abort" });
      // Of a change it is told what came of it.
      if (reading.has(method)) waiting.get(id)?.reject(signal?.reason);
    };
    const leave = onAbort(signal, abort);
    const answered = new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject, signal });
      send(port, { id, method, args } as Call, bytes);
    });
    const settle = (): void => {
      waiting.delete(id);
      leave();
    };
    answered.then(settle, settle);
    return answered as Promise<Calls[M][1]>;
  };
  const listen = ({ data }: MessageEvent<ToClient>): void => {
    const call = waiting.get(data.id);
    if (!("error" in data)) call?.resolve(data.value);
    else
      call?.reject(
        data.error.code === undefined && call.signal?.aborted ? call.signal.reason : unpackError(data.error),
      );
  };
  port.addEventListener("message", listen);
  port.start();
  return {
    fs: createFileSystem(clientParts(call, abilities)),
    close: () => {
      open = false;
      port.removeEventListener("message", listen);
      for (const { reject } of waiting.values()) reject(fsError("FS_CLOSED", "/"));
      port.close();
    },
  };
}

/** Calls that change nothing, so they can be given up at once. */
const reading: ReadonlySet<Method> = new Set(["stat", "read", "list", "realpath", "readLink"]);

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  signal: AbortSignal | undefined;
}

type MakeCall = <M extends Method>(
  method: M,
  args: Calls[M][0],
  signal: AbortSignal | undefined,
  bytes?: Uint8Array,
) => Promise<Calls[M][1]>;

function clientParts(call: MakeCall, abilities: PortAbilities): FileSystemParts {
  const parts: FileSystemParts = {
    stat: (path, options) => call("stat", [path, options?.followSymlinks], options?.signal),
    read: (path, options) => call("read", [path, options?.offset, options?.length], options?.signal),
    write: (path, bytes, options) => {
      // Transferring the caller's own buffer would take it away, and cloning a view would send its whole buffer.
      // Not `slice`: that of Node's Buffer shares memory.
      const copy = new Uint8Array(bytes);
      return call("write", [path, copy, options?.ifVersion], options?.signal, copy);
    },
    list: async function* (path, options) {
      yield* await call("list", [path], options?.signal);
    },
    makeDirectory: (path, options) => call("makeDirectory", [path], options?.signal),
    remove: (path, options) => call("remove", [path, options?.recursive], options?.signal),
    rename: (from, to, options) => call("rename", [from, to], options?.signal),
    realpath: (path, options) => call("realpath", [path], options?.signal),
  };
  if (abilities.symlink) parts.symlink = (target, path, options) => call("symlink", [target, path], options?.signal);
  if (abilities.readLink) parts.readLink = (path, options) => call("readLink", [path], options?.signal);
  return parts;
}

async function perform(fs: FileSystem, call: Call, signal: AbortSignal): Promise<unknown> {
  switch (call.method) {
    case "stat": {
      const [path, followSymlinks = true] = call.args;
      return fs.stat(path, { followSymlinks, signal });
    }
    case "read": {
      const [path, offset = 0, length] = call.args;
      const { bytes, version } = await fs.read(
        path,
        length === undefined ? { offset, signal } : { offset, length, signal },
      );
      // A copy of just these bytes can be transferred, whoever else holds the buffer behind them.
      return { bytes: new Uint8Array(bytes), version };
    }
    case "write": {
      const [path, bytes, ifVersion] = call.args;
      return fs.write(path, bytes, ifVersion === undefined ? { signal } : { ifVersion, signal });
    }
    case "list": {
      const entries: DirEntry[] = [];
      for await (const entry of fs.list(call.args[0], { signal })) entries.push(entry);
      return entries;
    }
    case "makeDirectory":
      return fs.makeDirectory(call.args[0], { signal });
    case "remove": {
      const [path, recursive = false] = call.args;
      return fs.remove(path, { recursive, signal });
    }
    case "rename":
      return fs.rename(...call.args, { signal });
    case "realpath":
      return fs.realpath(call.args[0], { signal });
    case "symlink":
      return fs.symlink?.(...call.args, { signal });
    case "readLink":
      return fs.readLink?.(call.args[0], { signal });
    default:
      throw fsError("FS_UNSUPPORTED", "/");
  }
}

function bytesOf(value: unknown): Uint8Array | undefined {
  return typeof value === "object" && value !== null && "bytes" in value && value.bytes instanceof Uint8Array
    ? value.bytes
    : undefined;
}

/** Sends a message along with bytes of its own. */
function send(port: MessagePort, message: ToServer | ToClient, bytes?: Uint8Array): void {
  const transfer = bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
  try {
    port.postMessage(message, transfer);
  } catch {
    // The ports of some hosts cannot transfer; they clone.
    port.postMessage(message);
  }
}
