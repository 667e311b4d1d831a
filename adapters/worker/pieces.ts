/** Holds output until somebody reads it. */

/** A list that grows at one end while it is read from the start. */
export interface Pieces<T> extends AsyncIterable<T> {
  push(piece: T): void;
  /** No more pieces come; whoever reads gets to the end. */
  end(): void;
}

/** Makes an empty list; each reader starts with the first piece. */
export function createPieces<T>(): Pieces<T> {
  const pieces: T[] = [];
  const waiting = new Set<() => void>();
  let ended = false;
  const changed = (): void => {
    for (const wake of waiting) wake();
    waiting.clear();
  };
  return {
    push: (piece) => {
      pieces.push(piece);
      changed();
    },
    end: () => {
      ended = true;
      changed();
    },
    async *[Symbol.asyncIterator]() {
      for (let at = 0; ; ) {
        const ready = pieces.slice(at);
        yield* ready;
        at += ready.length;
        if (at < pieces.length) continue;
        if (ended) return;
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
  };
}
