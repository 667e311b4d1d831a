/** Runs replies: starts them, shows their events, hands over the person's answers, stops them. */
import { Agent, type ChatModel, errorText, type PermissionRule, type ReplyInput } from "holdall";
import { permission } from "../permission/engine.ts";
import { type Driver, type Run, type Store, startConversation, touchConversation } from "../store/store.ts";
import { createEventBuffer } from "./event-buffer.ts";
import { findQuestion } from "./question.ts";

/** What the person says to a question. */
export type Answer =
  | {
      kind: "allow";
      rules?: PermissionRule[] /** Another input than the model's; it is checked again. */;
      input?: string;
    }
  | { kind: "deny"; feedback?: string };

const system = [
  "You work on the files under /workspace, which exist only in the memory of a browser tab.",
  "Use absolute paths. Look at a file before you change it, and keep changes small.",
  "The shell understands bash with the usual text tools (grep, sed, awk, jq, sort, diff and the like);",
  "it has no network, no node, no python and no git.",
  "When you are done, say in a few sentences what you found and what you changed.",
].join(" ");

/** Lets a model reply to a message. Does nothing while another reply is under way. */
export async function startReply(store: Store, driver: Driver, model: ChatModel, input: ReplyInput): Promise<void> {
  if (store.run.value !== undefined) return;
  const agent = new Agent({ name: model.name, model, toolkit: store.toolkit.value, permission, system });
  await drive(store, { agent, driver, controller: new AbortController() }, input);
}

/** Hands over the answer to the open question; the reply goes on. */
export async function answerQuestion(store: Store, answer: Answer): Promise<void> {
  const question = store.question.value;
  const run = store.run.value;
  if (question === undefined || run === undefined) return;
  store.question.value = undefined;
  const { call: toolCall } = question;
  const result =
    answer.kind === "allow"
      ? { confirmed: true, toolCall: { ...toolCall, input: answer.input ?? toolCall.input }, rules: answer.rules ?? [] }
      : { confirmed: false, toolCall, ...(answer.feedback ? { feedback: answer.feedback } : {}) };
  await drive(store, run, { type: "USER_CONFIRM_RESULT", confirmResults: [result] });
}

/** Stops the reply, whether it runs or waits; resolves once it has ended. */
export async function stop(store: Store): Promise<void> {
  const run = store.run.value;
  if (run === undefined) return;
  if (store.question.value !== undefined) {
    store.question.value = undefined;
    return drive(store, run, { type: "USER_INTERRUPT" });
  }
  run.controller.abort(new DOMException("Stopped by the person.", "AbortError"));
  await new Promise<void>((resolve) => {
    const done = store.run.subscribe((current) => {
      if (current === run) return;
      resolve();
      queueMicrotask(() => done());
    });
  });
}

/** Starts a new conversation about the same files; mode and rules stay. */
export async function newConversation(store: Store): Promise<void> {
  await stop(store);
  store.conversation.value = startConversation(store.conversation.value.state.permission);
  store.events.value = [];
  store.changes.value = new Map();
  store.problem.value = undefined;
}

async function drive(store: Store, run: Run, input: ReplyInput): Promise<void> {
  const { state } = store.conversation.value;
  const buffer = createEventBuffer(store);
  store.run.value = run;
  store.problem.value = undefined;
  try {
    // What the person typed shall be in the files before anybody reads them.
    await store.keeper.flush();
    for await (const event of run.agent.stream(input, { state, signal: run.controller.signal })) buffer.add(event);
  } catch (error) {
    store.problem.value = errorText(error);
  } finally {
    buffer.flush();
    touchConversation(store);
    store.question.value = findQuestion(store);
    if (store.question.value === undefined) store.run.value = undefined;
  }
}
