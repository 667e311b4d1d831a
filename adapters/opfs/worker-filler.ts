/** Fills files in a worker, where pages have no way of their own. */

import { HoldallError } from "holdall";
import { type Filler, partsOf, type Source } from "./source.ts";
import type { FromWorker, ToWorker } from "./worker-protocol.ts";

type Settle = (error: unknown) => void;

interface Line {
  ask(message: ToWorker, transfer?: Transferable[]): Promise<void>;
  end(error: unknown): void;
}

/**
 * Makes a filler that starts a worker when it is first needed, and another one when that breaks.
 *
 * @param spawn Makes a worker that calls `serveOpfs`.
 */
export function createWorkerFiller(spawn: () => Worker): Filler {
  let line: Line | undefined;
  let count = 0;
  const current = (): Line => {
    line ??= openLine(spawn, (ended) => {
      if (line === ended) line = undefined;
    });
    return line;
  };
  return {
    byStream: false,
    async fill(_file, place, source) {
      count += 1;
      await fillThrough(current(), count, place, source);
    },
    close: () => line?.end(broken("has been ended")),
  };
}

async function fillThrough(line: Line, id: number, place: readonly string[], source: Source): Promise<void> {
  await line.ask({ id, type: "open", place });
  try {
    for await (const part of partsOf(source)) {
      // A copy is handed over: the caller's buffer may be larger than what it shows, and stays the caller's.
      const bytes = new Uint8Array(part);
      await line.ask({ id, type: "write", bytes }, [bytes.buffer]);
    }
  } catch (error) {
    await line.ask({ id, type: "close" }).catch(() => {});
    throw error;
  }
  await line.ask({ id, type: "close" });
}

function openLine(spawn: () => Worker, ended: (line: Line) => void): Line {
  const waiting = new Map<number, Settle>();
  let worker: Worker | undefined;
  let failure: unknown;
  const line: Line = {
    ask: (message, transfer = []) =>
      new Promise((resolve, reject) => {
        if (worker === undefined) return reject(failure);
        waiting.set(message.id, (error) => (error === undefined ? resolve() : reject(error)));
        worker.postMessage(message, transfer);
      }),
    end: (error) => {
      failure = error;
      worker?.terminate();
      worker = undefined;
      ended(line);
      for (const settle of waiting.values()) settle(error);
      waiting.clear();
    },
  };
  try {
    worker = spawn();
  } catch (error) {
    failure = broken("could not be started", error);
    return line;
  }
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
    const settle = waiting.get(data.id);
    waiting.delete(data.id);
    settle?.(data.error === undefined ? undefined : new DOMException(data.error.message, data.error.name));
  });
  worker.addEventListener("messageerror", () => line.end(broken("sent what cannot be read")));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    line.end(broken(event.message ? `failed: ${event.message}` : "could not be loaded"));
  });
  return line;
}

function broken(what: string, cause?: unknown): HoldallError {
  const fix = "Try again; if it stays so, pass a worker of your own as option `worker`.";
  return new HoldallError("FS_IO", `the worker that writes files ${what}. ${fix}`, { cause, retryable: true });
}
