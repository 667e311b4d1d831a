/** What the worker tells about the test file it runs: one JSON value a line, the tree of its tests first. */

/** A test or suite as the file declared it. */
export interface TaskNode {
  id: string;
  name: string;
  /** `todo` and `skip` are not run. */
  mode: "run" | "skip" | "todo";
  /** Milliseconds the worker gives it; suites have none. */
  timeout?: number;
  /** Present on suites. */
  tasks?: TaskNode[];
}

/** An error that crossed from the worker; `actual` and `expected` are printed values. */
export interface PlainError {
  name?: string;
  message: string;
  stack?: string;
  actual?: string;
  expected?: string;
  diff?: string;
  cause?: PlainError;
}

/** How a test ended, or what failed around the tests of a suite (`pass` when nothing did). */
export interface Outcome {
  state: "pass" | "fail" | "skip";
  errors: PlainError[];
  note?: string;
}

/** One line of the answer. A stray error is one that nobody handled. */
export type Line =
  | { type: "tree"; id: string; tasks: TaskNode[]; errors: PlainError[] }
  | { type: "begin"; name: string }
  | { type: "outcome"; id: string; outcome: Outcome }
  | { type: "stray"; error: PlainError }
  | { type: "end" };

/** What the Node side is given by the project's set-up. */
export interface WorkerdContext {
  /** Where the worker listens. */
  url: string;
  /** Milliseconds a test has when it names no time of its own. */
  timeout: number;
  /** The source of the pattern that test names must match. */
  pattern: string | undefined;
  /** Whether a test may be marked `only`. */
  allowOnly: boolean;
  /** The file that holds the bundle's source map. */
  map: string;
  /** The folder that the map's sources are relative to. */
  folder: string;
}

/** The name of the bundle, as it stands in stacks. */
export const bundleName = "tests.mjs";

declare module "vitest" {
  interface ProvidedContext {
    workerd: WorkerdContext;
  }
}
