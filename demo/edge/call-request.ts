/** Reads a request for a call, and says what is wrong with one that cannot be meant. */
import { resolvePath } from "holdall";

/** The most bytes of a request. */
export const MAX_BODY_BYTES: number = 1 << 20;

/** The most files of a request. */
export const MAX_FILES = 500;

/** A call and the files it works on. */
export interface CallRequest {
  call: { id?: string; name: string; input?: unknown };
  /** Text by path; relative paths start at `/workspace`. */
  files: Record<string, string>;
}

/** What is wrong with a request, for the one who sent it. */
export class RequestProblem extends Error {
  readonly status: number;

  /**
   * @param status The HTTP status.
   * @param message What happened and what to do.
   */
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Reads a request.
 *
 * @throws RequestProblem 413 for one that is too large, 400 for one that is not what is expected.
 */
export async function readCallRequest(request: Request): Promise<CallRequest> {
  const body = parse(await readText(request));
  if (!isRecord(body) || !isRecord(body.call) || typeof body.call.name !== "string") {
    throw new RequestProblem(400, 'Send {"call": {"name": …, "input": …}, "files": {…}}.');
  }
  const { id, name, input } = body.call;
  return {
    call: { name, ...(typeof id === "string" ? { id } : {}), ...(input === undefined ? {} : { input }) },
    files: checkFiles(body.files ?? {}),
  };
}

/** Reads no further than the limit, whatever the headers promise. */
async function readText(request: Request): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = request.body?.getReader();
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const next = await reader?.read();
      if (next === undefined || next.done) return text + decoder.decode();
      size += next.value.length;
      if (size > MAX_BODY_BYTES) throw new RequestProblem(413, `Send at most ${MAX_BODY_BYTES} bytes.`);
      text += decoder.decode(next.value, { stream: true });
    }
  } catch (error) {
    if (error instanceof TypeError) throw new RequestProblem(400, "The body is not UTF-8. Send JSON.");
    throw error;
  } finally {
    // What was not read is not wanted.
    reader?.cancel().catch(() => {});
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestProblem(400, "The body is not JSON. Send a JSON object.");
  }
}

function checkFiles(files: unknown): Record<string, string> {
  if (!isRecord(files)) throw new RequestProblem(400, '"files" is not an object. Send text by path.');
  const entries = Object.entries(files);
  if (entries.length > MAX_FILES) throw new RequestProblem(413, `Send at most ${MAX_FILES} files.`);
  const checked: Record<string, string> = {};
  for (const [path, text] of entries) {
    if (typeof text !== "string") throw new RequestProblem(400, `The file ${JSON.stringify(path)} is not a text.`);
    checked[checkPath(path)] = text;
  }
  return checked;
}

function checkPath(path: string): string {
  try {
    return resolvePath(path, "/workspace");
  } catch {
    throw new RequestProblem(400, `${JSON.stringify(path.slice(0, 80))} is not a usable path.`);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
