/** Where the outcomes of changes are kept so that they outlive the server. */

import type { WireError } from "./protocol.ts";

/** What came of a change: JSON, or an error. */
export type KeptOutcome = { value: unknown } | { error: WireError };

/** A change and what came of it. */
export interface KeptChange {
  /** The call in words. */
  call: string;
  outcome: KeptOutcome;
}

/**
 * Keeps what came of changes, for clients that ask again after the server was started anew.
 *
 * `save` must be durable together with the change itself, all or nothing: it is called in the same turn of the event loop in
 * which the change has told that it is made.
 */
export interface KeyStore {
  /** What tells this store from every other; the same after a restart. */
  readonly instance: string;
  /** Gives what was saved under a key. */
  find(key: string): KeptChange | undefined;
  /** Keeps what came of a change. */
  save(key: string, change: KeptChange): void;
  /** Whether something was let go of so early that its client may still ask. */
  hasForgotten(): boolean;
}
