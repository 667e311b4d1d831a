/** Puts the items of a stream together, as many as are there at once, so that each message carries its worth. */

import { MAX_ITEMS } from "./limits.ts";
import type { Batch } from "./protocol.ts";

/**
 * Gives items in batches: the first of a batch is waited for, those that come within the same turn of the event loop are
 * added. A failure comes behind the items before it.
 *
 * @param source The items; it is left when the caller leaves.
 * @param limit The most items in a batch.
 */
export async function* inBatches<TItem, TEnd>(
  source: AsyncIterator<TItem, TEnd>,
  limit: number = MAX_ITEMS,
): AsyncGenerator<Batch<TItem, TEnd>, void, undefined> {
  let next = advance(source);
  try {
    for (;;) {
      const first = await next;
      if (first.done === true) return yield { items: [], end: { value: first.value } };
      const items = [first.value];
      let end: { value: TEnd } | undefined;
      const turn = nextTurn();
      for (next = advance(source); items.length < limit; next = advance(source)) {
        const more = await Promise.race([next, turn]).catch(() => undefined);
        if (more === undefined) break;
        if (more.done === true) {
          end = { value: more.value };
          break;
        }
        items.push(more.value);
      }
      yield end === undefined ? { items } : { items, end };
      if (end !== undefined) return;
    }
  } finally {
    // Not awaited: an iterator that waits for its host would keep the caller.
    source.return?.().catch(() => {});
  }
}

function advance<TItem, TEnd>(source: AsyncIterator<TItem, TEnd>): Promise<IteratorResult<TItem, TEnd>> {
  const next = source.next();
  // It may fail while nobody asks for the next batch.
  next.catch(() => {});
  return next;
}

function nextTurn(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
