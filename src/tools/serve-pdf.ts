/** What a thread does that reads PDF documents for another one. */

import { errorText } from "../base/errors.ts";
import { lazy } from "./lazy.ts";
import type { PdfAnswer, PdfRequest } from "./pdf-protocol.ts";

/** How a thread speaks with the one that has started it. */
export interface PdfPort {
  post(data: unknown): void;
  /** Hears what it is told; called once. */
  listen(listener: (data: unknown) => void): void;
}

/** Says that it is there, and shows each document it is given. */
export function servePdf(port: PdfPort): void {
  const load = lazy(() => import("./show-pdf.ts"));
  // Whoever gives up ends the thread.
  const { signal } = new AbortController();
  const answer = async (request: PdfRequest): Promise<PdfAnswer> => {
    try {
      const { showPdf } = await load();
      return { type: "shown", chunk: await showPdf({ ...request, signal }) };
    } catch (error) {
      return { type: "refused", message: errorText(error) };
    }
  };
  port.listen((data) => void answer(data as PdfRequest).then((said) => port.post(said)));
  port.post({ type: "ready" } satisfies PdfAnswer);
}
