/** A task at DashScope: handed in, looked at until it has ended, cancelled when nobody waits for it any more. */

import { delay, startDeadline } from "../../base/abort.ts";
import { errorText, HoldallError } from "../../base/errors.ts";
import { isRecord, type JsonObject } from "../../base/json.ts";
import { isRetryableStatus, quote } from "../../model/model-error.ts";
import type { ToolCallContext } from "../../tool/tool.ts";
import { textOf } from "./fields.ts";
import { MAX_ANSWER, MAX_POLL_FAILURES, MAX_POLLS } from "./limits.ts";
import type { Provider } from "./provider.ts";
import { answerError } from "./provider-error.ts";
import { askJson, askOnce, readJson } from "./request.ts";

/** What a finished task left. */
export interface TaskResult {
  taskId: string;
  output: Record<string, unknown>;
  usage: unknown;
}

/** Milliseconds that cancelling a task may take; nobody waits for it. */
const CANCEL_TIMEOUT = 10_000;

/** Milliseconds beyond the waiting for a task that a call may need to read media, to hand in and to download. */
const MARGIN = 120_000;

/** Gives the deadline for a whole call that runs a task; the task's own comes first and says more. */
export function taskCallTimeout({ waiting, requestMs }: Provider): number {
  return waiting.timeoutMs + 3 * requestMs + MARGIN;
}

/**
 * Runs a task to its end.
 *
 * An abort ends the waiting at once and asks DashScope to cancel the task; that works there only until the task begins.
 * A look that fails in passing is made again with the next one, {@link MAX_POLL_FAILURES} in a row at most.
 *
 * @param provider Whom to ask.
 * @param path The endpoint that takes the task.
 * @param json The task.
 * @param call The call; it shows the progress.
 * @throws The signal's reason, or a HoldallError that is not retryable once the task has been taken.
 */
export async function runTask(
  provider: Provider,
  path: string,
  json: JsonObject,
  call: ToolCallContext,
): Promise<TaskResult> {
  const headers = { "x-dashscope-async": "enable" };
  const taken = await askJson(provider, { path, json, headers, maxBytes: MAX_ANSWER }, call.signal);
  const taskId = readTaskId(provider, taken);
  const { waiting, timers } = provider;
  const deadline = startDeadline(call.signal, waiting.timeoutMs, "the task", timers);
  const shownId = provider.redact(taskId);
  const task: Task = { provider, taskId, shownId, call, signal: deadline.signal, status: "PENDING" };
  try {
    return await follow(task);
  } catch (error) {
    if (!call.signal.aborted && !deadline.expired) throw error;
    void cancel(provider, taskId);
    if (call.signal.aborted) throw call.signal.reason;
    throw failed(task, `was still ${task.status} after ${waiting.timeoutMs} ms. It was asked to stop`);
  } finally {
    deadline.close();
  }
}

interface Task {
  provider: Provider;
  taskId: string;
  /** Without secrets, whatever the provider takes for an id. */
  shownId: string;
  call: ToolCallContext;
  signal: AbortSignal;
  /** As it was last seen. */
  status: string;
}

async function follow(task: Task): Promise<TaskResult> {
  const { provider, shownId, call, signal } = task;
  const { waiting, timers } = provider;
  let failures = 0;
  for (let look = 1; look <= MAX_POLLS; look += 1) {
    await delay(Math.min(waiting.firstMs * 1.5 ** (look - 1), waiting.maxMs), signal, timers);
    const seen = await lookAt(task);
    failures = seen instanceof Error ? failures + 1 : 0;
    if (seen instanceof Error) {
      if (failures >= MAX_POLL_FAILURES) throw failed(task, `cannot be looked at (${quote(errorText(seen))})`);
      continue;
    }
    task.status = seen.status;
    call.progress({ taskId: shownId, status: seen.status, look });
    const result = conclude(task, seen);
    if (result !== undefined) return result;
  }
  throw failed(task, `was still ${task.status} after ${MAX_POLLS} looks`);
}

interface Seen {
  status: string;
  answer: Record<string, unknown>;
  output: Record<string, unknown>;
}

/** Gives what there is to see, or the failure when it may pass. */
async function lookAt({ provider, taskId, signal }: Task): Promise<Seen | Error> {
  try {
    const got = await askOnce(provider, { path: `/tasks/${taskId}`, maxBytes: MAX_ANSWER }, signal);
    const answer = readJson(provider, got);
    const output = isRecord(answer.output) ? answer.output : {};
    // It is shown as progress, so nothing but a word is taken for one.
    const status = /^[A-Z_]{1,40}$/i.exec(textOf(output.task_status) ?? "")?.[0].toUpperCase();
    return status === undefined ? answerError(provider.host, "it has no task_status") : { status, answer, output };
  } catch (error) {
    if (signal.aborted || !HoldallError.is(error) || !mayPass(error)) throw settled(error);
    return error;
  }
}

function mayPass(error: HoldallError): boolean {
  const { status } = error.data;
  return error.code !== "MODEL_HTTP" || (typeof status === "number" && isRetryableStatus(status));
}

/** The task has been taken, so nothing may make the pipeline hand it in once more. */
function settled(error: unknown): unknown {
  if (!HoldallError.is(error) || !error.retryable) return error;
  return new HoldallError(error.code, errorText(error), { data: error.data });
}

/** Gives the result of a task that has ended well; undefined while it goes on. */
function conclude(task: Task, { status, answer, output }: Seen): TaskResult | undefined {
  if (status === "SUCCEEDED") return { taskId: task.shownId, output, usage: answer.usage };
  if (status === "FAILED") {
    const words = [textOf(output.code), textOf(output.message)].filter((word) => word !== undefined).join(": ");
    throw failed(task, `failed${words === "" ? "" : ` (${quote(task.provider.redact(words))})`}`);
  }
  if (status === "CANCELED" || status === "CANCELLED") throw failed(task, "was cancelled at the provider");
  if (status === "UNKNOWN") throw failed(task, "is not known at the provider, or its result has expired");
  return undefined;
}

function failed({ shownId }: Task, what: string): HoldallError {
  return new HoldallError("MODEL_TASK", `the task ${shownId} ${what}. Ask in another way, or go on without it.`, {
    data: { taskId: shownId },
  });
}

/** The id becomes part of an address, so nothing but an id may stand in it. */
function readTaskId(provider: Provider, taken: Record<string, unknown>): string {
  const id = isRecord(taken.output) ? taken.output.task_id : undefined;
  if (typeof id === "string" && /^[\w-]{1,128}$/.test(id)) return id;
  throw answerError(provider.host, "it has no usable task_id");
}

async function cancel(provider: Provider, taskId: string): Promise<void> {
  const hurried = { ...provider, requestMs: Math.min(provider.requestMs, CANCEL_TIMEOUT) };
  const request = { path: `/tasks/${taskId}/cancel`, post: true, maxBytes: MAX_ANSWER };
  try {
    await askOnce(hurried, request, new AbortController().signal);
  } catch {
    // A task that has begun cannot be cancelled, and the call has ended either way.
  }
}
