/** Gives events their id, time and reply, applies them to the reply, then sends them on. */

import type { Clock, MakeId } from "../base/ids.ts";
import type { Sink } from "../base/streams.ts";
import { applyEvent } from "../event/apply-event.ts";
import type { AgentEvent, EventBody } from "../event/events.ts";
import type { Message } from "../message/message.ts";

/** Takes what an event is about. */
export type Emit = (body: EventBody) => Promise<void>;

/**
 * Makes the one way by which a reply changes: whatever the agent keeps, a client that saw the same events has too.
 *
 * @param message The reply.
 * @param sink Takes the events; its promise is back-pressure.
 */
export function createEmit(message: Message, sink: Sink<AgentEvent> | undefined, clock: Clock, makeId: MakeId): Emit {
  return async (body) => {
    const event: AgentEvent = { id: makeId(), createdAt: clock(), replyId: message.id, ...body };
    applyEvent(message, event);
    await sink?.(event);
  };
}
