/** Reads PDF documents in a thread of their own, where the host has some: a hostile page keeps a thread busy for seconds. */

import type { StartWorker, WorkerHandle } from "../backend/backend.ts";
import { hostTimers, onAbort, type Timers } from "../base/abort.ts";
import type { ToolChunk } from "../message/blocks.ts";
import { refusal } from "./answer.ts";
import { MAX_PDF_TIME } from "./limits.ts";
import type { PdfAnswer, PdfRequest } from "./pdf-protocol.ts";
import { brokenPdf, type ShowPdf, showPdf, slowPdf, tooLarge } from "./show-pdf.ts";
import { startWebWorker } from "./start-web-worker.ts";

export { tooLarge };

/** Milliseconds after which a thread is ended that has not even said that a document takes too long. */
const LAST_DEADLINE = 1.5 * MAX_PDF_TIME;

/** Ways to start a thread that have failed once; what a policy forbids or a bundle lacks is not tried again. */
const failed = /* @__PURE__ */ new WeakSet<StartWorker>();

/**
 * Shows a document as {@link showPdf} does, in another thread where one can be started, else in this one.
 *
 * @param start Starts the thread. Defaults to a worker of the web, where there are such.
 * @param timers Times the thread; a test passes its own.
 * @throws HoldallError when the document cannot be shown.
 */
export async function showPdfApart(
  show: ShowPdf,
  start: StartWorker | undefined = typeof Worker === "function" ? startWebWorker : undefined,
  timers: Timers = hostTimers,
): Promise<ToolChunk> {
  if (start === undefined || failed.has(start)) return showPdf(show);
  const { signal, ...request } = show;
  signal.throwIfAborted();
  const answer = await ask(start, request, signal, timers);
  if (answer === "not started") {
    failed.add(start);
    return showPdf(show);
  }
  if (answer === "broken") throw refusal(brokenPdf(show.path, show.bytes.length));
  if (answer === "slow") throw refusal(slowPdf(show.path));
  if (answer.type === "shown") return answer.chunk;
  throw refusal(answer.message);
}

type Answer = Exclude<PdfAnswer, { type: "ready" }> | "not started" | "broken" | "slow";

/** Asks a thread of its own, and ends it whatever comes. */
async function ask(start: StartWorker, request: PdfRequest, signal: AbortSignal, timers: Timers): Promise<Answer> {
  let worker: WorkerHandle | undefined;
  let timer: unknown;
  let leave = (): void => {};
  try {
    return await new Promise<Answer>((resolve, reject) => {
      let isReady = false;
      leave = onAbort(signal, reject);
      timer = timers.set(() => resolve("slow"), LAST_DEADLINE);
      worker = start("pdf", {
        message(data) {
          const answer = data as PdfAnswer;
          if (answer.type !== "ready") return resolve(answer);
          isReady = true;
          worker?.post(request);
        },
        // A document that has ended the thread is not let into this one.
        failure: () => resolve(isReady ? "broken" : "not started"),
      });
    });
  } catch (error) {
    signal.throwIfAborted();
    if (worker !== undefined) throw error;
    return "not started";
  } finally {
    leave();
    timers.clear(timer);
    worker?.end();
  }
}
