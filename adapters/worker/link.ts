/** What a client needs of a transport; the port and HTTP bring one each. */

import type { FileStat } from "holdall";
import type { AskMethod, Asks, Batch, StreamMethod, Streams, WriteArguments } from "./protocol.ts";

/** An answer that comes in pieces. */
export interface Feed<TItem, TEnd> {
  /** Gives the next pieces; rejects with the signal's reason once the server has heard of the abort. */
  next(): Promise<Batch<TItem, TEnd>>;
  /** Gives up what is left; a waiting `next` gives no items. */
  stop(): void;
}

/** A way to the server. */
export interface Link {
  /**
   * Makes a call with one answer.
   *
   * An abort goes to the server. A changing call then still waits for what came of it, at most `ABORT_GRACE`
   * milliseconds; the others may be left alone.
   */
  ask<M extends AskMethod>(method: M, args: Asks[M]["takes"], signal?: AbortSignal): Promise<Asks[M]["gives"]>;
  /** Makes a call whose answer comes in pieces. */
  open<M extends StreamMethod>(
    method: M,
    args: Streams[M]["takes"],
    signal?: AbortSignal,
  ): Feed<Streams[M]["items"], Streams[M]["ends"]>;
  /** Sends a file in pieces; absent where that cannot be. */
  upload?(args: WriteArguments, stream: ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<FileStat>;
  /** Fails what is under way, and every later call. */
  close(): void;
}
