/** What Read does: shows a file as lines, an image, the pages of a PDF document or the cells of a notebook. */

import type { Backend } from "../backend/backend.ts";
import { type Breather, createBreather, takeInTurns } from "../backend/breather.ts";
import { base64Steps } from "../base/base64-steps.ts";
import { baseName, extension } from "../base/path.ts";
import { plural } from "../base/text.ts";
import type { ToolChunk } from "../message/blocks.ts";
import type { ToolCallContext } from "../tool/tool.ts";
import { ToolResult } from "../tool/tool-result.ts";
import { refusal } from "./answer.ts";
import { type FileTarget, lookUp, requireFile } from "./file-access.ts";
import { fileKind, type ImageType, imageType, isPdf } from "./file-kind.ts";
import { MAX_IMAGE_BYTES, MAX_NOTEBOOK_BYTES, MAX_PDF_BYTES, MAX_SCAN_BYTES } from "./limits.ts";
import { type LineWindow, openLineWindow } from "./line-window.ts";
import { notebookText } from "./notebook.ts";
import { type FilePiece, readPieces, readWhole } from "./read-file.ts";
import { remember } from "./read-memory.ts";
import { createDecoder, decodeTextSteps, detectForm, isBinary } from "./text-file.ts";

/** What to show. */
export interface ShowCall {
  backend: Backend;
  /** The path as the model wrote it. */
  path: string;
  /** The first line, from 1. */
  first: number;
  /** The most lines. */
  limit: number;
  /** The pages of a PDF document, as the model wrote them. */
  pages: string | undefined;
  /** Media types of images and documents the model can look at. */
  inputTypes: readonly string[];
  call: ToolCallContext;
}

/** Bytes up to which all lines are counted although enough have been shown. */
const MAX_COUNT_BYTES = 8 << 20;

/** UTF-16 units whose lines are counted in one step. */
const STEP_UNITS = 1 << 16;

/**
 * Looks at the first piece of a file and shows it as what it turns out to be.
 *
 * @throws HoldallError when it cannot be shown.
 */
export async function showFile(show: ShowCall): Promise<ToolChunk> {
  const { backend, path, call, first, limit } = show;
  const target = await requireFile(backend, await lookUp(backend, path, call.signal), call.signal);
  const reading = { ...show, target };
  const pieces = readPieces(backend, target, call.signal);
  try {
    const { value: head } = await pieces.next();
    if (head === undefined) throw refusal(`${target.path} could not be read. Try again.`);
    const type = imageType(head.bytes);
    if (type !== undefined) return await showImage(reading, head, type);
    if (isPdf(target.path, head.bytes)) return await showDocument(reading, head);
    refuseBinary(target, head.bytes);
    if (extension(target.path) === ".ipynb") return await showNotebook(reading, head);
    const window = openLineWindow(first, limit);
    const counted = await fillWindow(window, head, pieces, target);
    remember(call.state, target.real, head.last ? head : { version: head.version });
    return ToolResult.success(windowText(target, window, first, counted));
  } finally {
    await pieces.return();
  }
}

interface Reading extends ShowCall {
  target: FileTarget;
}

/** Reads on until the window is full; small files to the end, so that all lines are counted. */
async function fillWindow(
  window: LineWindow,
  head: FilePiece,
  pieces: AsyncGenerator<FilePiece>,
  target: FileTarget,
): Promise<boolean> {
  const form = detectForm(head.bytes);
  const decode = createDecoder(form);
  const breather = createBreather();
  await addInTurns(window, decode(head.bytes.subarray(form.markLength), head.last), breather);
  let size = head.bytes.length;
  let last = head.last;
  while (!last && !(window.full && target.stat.size > MAX_COUNT_BYTES)) {
    if (size > MAX_SCAN_BYTES) {
      // One endless line is shown as far as it goes.
      if (window.reached) break;
      throw refusal(
        `The lines asked for are not in the first ${MAX_SCAN_BYTES >> 20} MiB of ${target.path}. Use Grep or Bash for what is behind.`,
      );
    }
    const { value: piece } = await pieces.next();
    if (piece === undefined) break;
    await addInTurns(window, decode(piece.bytes, piece.last), breather);
    size += piece.bytes.length;
    last = piece.last;
  }
  window.end();
  return last;
}

