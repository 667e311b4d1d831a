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
    return new Promise((resolve, reject) => {
      this.#askers.push({ resolve, reject });
      this.#serve();
    });
  }

  async return(value: R | PromiseLike<R>): Promise<IteratorResult<T, R>> {
    if (!this.#over) await this.#leave();
    return { done: true, value: await value };
  }

  async throw(error: unknown): Promise<IteratorResult<T, R>> {
    await this.return(undefined as R);
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #start(): void {
    // What is thrown at once is a rejection like any other.
    this.#running = (async () => this.#produce((value) => this.#push(value)))();
    const end = (outcome: Outcome<R>): void => {
      this.#outcome = outcome;
      this.#serve();
    };
    this.#running.then(
      (value) => end({ value }),
      (error: unknown) => end({ error }),
    );
  }

  #push(value: T): Promise<void> {
    if (this.#over || this.#outcome !== undefined) return Promise.resolve();
    return new Promise((release) => {
      this.#pushed.push({ value, release });
      this.#serve();
    });
  }

  /** Answers those who ask, in order, as far as there is something to say. */
  #serve(): void {
    const outcome = this.#outcome;
    while (this.#askers.length > 0 && (this.#pushed.length > 0 || this.#over || outcome !== undefined)) {
      const asker = this.#askers.shift();
      const pushed = this.#pushed.shift();
      if (pushed !== undefined) {
        // Whoever has asked for the next value already holds nobody up.
        if (this.#askers.length > 0) pushed.release();
        else this.#release = pushed.release;
        asker?.resolve({ done: false, value: pushed.value });
        continue;
      }
      // The first one is told the outcome, the others only that it is over.
      if (this.#over || outcome === undefined) asker?.resolve({ done: true, value: undefined as R });
      else if ("error" in outcome) asker?.reject(outcome.error);
      else asker?.resolve({ done: true, value: outcome.value });
      this.#over = true;
    }
  }

  async #leave(): Promise<void> {
    this.#over = true;
    this.#release?.();
    for (const { release } of this.#pushed.splice(0)) release();
    this.#serve();
    if (this.#running === undefined) return;
    this.#onLeave();
    await this.#running.catch(() => {});
  }
}
