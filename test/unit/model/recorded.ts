/** Answers of model servers as bytes, and what reads them back: shared by the tests of this folder. */

import type { ModelPart, ModelRequest } from "holdall/model";
import type { Timers } from "../../../src/base/abort.ts";
import type { MakeId } from "../../../src/base/ids.ts";
import { createAnswer } from "../../../src/model/openai-answer.ts";
import { createToolNames } from "../../../src/model/tool-names.ts";

/** A chunk of a streamed answer. */
export function chunk(delta: object, finish: string | null = null): object {
  return { id: "c1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] };
}

/** A chunk with one or more entries of `tool_calls`. */
export function callChunk(...entries: object[]): object {
  return chunk({ tool_calls: entries });
}

/** One entry of `tool_calls`; what is left out is not sent. */
export function entry(index: number | undefined, id: unknown, name: unknown, input: unknown): object {
  return {
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id, type: "function" }),
    function: {
      ...(name === undefined ? {} : { name }),
      ...(input === undefined ? {} : { arguments: input }),
    },
  };
}

/** The last chunk of many servers. */
export const usageChunk: object = {
  choices: [],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
};

/** Writes events; an object becomes a data line, a text stays as it is. */
export function events(...items: (object | string)[]): string {
  return items.map((item) => (typeof item === "string" ? item : `data: ${JSON.stringify(item)}\n\n`)).join("");
}

/** The line that ends a stream. */
export const DONE = "data: [DONE]\n\n";

/** Makes ids `id-1`, `id-2` and so on. */
export function countingIds(): MakeId {
  let count = 0;
  return () => {
    count += 1;
    return `id-${count}`;
  };
}

/** Text as UTF-8. */
export function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(text));
}

/** What reading an answer is given beside its bytes. */
export interface ReadOptions {
  tools?: readonly string[];
  takenIds?: readonly string[];
  secrets?: string;
}

/** Reads an answer that arrives in the given pieces, part by part. */
export function* readPieces(pieces: readonly Uint8Array[], options: ReadOptions = {}): Generator<ModelPart> {
  const answer = createAnswer({
    names: createToolNames(options.tools ?? ["search", "read"]),
    takenIds: new Set(options.takenIds),
    makeId: countingIds(),
    redact: (text) => (options.secrets === undefined ? text : text.replaceAll(options.secrets, "[redacted]")),
  });
  for (const piece of pieces) if (!answer.done) yield* answer.feed(piece);
  yield* answer.end();
}

/** Reads an answer that arrives in one piece. */
export function readText(text: string, options: ReadOptions = {}): ModelPart[] {
  return [...readPieces([bytes(text)], options)];
}

/** A whole answer, pieces joined. */
export interface Joined {
  blocks: { type: string; text: string }[];
  calls: { id: string; name: string; input: string }[];
  finish: object | undefined;
}

/** Joins the parts of an answer and checks their order: start before delta before end, nothing behind the finish. */
export function join(parts: Iterable<ModelPart>): Joined {
  const blocks = new Map<string, { type: string; text: string }>();
  const calls = new Map<string, { id: string; name: string; input: string }>();
  const ended = new Set<string>();
  let finish: object | undefined;
  for (const part of parts) {
    if (finish !== undefined) throw new Error(`a ${part.type} part came after the finish`);
    if (part.type === "finish") finish = { reason: part.reason, ...(part.usage && { usage: part.usage }) };
    else if (part.type === "tool_call_start") calls.set(part.id, { id: part.id, name: part.name, input: "" });
    else if (part.type === "tool_call_end") ended.add(part.id);
    else if (part.type === "tool_call_delta") {
      const call = calls.get(part.id);
      if (call === undefined || ended.has(part.id)) throw new Error(`a delta of ${part.id} came at the wrong time`);
      call.input += part.delta;
    } else {
      const block = blocks.get(part.id) ?? { type: part.type, text: "" };
      block.text += part.type === "data" ? `${part.mediaType} ${part.data}` : part.delta;
      blocks.set(part.id, block);
    }
  }
  if (ended.size !== calls.size) throw new Error("not every call was ended");
  return { blocks: [...blocks.values()], calls: [...calls.values()], finish };
}

/** Collects what an async iterable gives, and the error that ends it. */
export async function collect<T>(iterable: AsyncIterable<T>): Promise<{ items: T[]; error: unknown }> {
  const items: T[] = [];
  try {
    for await (const item of iterable) items.push(item);
    return { items, error: undefined };
  } catch (error) {
    return { items, error };
  }
}

/** A request with one question. */
export function question(more: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [{ id: "m1", role: "user", content: [{ type: "text", text: "Hello" }] }], ...more };
}

/** Timers that stand still until a test fires one. */
export interface ManualTimers extends Timers {
  /** Waits until a timer of that length was set so many times, once unless told. */
  waitFor(milliseconds: number, times?: number): Promise<void>;
  /** Fires the timers of that length. */
  fire(milliseconds: number): void;
  /** The lengths of all timers ever set. */
  readonly lengths: readonly number[];
  /** How many timers are set now. */
  readonly running: number;
}

/** Makes timers for a test. */
export function manualTimers(): ManualTimers {
  const running = new Map<number, { callback: () => void; milliseconds: number }>();
  const lengths: number[] = [];
  const waiting: (() => void)[] = [];
  return {
    lengths,
    get running() {
      return running.size;
    },
    set(callback, milliseconds) {
      running.set(lengths.push(milliseconds), { callback, milliseconds });
      for (const check of waiting) check();
      return lengths.length;
    },
    clear: (timer) => {
      running.delete(Number(timer));
    },
    waitFor: (milliseconds, times = 1) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (lengths.filter((length) => length === milliseconds).length >= times) resolve();
        };
        waiting.push(check);
        check();
      }),
    fire(milliseconds) {
      for (const [timer, one] of running) {
        if (one.milliseconds !== milliseconds) continue;
        running.delete(timer);
        one.callback();
      }
    },
  };
}

/** A random number generator that a seed repeats: numbers from 0 to below 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Finds the code and the message of an error, or what else was thrown. */
export function failure(run: () => unknown): { code: string; message: string; data: unknown; retryable: boolean } {
  try {
    run();
  } catch (error) {
    return described(error);
  }
  throw new Error("nothing was thrown");
}

/** Reads the facts of an error. */
export function described(error: unknown): { code: string; message: string; data: unknown; retryable: boolean } {
  if (!(error instanceof Error) || !("code" in error) || !("data" in error) || !("retryable" in error)) throw error;
  return {
    code: String(error.code),
    message: error.message,
    data: error.data,
    retryable: error.retryable === true,
  };
}
