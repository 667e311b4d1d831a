/** Long work in steps, so that whoever waits for it can let others have their turn. */

/** Work that ends with a result; it stops after each step, and goes on when it is asked to. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Takes all steps at once. */
export function takeAll<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
