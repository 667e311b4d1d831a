/** Reading PDF documents in another thread: what comes of it, whatever the thread does. */
import type { StartWorker, WorkerListener } from "holdall";
import { servePdf } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { showPdfApart } from "../../../src/tools/show-pdf-apart.ts";
import { pdfOf } from "./pdf.ts";
import { bytesOf } from "./setup.ts";

function showOf(bytes: Uint8Array, signal: AbortSignal = new AbortController().signal) {
  return { path: "/f.pdf", bytes, pages: undefined, isAccepted: false, signal };
}

/** A thread that does what the test says, and what is heard of it. */
function worker(act: (hears: WorkerListener) => (data: unknown) => void) {
  const log: string[] = [];
  const start: StartWorker = (work, hears) => {
    log.push(`start ${work}`);
    let post = (_data: unknown): void => {};
    // Nobody hears anything of a thread while it is being started.
    queueMicrotask(() => {
      post = act(hears);
    });
    return { post: (data) => post(data), end: () => void log.push("end") };
  };
  return { start, log };
}

/** The real thing, in this thread. */
const serving = (hears: WorkerListener) => {
  let told = (_data: unknown): void => {};
  queueMicrotask(() =>
    servePdf({
      post: (data) => hears.message(structuredClone(data)),
      listen: (listener) => {
        told = listener;
      },
    }),
  );
  return (data: unknown) => told(structuredClone(data));
};

const text = "--- Page 1/1 ---\nhello";

describe("a PDF document in a thread of its own", () => {
  test("is shown as in this one, and the thread is ended", async () => {
    const { start, log } = worker(serving);
    expect(await showPdfApart(showOf(pdfOf("hello")), start)).toMatchObject({ content: [{ type: "text", text }] });
    expect(log).toEqual(["start pdf", "end"]);
  });

  test("is refused as in this one", async () => {
    const { start, log } = worker(serving);
    await expect(showPdfApart(showOf(bytesOf("%PDF-1.7")), start)).rejects.toMatchObject({
      code: "TOOL_REFUSED",
      message: expect.stringContaining("/f.pdf is a PDF document of 8 bytes that is broken"),
    });
    expect(log).toEqual(["start pdf", "end"]);
  });

  test("is read in this one where none can be started, which is tried once", async () => {
    const silent = worker((hears) => {
      hears.failure();
      return () => {};
    });
    let thrown = 0;
    const refusing: StartWorker = () => {
      thrown += 1;
      throw new Error("refused by policy");
    };
    for (const start of [silent.start, silent.start, refusing, refusing, undefined]) {
      expect(await showPdfApart(showOf(pdfOf("hello")), start)).toMatchObject({ content: [{ type: "text", text }] });
    }
    expect([silent.log, thrown]).toEqual([["start pdf", "end"], 1]);
  });

  test("is called broken when it ends the thread, and not let into this one", async () => {
    const { start } = worker((hears) => {
      queueMicrotask(() => hears.message({ type: "ready" }));
      return () => hears.failure();
    });
    await expect(showPdfApart(showOf(pdfOf("hello")), start)).rejects.toThrow("is broken; no page of it can be read");
  });

  test("is given up with the call, and when nothing is heard of it any more", async () => {
    const { start, log } = worker((hears) => {
      queueMicrotask(() => hears.message({ type: "ready" }));
      return () => {};
    });
    const controller = new AbortController();
    const reason = new Error("enough");
    const shown = showPdfApart(showOf(pdfOf("hello"), controller.signal), start);
    controller.abort(reason);
    await expect(shown).rejects.toBe(reason);
    await expect(showPdfApart(showOf(pdfOf("hello"), controller.signal), start)).rejects.toBe(reason);
    const timers = { set: (callback: () => void) => queueMicrotask(callback), clear: () => {} };
    await expect(showPdfApart(showOf(pdfOf("hello")), start, timers)).rejects.toThrow("takes longer than 10 seconds");
    expect(log).toEqual(["start pdf", "end", "start pdf", "end"]);
  });
});
