/** An agent: a model and a toolkit that take turns. */

import { onAbort } from "../base/abort.ts";
import { HoldallError } from "../base/errors.ts";
import { makeId } from "../base/ids.ts";
import { pull } from "../base/pull.ts";
import type { AgentEvent } from "../event/events.ts";
import type { Message } from "../message/message.ts";
import { PermissionEngine } from "../permission/engine.ts";
import { type AgentState, createAgentState } from "../state/agent-state.ts";
import { Toolkit } from "../toolkit/toolkit.ts";
import { runReply } from "./loop.ts";
import { type AgentOptions, type AgentSetup, DEFAULT_MAX_ITERATIONS } from "./setup.ts";
import type { ReplyInput, ReplyOptions } from "./turn.ts";

/** Conversations that a reply is running in; two at once would tear the state. */
const busy = new WeakSet<AgentState>();

/**
 * Lets a model work with tools. It holds nothing of a conversation: all of that is in the state it is given.
 *
 * @example
 * const agent = new Agent({ name: "helper", model, toolkit });
 * const state = createAgentState();
 * for await (const event of agent.stream("What is in the README?", { state })) show(event);
 */
export class Agent {
  readonly #setup: AgentSetup;

  constructor(options: AgentOptions) {
    this.#setup = {
      name: options.name,
      model: options.model,
      toolkit: options.toolkit ?? new Toolkit(),
      system: options.system,
      reminders: options.reminders ?? [],
      permission: options.permission ?? new PermissionEngine(),
      maxIterations: options.maxIterations ?? DEFAULT_MAX_ITERATIONS,
      id: options.id ?? makeId(),
      clock: options.clock ?? Date.now,
      makeId: options.makeId ?? makeId,
    };
  }

  /**
   * Replies, and gives the events as they happen; the generator returns the reply. Leaving the loop early interrupts
   * it. When the reply waits for somebody outside, the generator ends and the next call passes the answer.
   *
   * @param input A message, or an answer to what the reply waits for.
   * @param options The conversation, the context, the signal.
   * @throws HoldallError `REPLY_BUSY`, `REPLY_AWAITING`, `REPLY_NOT_AWAITING`, `ANSWER_INVALID`, and what the model
   * throws.
   */
  stream(input: ReplyInput, options: ReplyOptions = {}): AsyncGenerator<AgentEvent, Message, undefined> {
    const left = new AbortController();
    const stop = onAbort(options.signal, (reason) => left.abort(reason));
    const produce = (sink: (event: AgentEvent) => Promise<void>): Promise<Message> =>
      this.#run(input, { ...options, signal: left.signal }, sink).finally(stop);
    return pull(produce, () => left.abort(new DOMException("The consumer left.", "AbortError")));
  }

  /**
   * Replies, and gives the reply when it has ended or waits for somebody outside.
   *
   * @param input A message, or an answer to what the reply waits for.
   * @param options The conversation, the context, the signal.
   * @throws The same as {@link Agent.stream}.
   */
  reply(input: ReplyInput, options: ReplyOptions = {}): Promise<Message> {
    return this.#run(input, options);
  }

  async #run(input: ReplyInput, options: ReplyOptions, sink?: (event: AgentEvent) => Promise<void>): Promise<Message> {
    const state = options.state ?? createAgentState();
    if (busy.has(state)) {
      throw new HoldallError(
        "REPLY_BUSY",
        "a reply is running in this conversation. Wait for it, or abort it, before the next one.",
      );
    }
    busy.add(state);
    try {
      return await runReply(this.#setup, input, state, options, sink);
    } finally {
      busy.delete(state);
    }
  }
}
