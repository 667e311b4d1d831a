/** Reads the bytes of a chat answer, be it a stream of events or one JSON document, into parts. */

import type { EventSourceMessage } from "eventsource-parser";
import type { ModelPart } from "./chat-model.ts";
import { quote, streamError } from "./model-error.ts";
import { type AnswerOptions, createChunks, reportedError } from "./openai-parts.ts";
import { createServerEvents } from "./server-events.ts";

/** An answer that is being read. */
export interface Answer {
  /** Whether the server said that nothing follows. */
  readonly done: boolean;
  /** Whether the model said why it stopped; what is still missing then is no loss. */
  readonly complete: boolean;
  /**
   * Takes the next bytes; a character or a line may be split anywhere.
   *
   * @throws HoldallError `MODEL_STREAM`, behind the parts before it.
   */
  feed(bytes: Uint8Array): Iterable<ModelPart>;
  /**
   * Ends the answer.
   *
   * @throws HoldallError `MODEL_STREAM` when it broke off.
   */
  end(): Iterable<ModelPart>;
}

/** Starts an answer; what kind it is shows its first character, since servers mislabel both. */
export function createAnswer(options: AnswerOptions): Answer {
  const decoder = new TextDecoder();
  const chunks = createChunks(options);
  const events = createServerEvents();
  const document: string[] = [];
  let kind: "unknown" | "events" | "document" = "unknown";
  let beginning = "";
  let done = false;
  let ended = false;

  function* takeEvent(event: EventSourceMessage): Generator<ModelPart> {
    const data = event.data.trim();
    if (done || data === "") return;
    if (data === "[DONE]") {
      done = true;
      return;
    }
    const value = parse(data);
    if (event.event === "error") throw reportedError(value ?? data, options.redact);
    if (value !== undefined) yield* chunks.take(value);
    // The last event may have been cut; whether that matters is decided at the end.
    else if (!ended) throw notJson(data);
  }

  function* takeText(text: string): Generator<ModelPart> {
    const fresh = kind === "unknown" ? text.trimStart() : text;
    if (fresh === "") return;
    if (kind === "unknown") kind = fresh.startsWith("{") || fresh.startsWith("[") ? "document" : "events";
    if (beginning.length < MAX_BEGINNING) beginning += fresh.slice(0, MAX_BEGINNING);
    if (kind === "document") document.push(fresh);
    else for (const event of events.feed(fresh)) yield* takeEvent(event);
  }

  function* takeDocument(): Generator<ModelPart> {
    const text = document.join("");
    const value = parse(text);
    if (value === undefined) throw notJson(text);
    yield* chunks.take(Array.isArray(value) && value.length === 1 ? value[0] : value);
    done = true;
  }

  function notJson(text: string): Error {
    return streamError(`the server sent what is not JSON (${quote(options.redact(text))})`, fixBaseUrl);
  }

  function noAnswer(): Error {
    const said = beginning.startsWith("<") ? "a page of HTML" : quote(options.redact(beginning));
    return streamError(`the server sent no chat answer (${said === "" ? "nothing" : said})`, fixBaseUrl);
  }

  return {
    get done() {
      return done;
    },
    get complete() {
      return chunks.complete;
    },
    feed: (bytes) => takeText(decoder.decode(bytes, { stream: true })),
    *end() {
      yield* takeText(decoder.decode());
      ended = true;
      if (kind === "document") yield* takeDocument();
      else if (!done) for (const event of events.end()) yield* takeEvent(event);
      if (!chunks.started) throw noAnswer();
      if (!done && !chunks.complete) {
        throw streamError("the answer broke off before the model was done", "Ask again.", { retryable: true });
      }
      yield* chunks.finish();
    },
  };
}

const fixBaseUrl = "Check that baseUrl leads to an OpenAI-compatible server.";

/** Of what a server sends, this much is kept for the message when it turns out to be no answer. */
const MAX_BEGINNING = 4096;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
