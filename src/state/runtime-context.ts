/** What a caller hands along with one call: who asks, and values that tools may take by key. */

import { HoldallError } from "../base/errors.ts";

/** A typed key made by {@link contextKey}. */
export interface ContextKey<T> {
  readonly name: string;
  /** Only there for the type. */
  readonly valueType?: T;
}

/** A class whose instances are kept under the class itself. */
export type ContextClass<T> = abstract new (...args: never[]) => T;

/** Anything that names a typed value. */
export type TypedKey<T> = ContextKey<T> | ContextClass<T>;

/** Who asks. */
export interface RuntimeContextOptions {
  userId?: string;
  sessionId?: string;
}

/**
 * Makes a key for a typed value. Two keys of the same name are different keys.
 *
 * @param name The name to show in errors.
 */
export function contextKey<T>(name: string): ContextKey<T> {
  return Object.freeze({ name });
}

/**
 * Carries values from a caller through middleware to the tools of one call. It is never part of a schema, an event or
 * the state, and nothing keeps it when the call has ended.
 */
export class RuntimeContext {
  readonly userId: string | undefined;
  readonly sessionId: string | undefined;
  readonly #values = new Map<unknown, unknown>();

  constructor(options: RuntimeContextOptions = {}) {
    this.userId = options.userId;
    this.sessionId = options.sessionId;
  }

  /**
   * Keeps a value under a string, a key or a class; a value already there is replaced.
   *
   * @returns The context itself, so that calls chain.
   */
  put<T>(key: TypedKey<T>, value: T): this;
  put(key: string, value: unknown): this;
  put(key: unknown, value: unknown): this {
    this.#values.set(key, value);
    return this;
  }

  /**
   * Gives the value kept under a key, or undefined. Values under strings come as `unknown`.
   *
   * A class also finds what is kept under a class that extends it, first put first found, and `RuntimeContext` finds
   * the context itself.
   */
  get<T>(key: TypedKey<T>): T | undefined;
  get(key: string): unknown;
  get(key: unknown): unknown {
    if (typeof key !== "function" || this.#values.has(key)) return this.#values.get(key);
    for (const [other, value] of this.#values) {
      if (typeof other === "function" && isOrExtends(other, key)) return value;
    }
    return isOrExtends(this.constructor, key) ? this : undefined;
  }

  /**
   * Gives the value kept under a key.
   *
   * @throws HoldallError `CONTEXT_MISSING` when there is none.
   */
  require<T>(key: TypedKey<T>): T {
    const value = this.get(key);
    if (value === undefined) {
      const name = key.name === "" ? "(anonymous)" : key.name;
      throw new HoldallError(
        "CONTEXT_MISSING",
        `the runtime context has no value for ${name}. Put one in before the call.`,
        { data: { key: name } },
      );
    }
    return value;
  }
}

function isOrExtends(child: object, parent: object): boolean {
  return child === parent || Object.prototype.isPrototypeOf.call(parent, child);
}
