/** Makes the changes of an HTTP server once: in memory, and where there is a store also across its restarts. */

import { HoldallError } from "holdall";
import type { Clock } from "./clock.ts";
import { createKeyMemory, type Kept, type Mark } from "./key-memory.ts";
import type { KeptChange, KeyStore } from "./key-store.ts";
import { MAX_KEPT_OUTPUT } from "./limits.ts";
import { packError, protocolError, unpackError } from "./wire-error.ts";

/** A memory of changes. */
export interface ChangeMemory {
  /** Gives what came of a change, which is made if it has not been. */
  once(mark: Mark | undefined, make: (signal: AbortSignal) => Promise<unknown>): Promise<unknown>;
  /** Gives up a change, also one that has not arrived yet. */
  cancel(key: string): void;
}

/** What came of a change, or will. */
interface KeptAnswer extends Kept {
  outcome: Promise<unknown>;
}

/** Makes a memory. */
export function createChangeMemory(instance: string, clock: Clock, store: KeyStore | undefined): ChangeMemory {
  const memory = createKeyMemory<KeptAnswer>({
    instance,
    clock,
    maxBytes: MAX_KEPT_OUTPUT,
    ...(store && {
      recall: (mark) => recall(store.find(mark.key), mark),
      hasForgotten: () => store.hasForgotten(),
    }),
  });
  return {
    once: (mark, make) => {
      const start = (signal: AbortSignal): Promise<unknown> => withAbort(make(signal), signal);
      if (mark === undefined) return start(new AbortController().signal);
      return memory.once(mark, (signal) => keep(saved(start(signal), mark, store))).outcome;
    },
    cancel: memory.cancel,
  };
}

function recall(found: KeptChange | undefined, { call }: Mark): KeptAnswer | undefined {
  if (found === undefined) return undefined;
  if (found.call !== call) throw protocolError("the idempotency key belongs to another call");
  const { outcome } = found;
  return keep("error" in outcome ? Promise.reject(unpackError(outcome.error)) : Promise.resolve(outcome.value));
}

/** Saves what comes of a change before anybody is told. */
function saved(outcome: Promise<unknown>, { key, call }: Mark, store: KeyStore | undefined): Promise<unknown> {
  if (store === undefined) return outcome;
  return outcome.then(
    (value) => {
      store.save(key, { call, outcome: { value } });
      return value;
    },
    (error: unknown) => {
      // Of what failed for the moment nothing is kept: asked again, it may be made.
      if (!HoldallError.is(error) || !error.retryable) store.save(key, { call, outcome: { error: packError(error) } });
      throw error;
    },
  );
}

function keep(outcome: Promise<unknown>): KeptAnswer {
  let isBusy = true;
  const settle = (): void => {
    isBusy = false;
  };
  outcome.then(settle, settle);
  return { outcome, isBusy: () => isBusy, size: () => 200 };
}

/** Makes an abort an error that a client understands; its reason is of no use there. */
async function withAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw unpackError(packError(error, signal));
  }
}
