/** What page and worker say to each other. */

/** From the page: a file is opened, written part by part, then closed or given up. */
export type ToWorker =
  | { id: number; type: "open"; place: readonly string[] }
  | { id: number; type: "write"; bytes: Uint8Array<ArrayBuffer> }
  | { id: number; type: "close" };

/** From the worker: each message is answered, with what went wrong if it did. */
export interface FromWorker {
  id: number;
  error?: { name: string; message: string };
}
