/** Starts workers of the web, in the form that bundlers recognise, and keeps one for the next document. */

import type { WorkerHandle, WorkerListener } from "../backend/backend.ts";
import type { PdfAnswer } from "./pdf-protocol.ts";

/** Milliseconds that a worker without work is kept: loading it again takes longer than reading most documents. */
const KEPT = 20_000;

/** A worker that is there. */
interface Running {
  /** Who hears of it now. */
  hears: WorkerListener;
  /** Whether it has answered all it was asked, and something at all. */
  isIdle: boolean;
  post(data: unknown): void;
  stop(): void;
}

/** The worker that is kept, and what will end it. */
let spare: { running: Running; timer: ReturnType<typeof setTimeout> } | undefined;

/** Starts a worker that reads PDF documents, or takes the one that is kept. */
export function startWebWorker(_work: "pdf", hears: WorkerListener): WorkerHandle {
  const kept = takeSpare();
  const running = kept ?? launch(hears);
  running.hears = hears;
  if (kept !== undefined) queueMicrotask(() => hears.message({ type: "ready" } satisfies PdfAnswer));
  return {
    post(data) {
      running.isIdle = false;
      running.post(data);
    },
    end() {
      // One that still works would go on for nobody.
      if (!running.isIdle || spare !== undefined) running.stop();
      else keep(running);
    },
  };
}

function takeSpare(): Running | undefined {
  const taken = spare?.running;
  clearTimeout(spare?.timer);
  spare = undefined;
  return taken;
}

function keep(running: Running): void {
  const forget = (): void => {
    takeSpare();
    running.stop();
  };
  running.hears = { message: () => {}, failure: forget };
  spare = { running, timer: setTimeout(forget, KEPT) };
}

/** The name ends in `.js` because that is what the build makes of it; Vite finds the `.ts` source under that name, too. */
function launch(hears: WorkerListener): Running {
  const worker = new Worker(new URL("./pdf-worker.js", import.meta.url), { type: "module", name: "pdf" });
  const { port1: port, port2: theirs } = new MessageChannel();
  const running: Running = {
    hears,
    isIdle: false,
    post: (data) => port.postMessage(data),
    stop() {
      worker.terminate();
      port.close();
    },
  };
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    running.hears.failure();
  });
  port.onmessage = ({ data }: MessageEvent<PdfAnswer>) => {
    running.isIdle = data.type !== "ready";
    running.hears.message(data);
  };
  worker.postMessage(null, [theirs]);
  return running;
}
