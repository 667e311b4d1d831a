/** Reads a request: which call it makes, and what it says about making it once. */

import { readCall } from "./call-shapes.ts";
import { readBody } from "./http-body.ts";
import { decodePath, fromRange, fromTag, HEADERS, isSafeAgain, readCount } from "./http-protocol.ts";
import type { Mark } from "./key-memory.ts";
import { MAX_CALLS, MAX_FILE_BYTES } from "./limits.ts";
import { readMessage } from "./port-protocol.ts";
import { type Call, isChange } from "./protocol.ts";
import { methodError, protocolError } from "./wire-error.ts";

/** How much one request may ask for. */
export interface HttpLimits {
  /** Bytes of a file in one request, read or written. Defaults to 256 MiB. */
  maxFileBytes: number;
  /** Bytes of a call that is JSON, which standard input of a command may be part of. Defaults to 32 MiB. */
  maxCallBytes: number;
  /** Calls under way; more are answered with `BACKEND_BUSY`. Defaults to 1,024. */
  maxCalls: number;
}

/** What a request asks for: a call, or that one is given up. */
export type Asked = { call: Call; mark: Mark | undefined } | { cancel: string };

/** The limits when nothing else is said. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  maxFileBytes: MAX_FILE_BYTES,
  maxCallBytes: 32 << 20,
  maxCalls: MAX_CALLS,
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
      return { call: readCall("read", { path, ...fromRange(headers.get("range")) }), mark: undefined };
    }
    case "PUT": {
      const path = decodePath(headers.get(HEADERS.path));
      const expected = readCount(headers.get(HEADERS.size)) ?? readCount(headers.get("content-length"));
      const bytes = await readBody(await bodyOf(request), {
        maxBytes: limits.maxFileBytes,
        expected,
        what: "the file",
      });
      return marked(headers, readCall("write", { path, bytes, ifVersion: conditionOf(headers) }));
    }
    case "POST":
      return readPost(request, limits);
    default:
      throw methodError();
  }
}

async function readPost(request: Request, limits: HttpLimits): Promise<Asked> {
  const { headers } = request;
  if (!/^application\/json\s*(;|$)/i.test(headers.get("content-type") ?? ""))
    throw protocolError("the content-type of a call must be application/json");
  const expected = readCount(headers.get(HEADERS.size));
  const bytes = await readBody(await bodyOf(request), { maxBytes: limits.maxCallBytes, expected, what: "the call" });
  const message = parse(bytes);
  if (message.method === "cancel") return { cancel: keyOf(readMessage(message.args)?.key) };
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

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let message: Readonly<Record<string, unknown>> | undefined;
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
  if (match !== null && noneMatch === null) return fromTag(match);
  throw protocolError("the condition must be If-Match with one version, or If-None-Match: *");
}

function marked(headers: Headers, call: Call): Asked {
  const key = headers.get(HEADERS.key);
  if (key === null || !isChange(call.method)) return { call, mark: undefined };
  const { bytes, ...rest } = { bytes: undefined, ...call.args };
  return {
    call,
    mark: {
      key: keyOf(key),
      call: fingerprint(`${call.method} ${JSON.stringify(rest)} ${bytes?.length ?? ""}`),
      attempt: readCount(headers.get(HEADERS.attempt)) ?? 1,
      instance: headers.get(HEADERS.instance) ?? undefined,
      isSafeAgain: isSafeAgain(call),
    },
  };
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
