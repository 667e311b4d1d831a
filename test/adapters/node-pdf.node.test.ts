/** A process stays alive while a hostile PDF document is read. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { StartWorker } from "holdall";
import { nodeBackend } from "holdall/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { showPdfApart } from "../../src/tools/show-pdf-apart.ts";
import { root } from "../support/sources.ts";
import { makePdf, pdfOf, textContent } from "../unit/tools/pdf.ts";

let folder = "";
let startWorker: StartWorker | undefined;

/** As files that Node runs: the sources are TypeScript, which Node 20 does not run by itself. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdall-pdf-"));
  await build({
    entryPoints: ["start-worker", "pdf-worker"].map((name) => `${root}adapters/node/workers/${name}.ts`),
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const module: unknown = await import(/* @vite-ignore */ pathToFileURL(join(folder, "start-worker.js")).href);
  startWorker = (module as { startWorker: StartWorker }).startWorker;
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const showOf = (bytes: Uint8Array, signal: AbortSignal = new AbortController().signal) => ({
  path: "/f.pdf",
  bytes,
  pages: undefined,
  isAccepted: false,
  signal,
});

/** Counts what the thread says. */
function counted(): { start: StartWorker; answers(): number } {
  let answers = 0;
  const start: StartWorker = (work, hears) => {
    if (startWorker === undefined) throw new Error("There is no worker.");
    return startWorker(work, {
      ...hears,
      message(data) {
        answers += 1;
        hears.message(data);
      },
    });
  };
  return { start, answers: () => answers };
}

describe("a PDF document in a thread of Node", () => {
  test("is shown", async () => {
    const { start, answers } = counted();
    const shown = await showPdfApart(showOf(pdfOf("hello")), start);
    expect(shown).toMatchObject({ content: [{ type: "text", text: "--- Page 1/1 ---\nhello" }] });
    expect(answers()).toBe(2);
  });

  test("leaves timers their turn all the while, and can be given up", async () => {
    const { start, answers } = counted();
    const bytes = makePdf({ contents: Array.from({ length: 8 }, () => textContent("x ".repeat(200_000))) });
    const controller = new AbortController();
    const reason = new Error("enough");
    let ticks = 0;
    const timer = setInterval(() => {
      if (answers() > 0) ticks += 1;
      if (ticks > 20) controller.abort(reason);
    }, 1);
    await expect(showPdfApart(showOf(bytes, controller.signal), start)).rejects.toBe(reason);
    clearInterval(timer);
    expect(answers()).toBe(1);
  });

  test("is what a backend of Node offers", () => {
    expect(nodeBackend({ root: folder, shell: false }).startWorker).toBeTypeOf("function");
  });
});
