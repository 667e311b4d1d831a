/** The one error class: what a programmer got wrong, or what a host refused, with a stable code. */

const brand: unique symbol = Symbol.for("holdall.error") as never;

/** Extra facts of an error, plain JSON where possible. */
export type ErrorData = Readonly<Record<string, unknown>>;

/** What may be given beside code and message. */
export interface HoldallErrorOptions {
  /** Facts a program can act on, such as the path or the accepted values. */
  data?: ErrorData;
  /** The error that led to this one. */
  cause?: unknown;
  /** Whether the same call may succeed when it is made again. Defaults to false. */
  retryable?: boolean;
}

/**
 * Signals a programmer's mistake or a host's refusal.
 *
 * The message reads `CODE: what happened. what to do`. Two copies of the package in one program recognise each
 * other's errors through {@link HoldallError.is}.
 */
export class HoldallError extends Error {
  /** The stable code, such as `FS_NOT_FOUND`. */
  readonly code: string;
  /** Facts a program can act on. */
  readonly data: ErrorData;
  /** Whether the same call may succeed when it is made again. */
  readonly retryable: boolean;

  /**
   * @param code The stable code, upper case with underscores.
   * @param message The sentence that says what happened, and the one that says what to do.
   * @param options The facts, the cause and whether a retry may help.
   */
  constructor(code: string, message: string, options: HoldallErrorOptions = {}) {
    super(`${code}: ${message}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "HoldallError";
    this.code = code;
    this.data = options.data ?? {};
    this.retryable = options.retryable ?? false;
    Object.defineProperty(this, brand, { value: true });
  }

  /**
   * Tells whether a value is an error of this package, whichever copy of the package made it.
   *
   * @param value The value to look at.
   * @param code The code it must carry; any when left out.
   */
  static is(value: unknown, code?: string): value is HoldallError {
    if (!(value instanceof Error) || !(brand in value)) return false;
    return code === undefined || ("code" in value && value.code === code);
  }
}

/**
 * Reads the sentence of an error without its code, for people and models.
 *
 * @param error The thrown value, of any kind.
 */
export function errorText(error: unknown): string {
  if (HoldallError.is(error)) return error.message.slice(error.code.length + 2);
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  if (typeof error === "string") return error;
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    // A cycle or a bigint.
  }
  try {
    return String(error);
  } catch {
    return "an error that cannot be shown";
  }
}
