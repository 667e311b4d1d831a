/** A push core made into a pull face. */

/**
 * Turns a push core into a pull face: runs `produce` with a sink and yields what it pushes.
 *
 * The sink's promise resolves when the consumer asks for the next value, so a slow consumer slows the producer and
 * nothing piles up. Leaving the loop early lets every waiting push resolve, calls `onLeave`, then waits for the producer
 * to end; what it pushes until then goes nowhere.
 *
 * @param produce The push core; it starts when the first value is asked for.
 * @param onLeave Called when the consumer leaves before the end; it should stop the producer.
 * @returns The generator; its return value is what `produce` resolved to, and it throws what `produce` rejected with.
 */
export function pull<T, R>(
  produce: (sink: (value: T) => Promise<void>) => Promise<R>,
  onLeave: () => void,
): AsyncGenerator<T, R, undefined> {
  return new PullFace(produce, onLeave);
}

interface Pushed<T> {
  value: T;
  release(): void;
}

interface Asker<T, R> {
  resolve(step: IteratorResult<T, R>): void;
  reject(error: unknown): void;
}

/** How the producer ended. */
type Outcome<R> = { value: R } | { error: unknown };

/** Newer engines close what is declared with `await using` by this. */
const dispose: PropertyKey = (Symbol as { asyncDispose?: symbol }).asyncDispose ?? "asyncDispose";

/** Written out for speed only: an async generator makes several promises more for each value. */
class PullFace<T, R> implements AsyncGenerator<T, R, undefined> {
  readonly #produce: (sink: (value: T) => Promise<void>) => Promise<R>;
  readonly #onLeave: () => void;
  #running: Promise<R> | undefined;
  /** What nobody has asked for yet. */
  #pushed: Pushed<T>[] = [];
  #askers: Asker<T, R>[] = [];
  /** Lets the producer go on; there while the consumer is busy with a value. */
  #release: (() => void) | undefined;
  #outcome: Outcome<R> | undefined;
  /** Whether the consumer has left or was told the end. */
  #over = false;

  constructor(produce: (sink: (value: T) => Promise<void>) => Promise<R>, onLeave: () => void) {
    this.#produce = produce;
    this.#onLeave = onLeave;
  }

  next(): Promise<IteratorResult<T, R>> {
    if (this.#running === undefined && !this.#over) this.#start();
    this.#release?.();
    this.#release = undefined;
    const pushed = this.#pushed.shift();
    if (pushed !== undefined) {
      this.#release = pushed.release;
      return Promise.resolve({ done: false, value: pushed.value });
    }
    return new Promise((resolve, reject) => {
      this.#askers.push({ resolve, reject });
      this.#answerEnd();
    });
  }

  async return(value: R | PromiseLike<R>): Promise<IteratorResult<T, R>> {
    await this.#leave();
    return { done: true, value: await value };
  }

  async throw(error: unknown): Promise<IteratorResult<T, R>> {
    await this.#leave();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [dispose](): Promise<void> {
    await this.#leave();
  }

  #start(): void {
    this.#running = this.#begin();
    const end = (outcome: Outcome<R>): void => {
      this.#outcome = outcome;
      this.#answerEnd();
    };
    this.#running.then(
      (value) => end({ value }),
      (error: unknown) => end({ error }),
    );
  }

  /** What is thrown at once is a rejection like any other. */
  async #begin(): Promise<R> {
    return this.#produce((value) => this.#push(value));
  }

  #push(value: T): Promise<void> {
    if (this.#over || this.#outcome !== undefined) return Promise.resolve();
    return new Promise((release) => {
      const asker = this.#askers.shift();
      if (asker === undefined) this.#pushed.push({ value, release });
      else {
        // Whoever has asked for the next value already holds nobody up.
        if (this.#askers.length > 0) release();
        else this.#release = release;
        asker.resolve({ done: false, value });
      }
    });
  }

  /** Tells the end to all who ask: the first one gets the outcome. */
  #answerEnd(): void {
    if (!this.#over && this.#outcome === undefined) return;
    for (const asker of this.#askers.splice(0)) {
      if (this.#over || this.#outcome === undefined) asker.resolve({ done: true, value: undefined as R });
      else if ("error" in this.#outcome) asker.reject(this.#outcome.error);
      else asker.resolve({ done: true, value: this.#outcome.value });
      this.#over = true;
    }
  }

  async #leave(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    this.#release?.();
    for (const { release } of this.#pushed.splice(0)) release();
    this.#answerEnd();
    if (this.#running === undefined) return;
    this.#onLeave();
    await this.#running.catch(() => {});
  }
}
