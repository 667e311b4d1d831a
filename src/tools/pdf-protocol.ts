/** What a thread that reads PDF documents is told, and what it says. */

import type { ToolChunk } from "../message/blocks.ts";
import type { ShowPdf } from "./show-pdf.ts";

/** A document to show. */
export type PdfRequest = Omit<ShowPdf, "signal">;

/** What the thread says: once that it is there, and then one answer. */
export type PdfAnswer = { type: "ready" } | { type: "shown"; chunk: ToolChunk } | { type: "refused"; message: string };
