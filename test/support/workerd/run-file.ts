/** The Node side of a test file that runs in the worker: declares the same tests and passes on how each of them ended. */
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { resolve } from "node:path";
import { afterAll, describe, inject, test } from "vitest";
import {
  bundleName,
  type Line,
  type Outcome,
  type PlainError,
  type TaskNode,
  type WorkerdContext,
} from "./protocol.ts";

/** Milliseconds the worker is given beyond a test's own time to say itself that the time is up. */
const GRACE = 5000;
/** Milliseconds a file may take to load. */
const LOAD_LIMIT = 30_000;

/** Set once the worker does not answer: later files would each wait for it in vain. */
let silent: Error | undefined;

/** Runs one test file in the worker; resolves when its tests are declared. */
export async function runFile(file: string): Promise<void> {
  if (silent) throw silent;
  const context = inject("workerd");
  const query = new URLSearchParams({ file, timeout: String(context.timeout), allowOnly: String(context.allowOnly) });
  if (context.pattern !== undefined) query.set("pattern", context.pattern);
  const session = new Session(fetch(`${context.url}?${query}`));
  const { id, tasks, errors } = await withLimit(session.tree, LOAD_LIMIT, () => `${file} did not load`);
  throwFirst(errors, context);
  declare(tasks, session, context);
  declareSuiteOutcome(id, session, context);
  afterAll(() => throwFirst(session.strays, context));
}

function declare(tasks: readonly TaskNode[], session: Session, context: WorkerdContext): void {
  for (const task of tasks) {
    if (task.mode === "todo") test.todo(task.name);
    else if (task.tasks) declareSuite(task, task.tasks, session, context);
    else declareTest(task, session, context);
  }
}

function declareSuite(suite: TaskNode, tasks: readonly TaskNode[], session: Session, context: WorkerdContext): void {
  describe.skipIf(suite.mode === "skip")(suite.name, () => {
    declare(tasks, session, context);
    declareSuiteOutcome(suite.id, session, context);
  });
}

function declareTest(task: TaskNode, session: Session, context: WorkerdContext): void {
  const limit = (task.timeout ?? context.timeout) + GRACE;
  // The name pattern is vitest's to apply; a test that it leaves out is skipped in the worker as well.
  test.skipIf(task.mode === "skip" && context.pattern === undefined)(
    task.name,
    { timeout: limit + GRACE },
    async ({ skip }) => {
      const outcome = await session.outcome(task.id, limit);
      if (outcome.state === "fail") throwFirst(outcome.errors, context);
      if (outcome.state === "fail") throw new Error("The test failed and said nothing.");
      if (outcome.state === "skip") skip(outcome.note);
    },
  );
}

/** Hooks fail their suite, not a test. */
function declareSuiteOutcome(id: string, session: Session, context: WorkerdContext): void {
  afterAll(
    async () => throwFirst((await session.outcome(id, context.timeout + GRACE)).errors, context),
    context.timeout + 2 * GRACE,
  );
}

type Tree = Extract<Line, { type: "tree" }>;

/** Reads the worker's answer and hands out its parts as they come. */
class Session {
  readonly tree: Promise<Tree>;
  /** Errors that nobody handled. */
  readonly strays: PlainError[] = [];
  readonly #tree = withResolvers<Tree>();
  readonly #outcomes = new Map<string, ReturnType<typeof withResolvers<Outcome>>>();
  /** The name of the test that began last. */
  #running = "";
  #over: (() => Promise<Outcome>) | undefined;

  constructor(response: Promise<Response>) {
    this.tree = this.#tree.promise;
    this.#read(response).then(
      () => this.#finish(async () => ({ state: "skip", errors: [], note: "not reached" })),
      (error: unknown) => this.#finish(() => Promise.reject(error)),
    );
  }

  /** Waits for the outcome of one test or suite; when it does not come in time, nothing later is waited for. */
  async outcome(id: string, limit: number): Promise<Outcome> {
    const outcome = this.#slot(id).promise;
    if (this.#over) return await Promise.race([outcome, Promise.resolve().then(this.#over)]);
    try {
      return await withLimit(
        outcome,
        limit,
        () => `The worker stopped answering in "${this.#running}" (a loop that never waits?)`,
      );
    } catch (error) {
      this.#finish(() => Promise.reject(error));
      throw error;
    }
  }

  async #read(answer: Promise<Response>): Promise<void> {
    const response = await answer;
    if (!response.ok || !response.body)
      throw new Error(`The worker answered ${response.status}: ${await response.text()}`);
    let rest = "";
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(JSON.parse(line) as Line);
    }
  }

  #take(line: Line): void {
    if (line.type === "begin") this.#running = line.name;
    if (line.type === "stray") this.strays.push(line.error);
    if (line.type === "tree") this.#tree.resolve(line);
    if (line.type === "outcome") this.#slot(line.id).resolve(line.outcome);
  }

  #slot(id: string): ReturnType<typeof withResolvers<Outcome>> {
    const slot = this.#outcomes.get(id) ?? withResolvers<Outcome>();
    this.#outcomes.set(id, slot);
    return slot;
  }

  #finish(rest: () => Promise<Outcome>): void {
    this.#over ??= rest;
    for (const slot of this.#outcomes.values()) rest().then(slot.resolve, slot.reject);
    rest().then(
      () => this.#tree.reject(new Error("The worker ended before it had loaded the file.")),
      this.#tree.reject,
    );
  }
}

function throwFirst(errors: readonly PlainError[], context: WorkerdContext): void {
  const [first] = errors;
  if (first) throw toError(first, context);
}

function toError(plain: PlainError, context: WorkerdContext): Error {
  const { message, stack, cause, ...rest } = plain;
  const error = new Error(message, cause && { cause: toError(cause, context) });
  return Object.assign(error, rest, { stack: stack === undefined ? message : mapStack(stack, context) });
}

/** Read when the first error needs it: it is large. */
let sourceMap: SourceMap | undefined;

/** Points the stack at the sources, so that the report shows the line that failed. */
function mapStack(stack: string, { map, folder }: WorkerdContext): string {
  sourceMap ??= new SourceMap(JSON.parse(readFileSync(map, "utf8")));
  const known = sourceMap;
  const places = new RegExp(`[^\\s()]*${bundleName.replace(".", "\\.")}:(\\d+):(\\d+)`, "g");
  return stack.replace(places, (place, line: string, column: string) => {
    const entry = known.findEntry(Number(line) - 1, Number(column) - 1);
    if (!("originalSource" in entry)) return place;
    return `${resolve(folder, entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

class Late extends Error {}

async function withLimit<T>(promise: Promise<T>, limit: number, what: () => string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Late(`${what()} within ${limit} ms.`)), limit);
  });
  try {
    return await Promise.race([promise, late]);
  } catch (error) {
    if (error instanceof Late) silent = error;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: unknown) => void } {
  let settle: { resolve: (value: T) => void; reject: (reason: unknown) => void } = {
    resolve: () => {},
    reject: () => {},
  };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // A part that nobody waits for must not count as unhandled.
  promise.catch(() => {});
  return { promise, ...settle };
}