async function addInTurns(window: LineWindow, text: string, breather: Breather): Promise<void> {
  for (let from = 0; from < text.length; from += STEP_UNITS) {
    window.add(text.slice(from, from + STEP_UNITS));
    await breather.spend(STEP_UNITS);
  }
}

function windowText({ path }: FileTarget, window: LineWindow, first: number, counted: boolean): string {
  const { lines, count } = window;
  if (count === 0) return `${path} is empty.`;
  if (lines.length === 0)
    return `${path} has ${plural(count, "line")}; there is no line ${first}. Use a smaller offset.`;
  const next = first + lines.length;
  const notes: string[] = [];
  if (next <= count)
    notes.push(`Lines ${first}-${next - 1}${counted ? ` of ${count}` : ""}. Call Read with offset ${next} for more.`);
  if (lines.some((line) => line.includes("\ufffd"))) {
    notes.push(
      "\ufffd stands for bytes that are not valid text, unless the file has that very character; Edit refuses such a file.",
    );
  }
  return lines.join("\n") + (notes.length === 0 ? "" : `\n\n[${notes.join(" ")}]`);
}

function refuseBinary({ path, stat }: FileTarget, head: Uint8Array): void {
  const kind = fileKind(head);
  if (kind === undefined && !isBinary(head)) return;
  throw refusal(
    `${path} is ${kind ?? "a binary file"} of ${plural(stat.size, "byte")}, which Read cannot show. Use a program that knows its kind, if there is one.`,
  );
}

async function showImage(
  { backend, target, call, inputTypes }: Reading,
  head: FilePiece,
  type: ImageType,
): Promise<ToolChunk> {
  if (!isAccepted(inputTypes, type)) {
    const known = inputTypes.filter((one) => one.startsWith("image/")).join(", ");
    throw refusal(
      `${target.path} is an image of type ${type} (${plural(target.stat.size, "byte")}), which the model cannot look at. It can look at: ${known || "no images"}.`,
    );
  }
  if (target.stat.size > MAX_IMAGE_BYTES) {
    throw refusal(
      `${target.path} is an image of ${plural(target.stat.size, "byte")}; at most ${MAX_IMAGE_BYTES} can be shown. Make a smaller copy.`,
    );
  }
  const { bytes } = head.last ? head : await readWhole(backend, target, MAX_IMAGE_BYTES, call.signal);
  const data = await takeInTurns(base64Steps(bytes), createBreather(), call.signal);
  return ToolResult.success({
    type: "data",
    source: { type: "base64", mediaType: type, data },
    name: baseName(target.path),
  });
}

async function showDocument(
  { backend, target, call, pages, inputTypes }: Reading,
  head: FilePiece,
): Promise<ToolChunk> {
  const { showPdfApart, tooLarge } = await import("./show-pdf-apart.ts");
  const { path, stat } = target;
  if (stat.size > MAX_PDF_BYTES) throw refusal(tooLarge(path, stat.size));
  const { bytes } = head.last ? head : await readWhole(backend, target, MAX_PDF_BYTES, call.signal);
  const show = { path, bytes, pages, isAccepted: isAccepted(inputTypes, "application/pdf"), signal: call.signal };
  return showPdfApart(show, backend.startWorker);
}

function isAccepted(inputTypes: readonly string[], type: string): boolean {
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  return inputTypes.some((known) => known === type || known === family || known === "*/*");
}

async function showNotebook({ backend, target, call, first, limit }: Reading, head: FilePiece): Promise<ToolChunk> {
  const { bytes, version } = head.last ? head : await readWhole(backend, target, MAX_NOTEBOOK_BYTES, call.signal);
  const breather = createBreather();
  const file = await takeInTurns(decodeTextSteps(bytes), breather, call.signal);
  const text = file?.text.slice(0, file.text.length) ?? "";
  const cells = await takeInTurns(notebookText(text), breather, call.signal);
  const window = openLineWindow(first, limit);
  await addInTurns(window, cells ?? text, breather);
  window.end();
  remember(call.state, target.real, { bytes, version });
  const note =
    cells === undefined
      ? "[Not a valid notebook; this is its plain text.]"
      : "[A notebook by its cells; the numbers count these lines. In the file itself the cells are JSON.]";
  return ToolResult.success(`${note}\n${windowText(target, window, first, true)}`);
}
