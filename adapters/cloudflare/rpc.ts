/** A file system over RPC between workers: what the two sides say to each other, all of it structured-cloneable. */

import {
  errorText,
  type FileStat,
  type FileSystem,
  type GlobQuery,
  type GlobResult,
  type GrepQuery,
  type GrepResult,
  HoldallError,
  type ReadOptions,
  type RemoveOptions,
  type StatOptions,
  type WalkOptions,
  type WriteOptions,
} from "holdall";

/** An error on its way: RPC keeps no more than the message of one that is thrown. */
export interface RpcError {
  code: string;
  message: string;
  data: Readonly<Record<string, unknown>>;
  retryable: boolean;
}

/** What a call came to. */
export type RpcAnswer<T> = { value: T; error?: undefined } | { error: RpcError };

/** A file or a part of it; a large one comes as a stream. */
export interface RpcRead {
  version: string;
  content: Uint8Array | ReadableStream<Uint8Array>;
}

type Plain<T> = Omit<T, "signal">;

/** The methods of a workspace that workers can call. Listings are streams of JSON lines. */
export interface WorkspaceMethods {
  stat(path: string, options?: Plain<StatOptions>): Promise<RpcAnswer<FileStat | undefined>>;
  read(path: string, options?: Plain<ReadOptions>): Promise<RpcAnswer<RpcRead>>;
  readStream(path: string, options?: Plain<ReadOptions>): Promise<RpcAnswer<ReadableStream<Uint8Array>>>;
  write(path: string, bytes: Uint8Array, options?: Plain<WriteOptions>): Promise<RpcAnswer<FileStat>>;
  writeStream(
    path: string,
    stream: ReadableStream<Uint8Array>,
    options?: Plain<WriteOptions>,
  ): Promise<RpcAnswer<FileStat>>;
  list(path: string): Promise<RpcAnswer<ReadableStream<Uint8Array>>>;
  walk(path: string, options?: Plain<WalkOptions>): Promise<RpcAnswer<ReadableStream<Uint8Array>>>;
  makeDirectory(path: string): Promise<RpcAnswer<undefined>>;
  remove(path: string, options?: Plain<RemoveOptions>): Promise<RpcAnswer<undefined>>;
  rename(from: string, to: string): Promise<RpcAnswer<undefined>>;
  symlink(target: string, path: string): Promise<RpcAnswer<undefined>>;
  readLink(path: string): Promise<RpcAnswer<string>>;
  realpath(path: string): Promise<RpcAnswer<string>>;
  glob(query: Plain<GlobQuery>): Promise<RpcAnswer<GlobResult>>;
  grep(query: Plain<GrepQuery>): Promise<RpcAnswer<GrepResult>>;
}

/** Bytes that one message carries; more goes as a stream: 8 MiB, of the 32 that RPC allows. */
export const MESSAGE_BYTES: number = 8 << 20;

/** Answers a call; what fails is told, not thrown. */
export async function answer<T>(run: () => Promise<T>): Promise<RpcAnswer<T>> {
  try {
    return { value: await run() };
  } catch (error) {
    return { error: packError(error) };
  }
}

/** Reads a file for a caller. */
export async function readFor(fs: FileSystem, path: string, options: Plain<ReadOptions> = {}): Promise<RpcRead> {
  const stat = await fs.stat(path);
  const length = Math.min(options.length ?? Number.POSITIVE_INFINITY, (stat?.size ?? 0) - (options.offset ?? 0));
  if (stat?.kind === "file" && length > MESSAGE_BYTES)
    return { version: stat.version, content: byteStream(fs.readStream(path, options)) };
  const { bytes, version } = await fs.read(path, options);
  return { version, content: bytes };
}

/** Sends what an iterable gives as lines of JSON; what it fails with before the first of them fails the call. */
export async function lines(items: AsyncIterable<object>): Promise<ReadableStream<Uint8Array>> {
  const iterator = items[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next = await iterator.next();
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      let text = "";
      while (next.done !== true && text.length < LINES_LENGTH) {
        text += `${JSON.stringify(next.value)}\n`;
        next = await iterator.next();
      }
      if (text !== "") controller.enqueue(encoder.encode(text));
      if (next.done === true) close(controller);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Makes a stream of bytes of any stream: only such ones go through RPC. */
export function byteStream(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      // An empty chunk is not allowed in one.
      for (let next = await reader.read(); ; next = await reader.read()) {
        if (next.done) return close(controller);
        if (next.value.length > 0) return controller.enqueue(new Uint8Array(next.value));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Takes an error apart. */
export function packError(error: unknown): RpcError {
  if (!HoldallError.is(error)) {
    const what = error instanceof Error ? ` with ${error.name}` : "";
    return { code: "FS_IO", message: `the workspace failed${what}. Look at its own log.`, data: {}, retryable: false };
  }
  const { code, data, retryable } = error;
  // Whatever cannot be cloned would fail the answer.
  return { code, message: errorText(error), data: JSON.parse(JSON.stringify(data)), retryable };
}

/** Puts an error together again. */
export function unpackError({ code, message, data, retryable }: RpcError): HoldallError {
  return new HoldallError(code, message, { data, retryable });
}

/** UTF-16 units of lines that are sent together. */
const LINES_LENGTH = 1 << 16;

function close(controller: ReadableByteStreamController): void {
  controller.close();
  // A reader that brought its own buffer waits for it.
  controller.byobRequest?.respond(0);
}
