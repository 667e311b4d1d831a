/** Server-sent events out of text that comes in pieces. */

import { createParser, type EventSourceMessage } from "eventsource-parser";
import { streamError } from "./model-error.ts";

/** The longest event, in UTF-16 units; it leaves room for an image in one line. */
export const MAX_EVENT_LENGTH: number = 16 * 1024 * 1024;

/** A reader of events. */
export interface ServerEvents {
  /**
   * Takes a piece of the stream and gives the events it completes.
   *
   * @throws HoldallError `MODEL_STREAM`, behind the events before it, when one grows too long.
   */
  feed(text: string): Iterable<EventSourceMessage>;
  /** Gives the event that lacks its closing blank line, if there is one. */
  end(): Iterable<EventSourceMessage>;
}

/** Starts a reader of events. */
export function createServerEvents(maxLength: number = MAX_EVENT_LENGTH): ServerEvents {
  let events: EventSourceMessage[] = [];
  let overflow = false;
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: (event) => {
      events.push(event);
    },
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") overflow = true;
    },
  });
  function* feed(text: string): Generator<EventSourceMessage> {
    if (text === "") return;
    parser.feed(text);
    const ready = events;
    events = [];
    yield* ready;
    if (overflow) {
      throw streamError(`the server sent an event longer than ${maxLength} characters`, "Ask for a shorter answer.");
    }
  }
  return { feed, end: () => feed("\n\n") };
}
