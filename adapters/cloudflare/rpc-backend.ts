/** A backend over the stub of a workspace in a Durable Object. */

import {
  type Backend,
  createBackend,
  createFileSystem,
  type FileSystemParts,
  type FsOptions,
  HoldallError,
  resolvePath,
  type Shell,
  type ShellFactory,
} from "holdall";
import { byteStream, MESSAGE_BYTES, type RpcAnswer, unpackError, type WorkspaceMethods } from "./rpc.ts";

/** The stub of a workspace, as a binding gives it: `env.WORKSPACE.get(id)`. */
export type WorkspaceStub = {
  [Method in keyof WorkspaceMethods]: (
    ...args: Parameters<WorkspaceMethods[Method]>
  ) => PromiseLike<Awaited<ReturnType<WorkspaceMethods[Method]>>>;
};

/** How a backend over a stub is made. */
export interface RpcBackendOptions {
  /** Shown to people and in errors. Defaults to `workspace`. */
  name?: string;
  /** The working directory. Defaults to `/workspace`. */
  cwd?: string;
  /** The home directory. None by default. */
  home?: string;
  /** The shell, or what makes one over the files. */
  shell?: Shell | ShellFactory;
}

/**
 * Makes a backend of the stub of a workspace object, for workers that have a binding to it.
 *
 * An abort ends the waiting of a call that reads; a change is waited for, so that its outcome is known.
 *
 * @param stub The stub.
 * @param options How the backend is made.
 * @example
 * const backend = rpcBackend(env.WORKSPACE.get(env.WORKSPACE.idFromName(user)));
 */
export function rpcBackend(stub: WorkspaceStub, options: RpcBackendOptions = {}): Backend {
  const { name = "workspace" } = options;
  const cwd = resolvePath(options.cwd ?? "/workspace");
  const home = options.home === undefined ? undefined : resolvePath(options.home, cwd);
  return createBackend({ name, fs: createFileSystem(rpcParts(stub)), cwd, home, shell: options.shell });
}

function rpcParts(stub: WorkspaceStub): FileSystemParts {
  return {
    stat: (path, options) => value(stub.stat(path, cloneable(options))),
    read: async (path, options) => {
      const { version, content } = await value(stub.read(path, cloneable(options)));
      return { version, bytes: content instanceof Uint8Array ? content : await collect(content, options) };
    },
    write: async (path, bytes, options) =>
      bytes.length > MESSAGE_BYTES
        ? value(stub.writeStream(path, byteStream(new Blob([new Uint8Array(bytes)]).stream()), cloneable(options)))
        : value(stub.write(path, bytes, cloneable(options))),
    writeStream: async (path, stream, options) => {
      const { source, failed } = await begun(stream);
      return Promise.race([value(stub.writeStream(path, source, cloneable(options))), failed]);
    },
    list: (path, options) => items(value(stub.list(path)), options),
    walk: (path, options) => items(value(stub.walk(path, cloneable(options))), options),
    makeDirectory: (path) => value(stub.makeDirectory(path)),
    remove: (path, options) => value(stub.remove(path, cloneable(options))),
    rename: (from, to) => value(stub.rename(from, to)),
    symlink: (target, path) => value(stub.symlink(target, path)),
    readLink: (path) => value(stub.readLink(path)),
    realpath: (path) => value(stub.realpath(path)),
    glob: (query) => value(stub.glob(cloneable(query))),
    grep: (query) => value(stub.grep(cloneable(query))),
  };
}

async function value<T>(call: PromiseLike<RpcAnswer<T>>): Promise<T> {
  let answer: RpcAnswer<T>;
  try {
    answer = await call;
  } catch (error) {
    throw new HoldallError(
      "BACKEND_GONE",
      "the workspace did not answer. Call again; look first at what a change has done.",
      { cause: error, retryable: true },
    );
  }
  if (answer.error !== undefined) throw unpackError(answer.error);
  return answer.value;
}

/**
 * Reads the first chunk of a stream, because RPC never tells the other side of one that fails before it. What it fails
 * with later is known here before the other side has told it.
 */
async function begun(
  stream: ReadableStream<Uint8Array>,
): Promise<{ source: ReadableStream<Uint8Array>; failed: Promise<never> }> {
  const reader = stream.getReader();
  let next: ReadableStreamReadResult<Uint8Array> | undefined = await reader.read();
  let fail = (_error: unknown): void => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const whole = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value: chunk } = next ?? (await reader.read());
        next = undefined;
        if (done) controller.close();
        else controller.enqueue(chunk);
      } catch (error) {
        fail(error);
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { source: byteStream(whole), failed };
}

/** A signal does not go through RPC. */
function cloneable<T extends FsOptions>(options: T): Omit<T, "signal">;
function cloneable<T extends FsOptions>(options: T | undefined): Omit<T, "signal"> | undefined;
function cloneable<T extends FsOptions>(options: T | undefined): Omit<T, "signal"> | undefined {
  if (options === undefined) return undefined;
  const { signal: _signal, ...rest } = options;
  return rest;
}

async function* items<T>(
  opening: Promise<ReadableStream<Uint8Array>>,
  options: FsOptions | undefined,
): AsyncGenerator<T, void, undefined> {
  const stream = await opening;
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      options?.signal?.throwIfAborted();
      const parts = (rest + decoder.decode(next.value, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) yield JSON.parse(line);
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

async function collect(stream: ReadableStream<Uint8Array>, options: FsOptions | undefined): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    options?.signal?.throwIfAborted();
    parts.push(new Uint8Array(next.value));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
