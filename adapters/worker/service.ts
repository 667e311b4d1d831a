/** The server's work, whatever carries the calls: does on a backend what a checked call asks for. */

import {
  type Backend,
  DEFAULT_SHELL_OUTPUT,
  DEFAULT_SHELL_TIMEOUT,
  type FileStat,
  type FileSystem,
  fsError,
  HoldallError,
  type ShellExit,
  type ShellOptions,
  type ShellOutput,
  type ShellRun,
} from "holdall";
import { inBatches } from "./batches.ts";
import { defined } from "./defined.ts";
import { MAX_OUTPUT_BYTES } from "./limits.ts";
import {
  type AskCall,
  type AskMethod,
  type Asks,
  type BackendFacts,
  type Batch,
  type Call,
  isChange,
  PROTOCOL,
  type RunArguments,
  type StatArguments,
  type StatOutcome,
  type StreamCall,
  type UploadCall,
} from "./protocol.ts";
import { packError, protocolError } from "./wire-error.ts";

/** What a server does not do, and how much it does at most. */
export interface ServiceOptions {
  /** Whether everything that may change something is refused: writing calls and commands. Defaults to false. */
  readOnly?: boolean;
  /** The most bytes of output that a command may ask for; it gets no more. Defaults to 64 MiB. */
  maxOutputBytes?: number;
  /** The most milliseconds that a command may ask for; it gets no more. Defaults to an hour. */
  maxTimeoutMs?: number;
}

