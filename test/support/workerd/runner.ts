/** Runs one test file inside the worker, with vitest's own runner, and tells what happens. */
import type {
  RunnerTask,
  RunnerTaskEventPack,
  RunnerTaskResult,
  RunnerTaskResultPack,
  RunnerTestCase,
  RunnerTestFile,
  TestContext,
} from "vitest";
import { createExpect, expect } from "vitest";
import { setSafeTimers, startTests } from "vitest/internal/browser";
import type { Line, Outcome, PlainError, TaskNode } from "./protocol.ts";

/** The events after which a task has its result. */
const ENDS: ReadonlySet<string> = new Set([
  "test-finished",
  "test-failed-early",
  "test-cancel",
  "suite-finished",
  "suite-failed-early",
]);

/** What the request says about the run. */
export interface RunOptions {
  /** The file's path from the root. */
  path: string;
  load: () => Promise<unknown>;
  /** Milliseconds a test or hook has when it names no time of its own. */
  timeout: number;
  /** What test names must match. */
  pattern: RegExp | undefined;
  /** Whether a test may be marked `only`. */
  allowOnly: boolean;
}

/** Runs the tests of a file, one after another; `send` gets the tree first, its promise says that the line has left. */
export async function runFile(
  { path, load, timeout, pattern, allowOnly }: RunOptions,
  send: (line: Line) => Promise<void>,
): Promise<void> {
  // The runner keeps the real timers, so that a test that fakes them still times out.
  setSafeTimers();
  const onStray = ({ reason }: PromiseRejectionEvent): void => {
    void send({ type: "stray", error: toPlainError(reason) });
  };
  globalThis.addEventListener("unhandledrejection", onStray);
  await startTests([path], {
    config: {
      root: "/",
      setupFiles: [],
      name: "workerd",
      passWithNoTests: true,
      testNamePattern: pattern,
      allowOnly,
      sequence: { seed: 1, hooks: "stack", setupFiles: "list" },
      chaiConfig: undefined,
      maxConcurrency: 5,
      testTimeout: timeout,
      hookTimeout: timeout,
      retry: 0,
      includeTaskLocation: false,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
    importFile: load,
    onCollected: ([file]: RunnerTestFile[]) =>
      file && send({ type: "tree", id: file.id, tasks: file.tasks.map(toNode), errors: toErrors(file.result) }),
    onBeforeRunTask: async ({ name }: RunnerTestCase) => {
      await send({ type: "begin", name });
      // Lines leave the worker only between two turns of its loop; a test that never ends its turn would keep them in.
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
    onBeforeTryTask: (test: RunnerTestCase) => resetExpect(test),
    onAfterTryTask: checkAssertionCount,
    onTaskUpdate: async (packs: RunnerTaskResultPack[], events: RunnerTaskEventPack[]) => {
      const results = new Map(packs.map(([id, result]) => [id, result]));
      for (const [id, event] of events) {
        if (!ENDS.has(event)) continue;
        void send({ type: "outcome", id, outcome: toOutcome(results.get(id), event.startsWith("suite")) });
      }
    },
    extendTaskContext: withExpect,
  } satisfies Parameters<typeof startTests>[1]);
  globalThis.removeEventListener("unhandledrejection", onStray);
}

function toNode(task: RunnerTask): TaskNode {
  const mode = task.mode === "skip" || task.mode === "todo" ? task.mode : "run";
  const node: TaskNode = { id: task.id, name: task.name, mode };
  return task.type === "suite" ? { ...node, tasks: task.tasks.map(toNode) } : { ...node, timeout: task.timeout };
}

function toOutcome(result: RunnerTaskResult | undefined, isSuite: boolean): Outcome {
  const errors = toErrors(result);
  // A suite's state also tells of its tests, which tell that themselves; a test that is meant to fail passes with errors.
  const failed = isSuite ? errors.length > 0 : result?.state === "fail";
  const note = result && "note" in result ? { note: String(result.note) } : {};
  return { state: failed ? "fail" : result?.state === "pass" ? "pass" : "skip", errors, ...note };
}

function toErrors(result: RunnerTaskResult | undefined): PlainError[] {
  return (result?.errors ?? []).map(toPlainError);
}

/** Makes an error a value that JSON can carry. */
export function toPlainError(value: unknown): PlainError {
  if (typeof value !== "object" || value === null) return { message: String(value) };
  const error: PlainError = { message: String("message" in value ? value.message : value) };
  for (const key of ["name", "stack", "actual", "expected", "diff"] as const) {
    const text: unknown = Reflect.get(value, key);
    if (typeof text === "string") error[key] = text;
  }
  return "cause" in value && value.cause !== undefined ? { ...error, cause: toPlainError(value.cause) } : error;
}

function resetExpect(test: RunnerTestCase): void {
  expect.setState({
    assertionCalls: 0,
    isExpectingAssertions: false,
    isExpectingAssertionsError: null,
    expectedAssertionsNumber: null,
    expectedAssertionsNumberErrorGen: null,
    currentTestName: test.fullTestName,
  });
}

function checkAssertionCount(): void {
  const { assertionCalls, expectedAssertionsNumber, expectedAssertionsNumberErrorGen, ...state } = expect.getState();
  if (expectedAssertionsNumber !== null && assertionCalls !== expectedAssertionsNumber)
    throw expectedAssertionsNumberErrorGen?.();
  if (state.isExpectingAssertions && assertionCalls === 0) throw state.isExpectingAssertionsError;
}

function withExpect(context: TestContext): TestContext {
  let own: typeof expect | undefined;
  return Object.defineProperty(context, "expect", { get: () => (own ??= createExpect(context.task)) });
}
