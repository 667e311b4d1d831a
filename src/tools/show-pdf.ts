/** What Read does with a PDF document: shows the text of its pages, or gives it to a model that reads such documents. */

import { createBreather, takeInTurns } from "../backend/breather.ts";
import { base64Steps } from "../base/base64-steps.ts";
import { baseName } from "../base/path.ts";
import { cutText, plural } from "../base/text.ts";
import type { ToolChunk } from "../message/blocks.ts";
import { ToolResult } from "../tool/tool-result.ts";
import { refusal } from "./answer.ts";
import { MAX_PDF_BYTES, MAX_PDF_PAGES, MAX_PDF_TIME, MAX_READ_LENGTH, MAX_WHOLE_PDF_PAGES } from "./limits.ts";
import { type PdfDocument, type PdfProblem, readPdf } from "./pdf-document.ts";
import { hasHugeStream } from "./pdf-streams.ts";

/** What to show. */
export interface ShowPdf {
  /** The path, for what is said. */
  path: string;
  bytes: Uint8Array;
  /** The pages as the model wrote them. */
  pages: string | undefined;
  /** Whether the model reads PDF documents itself. */
  isAccepted: boolean;
  signal: AbortSignal;
}

/**
 * Shows a document.
 *
 * @throws HoldallError when it cannot be shown.
 */
export async function showPdf(show: ShowPdf): Promise<ToolChunk> {
  const { path, bytes, pages, signal } = show;
  const asked = pages === undefined ? undefined : parsePages(pages);
  if (bytes.length > MAX_PDF_BYTES) throw refusal(tooLarge(path, bytes.length));
  if (await hasHugeStream(bytes, signal))
    throw refusal(
      `${path} is a PDF document that unpacks to far more than its size, or may do so; Read does not open it.`,
    );
  const outcome = await readPdf(bytes, { signal, deadlineMs: MAX_PDF_TIME }, async (document) => {
    const range = choosePages(path, document.pages, asked);
    return typeof range === "string" ? range : await answerOf(show, document, range);
  });
  if (outcome.problem !== undefined) throw refusal(problems[outcome.problem](path, bytes.length));
  if (typeof outcome.value === "string") throw refusal(outcome.value);
  return outcome.value;
}

/** Says that a document is too large. */
export function tooLarge(path: string, size: number): string {
  return `${path} is a PDF document of ${plural(size, "byte")}; at most ${MAX_PDF_BYTES} can be read. Split it with Bash, if there is a program for it.`;
}

/** Says that a document is broken. */
export function brokenPdf(path: string, size: number): string {
  return `${path} is a PDF document of ${plural(size, "byte")} that is broken; no page of it can be read.`;
}

/** Says that a document takes too long. */
export function slowPdf(path: string): string {
  return `${path} is a PDF document that takes longer than ${MAX_PDF_TIME / 1000} seconds to read. Ask for fewer pages.`;
}

const problems: Readonly<Record<PdfProblem, (path: string, size: number) => string>> = {
  encrypted: (path) => `${path} is a PDF document that needs a password, which Read cannot give.`,
  broken: brokenPdf,
  slow: slowPdf,
};

interface PageRange {
  first: number;
  last: number;
}

function parsePages(pages: string): PageRange {
  const match = /^\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?$/.exec(pages);
  if (match === null)
    throw refusal(`${JSON.stringify(pages)} names no pages. Write "3" for one page or "1-5" for several.`);
  const first = Number(match[1]);
  return { first, last: match[2] === undefined ? first : Number(match[2]) };
}

/** Gives the pages to show, or why there are none. */
function choosePages(path: string, count: number, asked: PageRange | undefined): PageRange | string {
  const has = `${path} has ${plural(count, "page")}`;
  if (asked === undefined) {
    if (count <= MAX_WHOLE_PDF_PAGES) return { first: 1, last: count };
    return `${has}. Call Read with pages, such as "1-${MAX_WHOLE_PDF_PAGES}", at most ${MAX_PDF_PAGES} at a time.`;
  }
  const { first } = asked;
  const last = Math.min(asked.last, count);
  if (first < 1 || first > last) return `${has}; there are no pages ${first}-${asked.last}.`;
  if (last - first < MAX_PDF_PAGES) return { first, last };
  return `${has}; at most ${MAX_PDF_PAGES} are shown at a time. Ask for "${first}-${first + MAX_PDF_PAGES - 1}".`;
}

async function answerOf(show: ShowPdf, document: PdfDocument, range: PageRange): Promise<ToolChunk> {
  if (show.isAccepted) {
    const isWhole = range.first === 1 && range.last === document.pages;
    const bytes = isWhole ? show.bytes : await document.extract(range.first, range.last);
    if (bytes !== undefined) {
      const data = await takeInTurns(base64Steps(bytes), createBreather(), show.signal);
      const source = { type: "base64", mediaType: "application/pdf", data } as const;
      return ToolResult.success({ type: "data", source, name: baseName(show.path) });
    }
  }
  return ToolResult.success(await textOf(document, range));
}

/** Writes pages as long as they fit, at least one. */
async function textOf(document: PdfDocument, { first, last }: PageRange): Promise<string> {
  const shown: string[] = [];
  const notes: string[] = [];
  let room = MAX_READ_LENGTH;
  let empty = 0;
  for (let page = first; page <= last; page += 1) {
    const text = await document.text(page);
    const written = `--- Page ${page}/${document.pages} ---\n${text}`;
    if (written.length > room && page > first) {
      notes.push(`Pages ${first}-${page - 1} are shown. Call Read with pages "${page}-${last}" for more.`);
      break;
    }
    if (written.length > room) notes.push(`Page ${page} is longer than can be shown; its end is left out.`);
    if (text === "") empty += 1;
    shown.push(cutText(written, room));
    room -= written.length;
  }
  if (empty > 0) notes.push(`${plural(empty, "page")} without text: Read cannot see what is only a picture.`);
  return shown.join("\n\n") + (notes.length === 0 ? "" : `\n\n[${notes.join(" ")}]`);
}
