/** Sends a file over HTTP in parts: no more than one of them is held, and nothing is changed before the last is there. */

import { type FileStat, onAbort } from "holdall";
import * as v from "valibot";
import { readStat } from "./answer-shapes.ts";
import { readBody } from "./http-body.ts";
import { callOf, type HttpLinkOptions } from "./http-call.ts";
import { discard, readJson } from "./http-exchange.ts";
import { HEADERS } from "./http-protocol.ts";
import { PART_BYTES } from "./limits.ts";
import type { WriteArguments } from "./protocol.ts";
import { randomId } from "./random-id.ts";
import { count, reader } from "./shapes.ts";

/** Makes a change whose outcome must be learnt. */
export type MakeChange = <T>(make: (key: string, ended: AbortSignal) => Promise<T>) => Promise<T>;

/** What is needed to send a file. */
export interface HttpUploadOptions {
  link: HttpLinkOptions;
  signal: AbortSignal;
  /** Sends a file that is small, or that the server wants whole. */
  write(bytes: Uint8Array): Promise<FileStat>;
  change: MakeChange;
}

/** What a server says to the beginning of an upload: how large its parts may be; 0 when it wants files whole. */
const readBegun = reader("the beginning of an upload", v.object({ partBytes: count }));

/** Sends a file; the old one stays when the source fails, the signal aborts or the connection is lost for good. */
export async function uploadThroughHttp(
  args: WriteArguments,
  stream: ReadableStream<Uint8Array>,
  { link, signal, write, change }: HttpUploadOptions,
): Promise<FileStat> {
  const source = stream.getReader();
  const leave = onAbort(signal, () => void source.cancel(signal.reason).catch(() => {}));
  const nextPart = inParts(source, signal);
  try {
    const first = await nextPart(PART_BYTES);
    if (first.isLast) return await write(first.bytes);
    const id = randomId();
    try {
      const partBytes = await begin(link, id, args, signal);
      if (partBytes === 0) return await write(await collect(first.bytes, nextPart, link.maxFileBytes, signal));
      const parts = await sendParts(link, id, { first: first.bytes, partBytes, nextPart }, signal);
      return await change(async (key, ended) => {
        const response = await link.exchange.send({ ...callOf("uploadCommit", { id, parts }), key }, ended);
        return readStat((await readJson(response, ended)).value);
      });
    } catch (error) {
      // Nobody waits: a server that does not hear of it lets go of the upload by itself.
      link.exchange.send(callOf("uploadAbandon", { id }), undefined).then(discard, () => {});
      throw error;
    }
  } finally {
    leave();
    source.cancel().catch(() => {});
  }
}

async function begin(
  { exchange }: HttpLinkOptions,
  id: string,
  args: WriteArguments,
  signal: AbortSignal,
): Promise<number> {
  const response = await exchange.send(callOf("uploadBegin", { id, ...args }), signal);
  return readBegun((await readJson(response, signal)).value).partBytes;
}

/** Gives the next so many bytes, fewer only at the end. */
type NextPart = (size: number) => Promise<{ bytes: Uint8Array; isLast: boolean }>;

/** One part after the other: the server says of each when it wants the next. */
async function sendParts(
  { exchange }: HttpLinkOptions,
  id: string,
  { first, partBytes, nextPart }: { first: Uint8Array; partBytes: number; nextPart: NextPart },
  signal: AbortSignal,
): Promise<number> {
  let index = 0;
  const send = async (bytes: Uint8Array): Promise<void> => {
    const headers = {
      [HEADERS.upload]: id,
      [HEADERS.part]: String(index),
      [HEADERS.size]: String(bytes.length),
      "content-type": "application/octet-stream",
    };
    discard(await exchange.send({ method: "PUT", headers, body: bytes }, signal));
    index += 1;
  };
  for (let at = 0; at < first.length; at += partBytes) await send(first.subarray(at, at + partBytes));
  for (;;) {
    const { bytes, isLast } = await nextPart(Math.min(partBytes, PART_BYTES));
    if (bytes.length > 0) await send(bytes);
    if (isLast) return index;
  }
}

/** Cuts a source into parts; one chunk of it is held beside the part. */
function inParts(source: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal): NextPart {
  let rest: Uint8Array = new Uint8Array(0);
  let ended = false;
  return async (size) => {
    const whole = new Uint8Array(size);
    let filled = 0;
    for (;;) {
      const taken = rest.subarray(0, size - filled);
      whole.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
      // A part that is full may be the last one: only the source knows.
      if (ended || rest.length > 0) return { bytes: whole.subarray(0, filled), isLast: ended };
      const next = await source.read();
      signal.throwIfAborted();
      if (next.done) ended = true;
      else rest = next.value;
    }
  };
}

/** Collects a file whole, within the limit of one request. */
async function collect(first: Uint8Array, nextPart: NextPart, maxBytes: number, signal: AbortSignal) {
  let part = { bytes: first, isLast: false };
  const whole = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (part.bytes.length > 0) controller.enqueue(part.bytes);
        if (part.isLast) controller.close();
        else part = await nextPart(PART_BYTES);
      },
    },
    { highWaterMark: 0 },
  );
  return readBody(whole, { maxBytes, what: "the file", signal });
}
