/** Opens PDF documents with a library that is loaded when it is first needed, and keeps them from taking for ever. */

import { nextTurn } from "../backend/breather.ts";
import { lazy } from "./lazy.ts";

/** A document that is open. */
export interface PdfDocument {
  /** How many pages it has. */
  readonly pages: number;
  /** Gives the text of a page, from 1, in the order of the document. */
  text(page: number): Promise<string>;
  /** Makes a document of some of its pages; undefined when the library cannot. */
  extract(first: number, last: number): Promise<Uint8Array | undefined>;
}

/** Why a document cannot be read. */
export type PdfProblem = "encrypted" | "broken" | "slow";

/** How to read a document. */
export interface PdfOptions {
  signal: AbortSignal;
  /** Milliseconds for all of it. */
  deadlineMs: number;
  /** Gives milliseconds; a test passes its own. Defaults to the host's monotonic clock. */
  clock?: () => number;
}

/** What a document came to. */
export type PdfOutcome<T> = { value: T; problem?: undefined } | { problem: PdfProblem };

const load = /* @__PURE__ */ lazy(async () => (await import("unpdf")).getResolvedPDFJS());

/** No scripts, no fonts, no images, no network: only text is wanted. */
const settings = {
  verbosity: 0,
  disableFontFace: true,
  useSystemFonts: true,
  useWasm: false,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  enableXfa: false,
} as const;

/**
 * Opens a document, works with it and closes it.
 *
 * The library works in this thread. It never gives timers a turn while it reads one page, only other promises; so the
 * time is watched from a promise that is always ready. Edge workers, whose clock stands still meanwhile, have limits of
 * their own.
 *
 * @param bytes The document; it stays as it is.
 */
export async function readPdf<T>(
  bytes: Uint8Array,
  { signal, deadlineMs, clock = () => performance.now() }: PdfOptions,
  use: (document: PdfDocument) => Promise<T>,
): Promise<PdfOutcome<T>> {
  const { getDocument } = await load();
  signal.throwIfAborted();
  const watch = startWatch(clock, deadlineMs, signal);
  // A copy, because the library takes the bytes away from whoever gives them.
  const task = getDocument({ ...settings, data: bytes.slice() });
  const work = task.promise.then(async (opened) => use(documentOf(opened, signal)));
  const close = (): void => void task.destroy().catch(() => {});
  try {
    const value = await Promise.race([work, watch.ended]);
    return value === SLOW ? { problem: "slow" } : { value };
  } catch (error) {
    signal.throwIfAborted();
    const name = error instanceof Error ? error.name : "";
    return { problem: name === "PasswordException" ? "encrypted" : "broken" };
  } finally {
    watch.stop();
    work.catch(() => {});
    // Closed while it opens, the library would leave a rejection that nobody can handle.
    task.promise.then(close, close);
  }
}

type Opened = Awaited<ReturnType<Awaited<ReturnType<typeof load>>["getDocument"]>["promise"]>;

function documentOf(opened: Opened, signal: AbortSignal): PdfDocument {
  return {
    pages: opened.numPages,
    async text(number) {
      await nextTurn();
      signal.throwIfAborted();
      const page = await opened.getPage(number);
      const { items } = await page.getTextContent();
      page.cleanup();
      return items
        .map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""))
        .join("")
        .trimEnd();
    },
    async extract(first, last) {
      const bytes: unknown = await opened.extractPages([{ document: null, includePages: [[first - 1, last - 1]] }]);
      return bytes instanceof Uint8Array ? bytes : undefined;
    },
  };
}

/** Promises in a row that took no time, after which nobody is at work and timers get a turn. */
const QUIET_TURNS = 2000;

/** Milliseconds between two promises that show that somebody was at work. */
const BUSY = 0.5;

const SLOW = /* @__PURE__ */ Symbol("slow");

interface Watch {
  /** Settles when the time is over, and fails when the signal aborts. */
  ended: Promise<typeof SLOW>;
  stop(): void;
}

/** Looks at the time of each document that is open; one loop for all, because two would keep each other busy. */
const checks = new Set<() => void>();

function startWatch(clock: () => number, milliseconds: number, signal: AbortSignal): Watch {
  const end = clock() + milliseconds;
  let stop = (): void => {};
  const ended = new Promise<typeof SLOW>((resolve, reject) => {
    const check = (): void => {
      if (signal.aborted) reject(signal.reason);
      else if (clock() >= end) resolve(SLOW);
      else return;
      checks.delete(check);
    };
    stop = () => void checks.delete(check);
    checks.add(check);
    if (checks.size === 1) void watchAll();
  });
  ended.catch(() => {});
  return { ended, stop };
}

async function watchAll(): Promise<void> {
  let last = performance.now();
  for (let quiet = 0; checks.size > 0; quiet += 1) {
    await undefined;
    for (const check of checks) check();
    const now = performance.now();
    if (now - last > BUSY) quiet = 0;
    else if (quiet >= QUIET_TURNS) {
      await nextTurn();
      quiet = 0;
    }
    last = performance.now();
  }
}
