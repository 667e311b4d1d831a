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
  let ended = false;
  let wake: () => void = () => {};
  let grown = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const changed = (): void => {
    wake();
    grown = new Promise((resolve) => {
      wake = resolve;
    });
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
      for (let at = 0; ; at += 1) {
        while (at >= pieces.length) {
          if (ended) return;
          await grown;
        }
        const piece = pieces[at];
        if (piece !== undefined) yield piece;
      }
    },
  };
}
