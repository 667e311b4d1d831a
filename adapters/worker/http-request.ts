/** Reads a request: which call it makes, and what it says about making it once. */

import { readCall, readUpload } from "./call-shapes.ts";
import { readBody } from "./http-body.ts";
import { decodePath, fromRange, fromTag, HEADERS, isSafeAgain, readCount } from "./http-protocol.ts";
import type { Mark } from "./key-memory.ts";
import { MAX_CALLS, MAX_FILE_BYTES, MAX_RUNS, MAX_UPLOAD_BYTES, MAX_UPLOADS, PART_BYTES } from "./limits.ts";
import { readMessage, readNumber, type Unread } from "./port-protocol.ts";
import { type Call, isChange, type WriteArguments } from "./protocol.ts";
import { methodError, protocolError } from "./wire-error.ts";

/** How much one request may ask for. */
export interface HttpLimits {
  /** Bytes of a file in one request, read or written. Defaults to 256 MiB. */
  maxFileBytes: number;
  /** Bytes of a call that is JSON, which standard input of a command may be part of. Defaults to 32 MiB. */
  maxCallBytes: number;
  /** Calls under way; more are answered with `BACKEND_BUSY`. Defaults to 1,024. */
  maxCalls: number;
  /** Commands under way, those included whose connection was cut; more are answered with `BACKEND_BUSY`. Defaults to 256. */
  maxRuns: number;
  /**
   * Files under way that come in parts; more are answered with `BACKEND_BUSY`. Each holds up to three parts of 2 MiB in
   * memory. 0 takes files whole only, as a worker must that does not outlive its request. Defaults to 16.
   */
  maxUploads: number;
  /** Bytes of a file that comes in parts. Defaults to 64 GiB. */
  maxUploadBytes: number;
}

/** A step on the way of a file that comes in parts. */
export type UploadStep =
  | { step: "begin"; id: string; args: WriteArguments }
  /** Its bytes are not read yet. */
  | { step: "part"; id: string; index: number; read: () => Promise<Uint8Array> }
  | { step: "commit"; id: string; parts: number; mark: Mark | undefined }
  | { step: "abandon"; id: string };

/** A call, what it says about being made once, and behind which part of its answer it goes on. */
export interface AskedCall {
  call: Call;
  mark: Mark | undefined;
  position: number | undefined;
}

/** What a request asks for: a call, that one is given up, or a part of a file. */
export type Asked = AskedCall | { cancel: string } | UploadStep;

/** The limits when nothing else is said. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  maxFileBytes: MAX_FILE_BYTES,
  maxCallBytes: 32 << 20,
  maxCalls: MAX_CALLS,
  maxRuns: MAX_RUNS,
  maxUploads: MAX_UPLOADS,
  maxUploadBytes: MAX_UPLOAD_BYTES,
};

/** The longest idempotency key, in characters. */
const MAX_KEY_LENGTH = 100;

/**
 * Reads a request.
 *
 * @throws HoldallError `BACKEND_PROTOCOL`, `BACKEND_LIMIT`, `BACKEND_GONE` when its body was cut.
 */
export async function readRequest(request: Request, limits: HttpLimits): Promise<Asked> {
  const { headers } = request;
  switch (request.method) {
    case "GET": {
      const path = decodePath(headers.get(HEADERS.path));
      const call = readCall("read", { path, ...fromRange(headers.get("range")) });
      return { call, mark: undefined, position: undefined };
    }
    case "PUT": {
      if (headers.has(HEADERS.upload)) return readPart(request);
      const path = decodePath(headers.get(HEADERS.path));
      const ifVersion = conditionOf(headers);
      const bytes = await readBytes(request, limits.maxFileBytes, "the file");
      return marked(headers, readCall("write", { path, bytes, ifVersion }));
    }
    case "POST":
      return readPost(request, limits);
    default:
      throw methodError();
  }
}

function readPart(request: Request): UploadStep {
  const { headers } = request;
  const index = readCount(headers.get(HEADERS.part));
  if (index === undefined) throw protocolError(`the header ${HEADERS.part} is missing`);
  const id = keyOf(headers.get(HEADERS.upload));
  return { step: "part", id, index, read: () => readBytes(request, PART_BYTES, "the part") };
}

