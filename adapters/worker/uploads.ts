/** Files that come in parts, each a request of its own, and are put in their place whole when the last one is there. */

import { type FileStat, hostTimers, joinSignals, onAbort, type Timers } from "holdall";
import { MAX_UPLOADS, UPLOAD_SILENCE } from "./limits.ts";
import type { WriteArguments } from "./protocol.ts";
import type { Service } from "./service.ts";
import { startTimer } from "./timers.ts";
import { createParts, type Parts } from "./upload-parts.ts";
import { busyError, goneError, protocolError } from "./wire-error.ts";

/** The uploads of a server. */
export interface Uploads {
  /** Starts an upload, and waits until the file system wants its bytes or refuses it; one that is known goes on. */
  begin(id: string, args: WriteArguments): Promise<void>;
  /**
   * Takes a part; one that is there already is not read again. Resolves when the file system has taken it, which holds a
   * fast sender back.
   */
  put(id: string, index: number, read: () => Promise<Uint8Array>): Promise<void>;
  /** Ends an upload of so many parts; an abort in time leaves the old file. */
  commit(id: string, parts: number, signal: AbortSignal): Promise<FileStat>;
  /** Gives an upload up: the old file stays. */
  abandon(id: string): void;
}

/** Bounds and seams. */
export interface UploadsOptions {
  /** Uploads under way; none means that files come whole. Defaults to 16. */
  maxUploads?: number | undefined;
  /** Bytes of one file. */
  maxBytes: number;
  timers?: Timers | undefined;
  /** Gives all of them up. */
  stop?: AbortSignal | undefined;
}

/** One upload. */
interface Upload {
  readonly what: string;
  readonly parts: Parts;
  readonly outcome: Promise<FileStat>;
  abort(reason: unknown): void;
  /** Some part has come. */
  touch(): void;
  /** Nobody asks for it any more. */
  forget(): void;
}

/** Makes the uploads of a service. */
export function createUploads(service: Service, options: UploadsOptions): Uploads {
  const { maxUploads = MAX_UPLOADS, maxBytes, timers = hostTimers, stop } = options;
  const uploads = new Map<string, Upload>();
  const find = (id: string): Upload => {
    const upload = uploads.get(id);
    if (upload === undefined)
      throw goneError("the upload is not known: it was given up, or the server was started anew");
    return upload;
  };
  const open = (id: string, args: WriteArguments): Upload => {
    if (uploads.size >= maxUploads) throw busyError(maxUploads);
    const controller = new AbortController();
    const { signal, close } = joinSignals(controller.signal, stop);
    const parts = createParts(maxBytes, signal);
    const outcome = service.upload({ method: "writeStream", args }, parts.stream, signal);
    void outcome.then(parts.end, parts.end).then(close);
    const silent = (): void => {
      controller.abort(goneError(`no part has come for ${UPLOAD_SILENCE} ms`));
      uploads.delete(id);
    };
    let stopTimer = startTimer(timers, silent, UPLOAD_SILENCE);
    const upload: Upload = {
      what: whatIs(args),
      parts,
      outcome,
      abort: (reason) => controller.abort(reason),
      touch: () => {
        stopTimer();
        stopTimer = startTimer(timers, silent, UPLOAD_SILENCE);
      },
      forget: () => {
        stopTimer();
        uploads.delete(id);
      },
    };
    uploads.set(id, upload);
    return upload;
  };
  return {
    begin: async (id, args) => {
      const upload = uploads.get(id) ?? open(id, args);
      if (upload.what !== whatIs(args)) throw protocolError("the upload belongs to another file");
      await Promise.race([upload.outcome, upload.parts.wanted]).catch((error: unknown) => {
        upload.forget();
        throw error;
      });
    },
    put: async (id, index, read) => {
      const upload = find(id);
      upload.touch();
      if (upload.parts.has(index)) return;
      const bytes = await read();
      // It may have been given up meanwhile.
      upload.touch();
      if (uploads.get(id) !== upload) find(id);
      const taken = upload.parts.put(index, bytes).then(() => "taken" as const);
      if ((await Promise.race([taken, upload.outcome])) === "taken") return;
      throw goneError("the upload has ended before this part");
    },
    commit: async (id, parts, signal) => {
      const upload = find(id);
      upload.parts.finish(parts);
      const leave = onAbort(signal, () => upload.abort(signal.reason));
      return upload.outcome.finally(() => {
        leave();
        upload.forget();
      });
    },
    abandon: (id) => {
      const upload = uploads.get(id);
      upload?.abort(goneError("the upload was given up"));
      upload?.forget();
    },
  };
}

function whatIs({ path, ifVersion }: WriteArguments): string {
  return JSON.stringify([path, ifVersion]);
}
