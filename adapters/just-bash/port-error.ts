/** Errors in a form that every structured clone keeps. */

import { errorText, HoldallError } from "holdall";

/** An error on its way to another thread. */
export interface PortError {
  /** The code of a `HoldallError`; undefined for any other error. */
  code?: string;
  name: string;
  message: string;
  data?: Readonly<Record<string, unknown>>;
  retryable?: boolean;
}

/** Takes an error apart. */
export function packError(error: unknown): PortError {
  if (HoldallError.is(error)) {
    return {
      code: error.code,
      name: error.name,
      message: errorText(error),
      data: cloneable(error.data),
      retryable: error.retryable,
    };
  }
  return { name: error instanceof Error ? error.name : "Error", message: errorText(error) };
}

/** Puts an error together again: the code, message and data are the same, the stack is the receiver's. */
export function unpackError({ code, name, message, data = {}, retryable = false }: PortError): Error {
  if (code !== undefined) return new HoldallError(code, message, { data, retryable });
  return Object.assign(new Error(message), { name });
}

function cloneable(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    return structuredClone(data);
  } catch {
    return {};
  }
}