async function readBytes(request: Request, maxBytes: number, what: string): Promise<Uint8Array> {
  const { headers } = request;
  const expected = readCount(headers.get(HEADERS.size)) ?? readCount(headers.get("content-length"));
  return readBody(await bodyOf(request), { maxBytes, expected, what, signal: signalOf(request) });
}

async function readPost(request: Request, limits: HttpLimits): Promise<Asked> {
  const { headers } = request;
  if (!/^application\/json\s*(;|$)/i.test(headers.get("content-type") ?? ""))
    throw protocolError("the content-type of a call must be application/json");
  const message = parse(await readBytes(request, limits.maxCallBytes, "the call"));
  const args = readMessage(message.args) ?? {};
  switch (message.method) {
    case "cancel":
      return { cancel: keyOf(args.key) };
    case "uploadBegin":
      return { step: "begin", id: keyOf(args.id), args: readUpload(args) };
    case "uploadCommit":
      return readCommit(headers, args);
    case "uploadAbandon":
      return { step: "abandon", id: keyOf(args.id) };
  }
  const call = readCall(message.method, message.args);
  if (call.method === "read" || call.method === "write" || call.method === "writeStream")
    throw protocolError("files are read with GET and written with PUT");
  return marked(headers, call);
}

/** Gives the body as a stream; some browsers have none on a request, which a service worker there may be sent. */
async function bodyOf(request: Request): Promise<ReadableStream<Uint8Array> | null> {
  if ("body" in Request.prototype) return request.body;
  return new Blob([await request.arrayBuffer()]).stream();
}

function parse(bytes: Uint8Array): Unread {
  let message: Unread | undefined;
  try {
    message = readMessage(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (error) {
    throw protocolError("the call is not JSON", error);
  }
  if (message === undefined) throw protocolError("the call is not an object");
  return message;
}

/** Gives what `If-Match` and `If-None-Match` say; they exclude each other. */
function conditionOf(headers: Headers): string | null | undefined {
  const [match, noneMatch] = [headers.get("if-match"), headers.get("if-none-match")];
  if (match === null && noneMatch === null) return undefined;
  if (match === null && noneMatch === "*") return null;
  // A weak tag names no version, so that nothing may be written on its condition.
  if (match !== null && noneMatch === null && !match.startsWith("W/")) return fromTag(match);
  throw protocolError("the condition must be If-Match with one version, or If-None-Match: *");
}

function readCommit(headers: Headers, args: Unread): UploadStep {
  const [id, parts] = [keyOf(args.id), readNumber(args.parts)];
  if (parts === undefined) throw protocolError("the number of parts is missing");
  return { step: "commit", id, parts, mark: markOf(headers, `uploadCommit ${id} ${parts}`, false) };
}

function marked(headers: Headers, call: Call): AskedCall {
  if (!isChange(call.method)) return { call, mark: undefined, position: undefined };
  const { bytes, ...rest } = { bytes: undefined, ...call.args };
  const words = `${call.method} ${JSON.stringify(rest)} ${bytes?.length ?? ""}`;
  const position = call.method === "run" ? readCount(headers.get(HEADERS.position)) : undefined;
  return { call, mark: markOf(headers, words, isSafeAgain(call)), position };
}

function markOf(headers: Headers, call: string, isSafe: boolean): Mark | undefined {
  const key = headers.get(HEADERS.key);
  if (key === null) return undefined;
  return {
    key: keyOf(key),
    call: fingerprint(call),
    attempt: readCount(headers.get(HEADERS.attempt)) ?? 1,
    instance: headers.get(HEADERS.instance) ?? undefined,
    isSafeAgain: isSafe,
    isBegun: headers.has(HEADERS.position),
  };
}

/** Gives the signal that tells that the client has gone; some workers leave it out. */
export function signalOf({ signal }: Request): AbortSignal | undefined {
  return signal instanceof AbortSignal ? signal : undefined;
}

/** Tells calls apart, in less room than a standard input may take. */
function fingerprint(text: string): string {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return `${text.length} ${hash}`;
}

function keyOf(key: unknown): string {
  if (typeof key === "string" && key !== "" && key.length <= MAX_KEY_LENGTH) return key;
  throw protocolError("an idempotency key is not usable");
}
