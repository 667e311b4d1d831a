/** A page stays alive while a hostile PDF document is read. */
import type { StartWorker } from "holdall";
import { expect, test } from "vitest";
import { showPdfApart } from "../../../src/tools/show-pdf-apart.ts";
import { startWebWorker } from "../../../src/tools/start-web-worker.ts";
import { makePdf, textContent } from "./pdf.ts";

test("timers have their turn all the while, and the call can be given up", async () => {
  let answers = 0;
  const start: StartWorker = (work, hears) =>
    startWebWorker(work, {
      ...hears,
      message(data) {
        answers += 1;
        hears.message(data);
      },
    });
  const bytes = makePdf({ contents: Array.from({ length: 8 }, () => textContent("x ".repeat(200_000))) });
  const controller = new AbortController();
  const reason = new Error("enough");
  let ticks = 0;
  const timer = setInterval(() => {
    if (answers > 0) ticks += 1;
    if (ticks > 20) controller.abort(reason);
  }, 1);
  const show = { path: "/f.pdf", bytes, pages: undefined, isAccepted: false, signal: controller.signal };
  await expect(showPdfApart(show, start)).rejects.toBe(reason);
  clearInterval(timer);
  // It was there, and it had not answered yet.
  expect(answers).toBe(1);
});

test("a worker that has nothing to do reads the next document", async () => {
  const heard: unknown[] = [];
  const start: StartWorker = (work, hears) =>
    startWebWorker(work, {
      ...hears,
      message(data) {
        heard.push(data);
        hears.message(data);
      },
    });
  const show = { path: "/f.pdf", pages: undefined, isAccepted: false, signal: new AbortController().signal };
  for (const text of ["one", "two"]) {
    const bytes = makePdf({ contents: [textContent(text)] });
    expect(await showPdfApart({ ...show, bytes }, start)).toMatchObject({
      content: [{ text: `--- Page 1/1 ---\n${text}` }],
    });
  }
  expect(heard).toHaveLength(4);
});
