/** The calls of a client through a port, each from its message to its answer. */

import { type FileStat, onAbort, type Timers } from "holdall";
import { readAnswer, readStat } from "./answer-shapes.ts";
import { copyBytes } from "./bytes.ts";
import { createGate, createInbox, type Gate } from "./inbox.ts";
import { ABORT_GRACE } from "./limits.ts";
import type { Feed } from "./link.ts";
import { readNumber, type ToServer, type Unread } from "./port-protocol.ts";
import { type AskMethod, type Asks, type Batch, isChange, type StreamMethod, type Streams } from "./protocol.ts";
import { readBatch, readFailure } from "./read-batch.ts";
import { startTimer } from "./timers.ts";
import { goneError } from "./wire-error.ts";

/** Who waits for an answer. */
export interface Waiter {
  /** Hears of a message that is no answer. */
  receive(message: Unread): void;
  /** Hears of the answer. */
  answer(value: unknown): void;
  fail(error: unknown): void;
}

/** What the calls of a line share. */
export interface Calls {
  /**
   * Sends a call; undefined when the line is closed, and then the waiter has failed.
   *
   * @param abortable Whether it may be given up.
   * @param transfer Buffers that go with it.
   */
  begin(method: string, args: object, waiter: Waiter, abortable: boolean, transfer?: ArrayBuffer[]): number | undefined;
  send(message: ToServer, transfer?: ArrayBuffer[]): void;
  /** Nobody waits any more. */
  forget(id: number | undefined): void;
  timers: Timers;
}

/** Makes a call with one answer. */
export function askThrough<M extends AskMethod>(
  calls: Calls,
  method: M,
  args: Asks[M]["takes"],
  signal: AbortSignal | undefined,
): Promise<Asks[M]["gives"]> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const fail = (error: unknown): void => {
      unfollow();
      calls.forget(id);
      reject(error);
    };
    const receive = (message: Unread): void => {
      try {
        if (message.type === "failed") fail(readFailure(message.error, signal));
      } catch (error) {
        fail(error);
      }
    };
    const answer = (value: unknown): void => {
      try {
        resolve(readAnswer(method, value));
        unfollow();
        calls.forget(id);
      } catch (error) {
        fail(error);
      }
    };
    let unfollow = (): void => {};
    const bytes = "bytes" in args && args.bytes instanceof Uint8Array ? copyBytes(args.bytes) : undefined;
    const sent = bytes === undefined ? args : { ...args, bytes };
    const id = calls.begin(method, sent, { receive, answer, fail }, signal !== undefined, bytes && [bytes.buffer]);
    if (signal !== undefined) unfollow = followAbort(calls, id, signal, isChange(method) ? fail : undefined);
  });
}

/** Makes a call whose answer comes in pieces. */
export function openThrough<M extends StreamMethod>(
  calls: Calls,
  method: M,
  args: Streams[M]["takes"],
  signal: AbortSignal | undefined,
): Feed<Streams[M]["items"], Streams[M]["ends"]> {
  const inbox = createInbox<Batch<Streams[M]["items"], Streams[M]["ends"]>>((credit) => {
    if (id !== undefined) calls.send({ type: "credit", id, count: credit });
  });
  const receive = (message: Unread): void => {
    const seq = readNumber(message.seq);
    try {
      if (message.type === "failed" && seq === undefined) inbox.fail(readFailure(message.error, signal));
      else if (seq === undefined) return;
      else if (message.type === "failed") inbox.put(seq, { error: readFailure(message.error, signal) });
      else if (message.type === "items") inbox.put(seq, { value: readBatch(method, message) });
    } catch (error) {
      inbox.fail(error);
      stop();
    }
  };
  const finish = (): void => {
    unfollow();
    calls.forget(id);
  };
  const stop = (): void => {
    finish();
    inbox.fail(goneError("the answer was given up"));
    if (id !== undefined) calls.send({ type: "abort", id });
  };
  let unfollow = (): void => {};
  const id =
    signal?.aborted === true
      ? undefined
      : calls.begin(method, args, { receive, answer: () => {}, fail: inbox.fail }, true);
  if (signal?.aborted === true) inbox.fail(signal.reason);
  else unfollow = followAbort(calls, id, signal, isChange(method) ? inbox.fail : undefined);
  return {
    stop,
    next: async () => {
      try {
        const batch = await inbox.take();
        if (batch.end !== undefined) finish();
        return batch;
      } catch (error) {
        finish();
        throw error;
      }
    },
  };
}

/** Makes a call whose bytes go in pieces. */
export function uploadThrough(
  calls: Calls,
  args: object,
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<FileStat> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const gate = createGate();
    const reader = stream.getReader();
    const settle = (): void => {
      unfollow();
      calls.forget(id);
      gate.shut(undefined);
      // Not awaited: a source that hangs would keep the caller.
      reader.cancel().catch(() => {});
    };
    const fail = (error: unknown): void => {
      settle();
      reject(error);
    };
    const receive = (message: Unread): void => {
      try {
        if (message.type === "credit") gate.open(readNumber(message.count) ?? 0);
        else if (message.type === "failed") fail(readFailure(message.error, signal));
      } catch (error) {
        fail(error);
      }
    };
    const answer = (value: unknown): void => {
      try {
        resolve(readStat(value));
        settle();
      } catch (error) {
        fail(error);
      }
    };
    let unfollow = (): void => {};
    const id = calls.begin("writeStream", args, { receive, answer, fail }, true);
    unfollow = followAbort(calls, id, signal, fail);
    // The answer tells how it went; what is sent in vain is nobody's failure.
    if (id !== undefined) sendChunks(calls, id, reader, gate).catch(() => {});
  });
}

async function sendChunks(
  calls: Calls,
  id: number,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  gate: Gate,
): Promise<void> {
  for (let seq = 0; ; seq += 1) {
    await gate.pass();
    try {
      const { done, value } = await reader.read();
      if (done) return void calls.send({ type: "chunk", id, seq });
      const bytes = copyBytes(value);
      calls.send({ type: "chunk", id, seq, bytes }, [bytes.buffer]);
    } catch {
      return void calls.send({ type: "chunk", id, seq, failed: true });
    }
  }
}

/** Tells the server of an abort. `fail` is called when a change then does not tell in time what came of it. */
function followAbort(
  calls: Calls,
  id: number | undefined,
  signal: AbortSignal | undefined,
  fail: ((error: unknown) => void) | undefined,
): () => void {
  if (signal === undefined || id === undefined) return () => {};
  let stopTimer = (): void => {};
  const leave = onAbort(signal, () => {
    calls.send({ type: "abort", id });
    if (fail === undefined) return;
    const late = (): void => fail(goneError("the call was given up, and what came of it was not told", signal.reason));
    stopTimer = startTimer(calls.timers, late, ABORT_GRACE);
  });
  return () => {
    leave();
    stopTimer();
  };
}