/** A backend at work. */
export interface Service {
  /** Answers a call; without a signal it cannot be given up, which costs less. */
  ask<M extends AskMethod>(call: AskCall<M>, signal: AbortSignal | undefined): Promise<Asks[M]["gives"]>;
  /** Answers a call piece by piece. Whoever leaves before the end must abort the signal. */
  open(call: StreamCall, signal: AbortSignal): AsyncIterator<Batch<unknown, unknown>, void>;
  /** Writes a file from a stream. */
  upload(call: UploadCall, stream: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<FileStat>;
}

type Ask<M extends AskMethod> = (
  fs: FileSystem,
  args: Asks[M]["takes"],
  signal: AbortSignal | undefined,
) => Promise<Asks[M]["gives"]>;

const HOUR = 3_600_000;

/** Makes the service of a backend. */
export function createService(backend: Backend, options: ServiceOptions = {}): Service {
  const { fs } = backend;
  const { readOnly = false } = options;
  const facts = factsOf(backend, readOnly);
  const asks: { [M in AskMethod]: Ask<M> } = { ...fileAsks, hello: async (_fs, args) => greet(args.protocol, facts) };
  const refuseChange = (method: Call["method"], args: object): void => {
    if (readOnly && isChange(method)) throw fsError("FS_READ_ONLY", pathOf(args));
  };
  return {
    ask: <M extends AskMethod>(call: AskCall<M>, signal: AbortSignal | undefined) => {
      // The compiler needs the pair of method and arguments to be one of a mapped type.
      const { method, args }: { method: M; args: Asks[M]["takes"] } = call;
      try {
        if (readOnly) refuseChange(method, args);
        return asks[method](fs, args, signal);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    open: async function* (call, signal) {
      refuseChange(call.method, call.args);
      yield* openStream(backend, call, signal, options);
    },
    upload: async (call, stream, signal) => {
      refuseChange(call.method, call.args);
      const { path, ifVersion } = call.args;
      return fs.writeStream(path, stream, defined({ ifVersion, signal }));
    },
  };
}

/** Tells what a backend is and can do. */
function factsOf({ name, os, cwd, home, fs, shell }: Backend, readOnly: boolean): BackendFacts {
  return {
    protocol: PROTOCOL,
    name,
    os,
    cwd,
    ...(home !== undefined && { home }),
    readOnly,
    shell: shell !== undefined && !readOnly,
    symlink: fs.symlink !== undefined,
    readLink: fs.readLink !== undefined,
    watch: fs.watch !== undefined,
  };
}

function greet(protocol: number, facts: BackendFacts): BackendFacts {
  if (protocol !== PROTOCOL) throw protocolError(`the client speaks protocol ${protocol}, the server ${PROTOCOL}`);
  return facts;
}

const fileAsks: { [M in Exclude<AskMethod, "hello">]: Ask<M> } = {
  stat: (fs, args, signal) => statOf(fs, args, signal),
  statMany: (fs, { stats }, signal) => Promise.all(stats.map((each) => outcomeOf(fs, each, signal))),
  read: (fs, { path, offset, length }, signal) => fs.read(path, defined({ offset, length, signal })),
  write: (fs, { path, bytes, ifVersion }, signal) => fs.write(path, bytes, defined({ ifVersion, signal })),
  makeDirectory: (fs, { path }, signal) => nothing(fs.makeDirectory(path, defined({ signal }))),
  remove: (fs, { path, recursive }, signal) => nothing(fs.remove(path, defined({ recursive, signal }))),
  rename: (fs, { from, to }, signal) => nothing(fs.rename(from, to, defined({ signal }))),
  symlink: (fs, { target, path }, signal) =>
    nothing(need(fs.symlink, path).call(fs, target, path, defined({ signal }))),
  readLink: (fs, { path }, signal) => need(fs.readLink, path).call(fs, path, defined({ signal })),
  realpath: (fs, { path }, signal) => fs.realpath(path, defined({ signal })),
  glob: (fs, query, signal) => fs.glob({ ...query, ...defined({ signal }) }),
  grep: (fs, query, signal) => fs.grep({ ...query, ...defined({ signal }) }),
};

function statOf(fs: FileSystem, { path, followSymlinks }: StatArguments, signal: AbortSignal | undefined) {
  // Options are an object of their own, which most calls need not pay for.
  if (followSymlinks === undefined && signal === undefined) return fs.stat(path);
  return fs.stat(path, defined({ followSymlinks, signal }));
}

async function outcomeOf(fs: FileSystem, args: StatArguments, signal: AbortSignal | undefined): Promise<StatOutcome> {
  try {
    return defined({ stat: await statOf(fs, args, signal) });
  } catch (error) {
    return { error: packError(error) };
  }
}

/** What a method gives beside its promise does not travel. */
async function nothing(done: Promise<unknown>): Promise<undefined> {
  await done;
}

function openStream(
  { fs, shell }: Backend,
  call: StreamCall,
  signal: AbortSignal,
  options: ServiceOptions,
): AsyncGenerator<Batch<unknown, unknown>, void> {
  const { method, args } = call;
  switch (method) {
    case "list":
      return inBatches(items(fs.list(args.path, { signal })));
    case "walk":
      return inBatches(items(fs.walk(args.path, defined({ skip: args.skip, signal }))));
    case "watch":
      return inBatches(items(need(fs.watch, args.path).call(fs, args.path, { signal })));
    case "readStream": {
      const { path, offset, length } = args;
      return chunks(fs.readStream(path, defined({ offset, length, signal })));
    }
    case "run": {
      if (shell === undefined)
        throw new HoldallError(
          "SHELL_FAILED",
          "this backend has no shell. Use the file tools, or serve one with a shell.",
        );
      return inBatches(pieces(shell.run(args.command, shellOptions(args, signal, options))));
    }
  }
}

/** Items whose end says nothing: whatever an iterator returns does not travel. */
async function* items<T>(all: AsyncIterable<T>): AsyncGenerator<T, undefined, undefined> {
  yield* all;
  return undefined;
}

/** Each chunk by itself: bytes are sent as they are. */
async function* chunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Batch<Uint8Array, undefined>, void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield { items: [next.value] };
    yield { items: [], end: { value: undefined } };
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function* pieces(run: ShellRun): AsyncGenerator<ShellOutput, ShellExit, undefined> {
  // Whoever is not waited for first must not count as unhandled.
  run.exit.catch(() => {});
  yield* run;
  return run.exit;
}

function shellOptions(args: RunArguments, signal: AbortSignal, limits: ServiceOptions): ShellOptions {
  const { session, cwd, env, stdin, timeoutMs = DEFAULT_SHELL_TIMEOUT, maxOutputBytes = DEFAULT_SHELL_OUTPUT } = args;
  return {
    ...defined({ session, cwd, env, stdin, signal }),
    timeoutMs: Math.min(timeoutMs, limits.maxTimeoutMs ?? HOUR),
    maxOutputBytes: Math.min(maxOutputBytes, limits.maxOutputBytes ?? MAX_OUTPUT_BYTES),
  };
}

function need<T>(method: T | undefined, path: string): T {
  if (method === undefined) throw fsError("FS_UNSUPPORTED", path);
  return method;
}

function pathOf(args: object): string {
  const path = "path" in args ? args.path : Reflect.get(args, "from");
  return typeof path === "string" ? path : "/";
}
