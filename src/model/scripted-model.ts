/** A chat model that follows a script instead of thinking: it needs no key, no network and no luck. */

import { abortable, delay, hostTimers, type Timers } from "../base/abort.ts";
import { type MakeId, makeId } from "../base/ids.ts";
import type { Usage } from "../message/message.ts";
import type { ChatModel, ModelPart, ModelRequest, StopReason } from "./chat-model.ts";

/** A tool call in a script. */
export interface ScriptedCall {
  name: string;
  /** An object, or the JSON text itself, which need not be valid. */
  input: object | string;
  /** Made up when left out. */
  id?: string;
}

/** One answer in a script; thinking comes first, then text, then the calls. */
export interface ScriptedAnswer {
  thinking?: string;
  text?: string;
  calls?: readonly ScriptedCall[];
  /** Defaults to `tool_calls` with calls and to `stop` without. */
  reason?: StopReason;
  usage?: Usage;
}

/** An answer, or a function that looks at the request and decides on one; what it throws, the stream throws. */
export type ScriptedStep = ScriptedAnswer | ((request: ModelRequest) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** How a script is played. */
export interface ScriptedModelOptions {
  /** Defaults to `script`. */
  name?: string;
  /** Media types the model claims to take. Defaults to none. */
  inputTypes?: readonly string[];
  /** The wait before each piece of text or arguments, in milliseconds. Defaults to 0, which means no wait at all. */
  delayMs?: number;
  /** The length of a piece in UTF-16 units. Defaults to 12. */
  pieceLength?: number;
  /** Defaults to the host's timers. */
  timers?: Timers;
  /** Makes the ids of blocks and calls. */
  makeId?: MakeId;
}

/**
 * Makes a model that answers with one step of a script after the other, streamed in small pieces.
 *
 * The model counts its requests, so one conversation at a time should use it. When the steps have run out, it says so.
 *
 * @param steps The answers in order.
 * @example
 * const model = scriptedModel([
 *   { text: "I look.", calls: [{ name: "Read", input: { file_path: "/notes.txt" } }] },
 *   { text: "It says hello." },
 * ]);
 */
export function scriptedModel(steps: readonly ScriptedStep[], options: ScriptedModelOptions = {}): ChatModel {
  let next = 0;
  return {
    name: options.name ?? "script",
    ...(options.inputTypes === undefined ? {} : { inputTypes: options.inputTypes }),
    async *stream(request) {
      const { signal } = request;
      if (signal?.aborted) throw signal.reason;
      const step = steps[next] ?? { text: `The script has ended: it has ${steps.length} steps, and all were played.` };
      next += 1;
      const answer = typeof step === "function" ? await abortable(decide(step, request), signal) : step;
      for (const part of answerParts(answer, options)) {
        if (signal?.aborted) throw signal.reason;
        if ("delta" in part && options.delayMs) await delay(options.delayMs, signal, options.timers ?? hostTimers);
        yield part;
      }
    },
  };
}

/** Async, so that a step that throws at once fails like any other. */
async function decide(step: Exclude<ScriptedStep, ScriptedAnswer>, request: ModelRequest): Promise<ScriptedAnswer> {
  return step(request);
}

function* answerParts(answer: ScriptedAnswer, options: ScriptedModelOptions): Generator<ModelPart> {
  const { thinking = "", text = "", calls = [], usage } = answer;
  const { pieceLength = 12 } = options;
  const newId = options.makeId ?? makeId;
  if (thinking !== "") yield* blockParts("thinking", newId(), thinking, pieceLength);
  if (text !== "") yield* blockParts("text", newId(), text, pieceLength);
  for (const call of calls) {
    const id = call.id ?? newId();
    yield { type: "tool_call_start", id, name: call.name };
    const input = typeof call.input === "string" ? call.input : JSON.stringify(call.input);
    yield* blockParts("tool_call_delta", id, input, pieceLength);
    yield { type: "tool_call_end", id };
  }
  const reason = answer.reason ?? (calls.length > 0 ? "tool_calls" : "stop");
  yield { type: "finish", reason, ...(usage === undefined ? {} : { usage }) };
}

function* blockParts(
  type: "text" | "thinking" | "tool_call_delta",
  id: string,
  text: string,
  length: number,
): Generator<ModelPart> {
  let piece = "";
  // By characters, not by units: half a surrogate pair is no text.
  for (const character of text) {
    piece += character;
    if (piece.length < length) continue;
    yield { type, id, delta: piece };
    piece = "";
  }
  if (piece !== "") yield { type, id, delta: piece };
}
