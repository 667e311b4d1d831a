/** Bytes in pieces, with an end or a failure behind them: frames of a kind, a length and so many bytes. */

import type { StreamCodec } from "./answer-stream.ts";
import type { Chunks } from "./http-body.ts";
import type { WireError } from "./protocol.ts";
import { protocolError } from "./wire-error.ts";

/** What a frame is: bytes of the file, a sign of life, the end, or the failure as JSON. */
const KINDS = ["bytes", "alive", "end", "failed"] as const;

/** One frame. */
export interface Frame {
  kind: (typeof KINDS)[number];
  bytes: Uint8Array;
}

/** A kind, and a length of four bytes, big end first. */
const HEAD = 5;

/** The longest frame that is read, in bytes: 64 MiB. */
const MAX_FRAME: number = 64 << 20;

/** Writes frames. */
export const frameCodec: StreamCodec<Uint8Array> = {
  contentType: "application/x-holdall-frames",
  alive: /* @__PURE__ */ encodeFrames([{ kind: "alive", bytes: new Uint8Array(0) }]),
  batch: ({ items, end }) =>
    encodeFrames([
      ...items.flatMap(split).map((bytes) => ({ kind: "bytes" as const, bytes })),
      ...(end === undefined ? [] : [{ kind: "end" as const, bytes: new Uint8Array(0) }]),
    ]),
  failed: (error: WireError) =>
    encodeFrames([{ kind: "failed", bytes: new TextEncoder().encode(JSON.stringify(error)) }]),
};

function split(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += MAX_FRAME) parts.push(bytes.subarray(at, at + MAX_FRAME));
  return parts;
}

function encodeFrames(frames: readonly Frame[]): Uint8Array {
  const whole = new Uint8Array(frames.reduce((sum, { bytes }) => sum + HEAD + bytes.length, 0));
  const view = new DataView(whole.buffer);
  let at = 0;
  for (const { kind, bytes } of frames) {
    view.setUint8(at, KINDS.indexOf(kind));
    view.setUint32(at + 1, bytes.length);
    whole.set(bytes, at + HEAD);
    at += HEAD + bytes.length;
  }
  return whole;
}

/**
 * Reads frames.
 *
 * @param chunks The body.
 * @returns Gives the next frame; undefined when the body has ended, be it between two frames or in one.
 */
export function readFrames(chunks: Chunks): () => Promise<Frame | undefined> {
  let rest = new Uint8Array(0);
  /** Gives exactly so many bytes. */
  const take = async (length: number): Promise<Uint8Array | undefined> => {
    const whole = new Uint8Array(length);
    for (let at = 0; ; ) {
      const part = rest.subarray(0, length - at);
      whole.set(part, at);
      at += part.length;
      rest = rest.subarray(part.length);
      if (at === length) return whole;
      const chunk = await chunks.next();
      if (chunk === undefined) return undefined;
      rest = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength) as Uint8Array<ArrayBuffer>;
    }
  };
  return async () => {
    const head = await take(HEAD);
    if (head === undefined) return undefined;
    const view = new DataView(head.buffer);
    const kind = KINDS[view.getUint8(0)];
    const length = view.getUint32(1);
    if (kind === undefined || length > MAX_FRAME) throw protocolError("the server sent a frame that has no meaning");
    const bytes = await take(length);
    return bytes && { kind, bytes };
  };
}
