/** What the tests of the multimodal tools share: a provider that answers as it is told, media, and calls. */

import { type DataSource, type JsonValue, outputText, type Timers, type Tool, Toolkit } from "holdall";
import { decodeUtf8 } from "../../../src/base/bytes.ts";
import { MAX_ERROR_WAIT } from "../../../src/tools/multimodal/limits.ts";

/** A request as the provider got it. */
export interface Seen {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** JSON, or the fields of a form; files as `name type size`. */
  body: unknown;
}

/** What answers a request. */
export type Answer = (seen: Seen, signal: AbortSignal | null) => Response | Promise<Response>;

/** A provider without a network. */
export interface FakeProvider {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** All requests, oldest first. */
  seen: Seen[];
}

/** Makes a provider that answers the first request with the first answer, and so on; the last one goes on for ever. */
export function fakeProvider(...answers: Answer[]): FakeProvider {
  const seen: Seen[] = [];
  return {
    seen,
    fetch: async (url, init) => {
      const request = {
        method: init.method ?? "GET",
        url,
        headers: Object.fromEntries(new Headers(init.headers)),
        body: readBody(init.body),
      };
      const answer = answers[Math.min(seen.length, answers.length - 1)];
      seen.push(request);
      if (answer === undefined) throw new Error("nobody answers");
      return answer(request, init.signal ?? null);
    },
  };
}

/** Answers with JSON. */
export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json", ...headers } });

/** Answers with bytes. */
export const bytes =
  (body: Uint8Array<ArrayBuffer> | string, mediaType: string, status = 200): Answer =>
  () =>
    new Response(body, { status, headers: { "content-type": mediaType } });

/** Fails as a host does when nobody is there. */
export const unreachable: Answer = () => {
  throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
};

/** Never answers, but ends with its signal as a host does. */
export const silent: Answer = (_seen, signal) =>
  new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

/** What a call gave. */
export interface Outcome {
  state: string;
  text: string;
  data: DataSource[];
  names: (string | undefined)[];
  metadata: Record<string, unknown>;
  progress: JsonValue[];
}

/** Calls one of the tools. */
export async function callTool(
  tools: readonly Tool[],
  name: string,
  input: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Outcome> {
  const progress: JsonValue[] = [];
  const result = await new Toolkit({ tools }).run(
    { name, input },
    { ...(signal === undefined ? {} : { signal }), onProgress: (_call, value) => progress.push(value) },
  );
  const blocks = result.output.flatMap((block) => (block.type === "data" ? [block] : []));
  return {
    state: result.state,
    text: outputText(result.output),
    data: blocks.map(({ source }) => source),
    names: blocks.map((block) => block.name),
    metadata: result.metadata,
    progress,
  };
}

/**
 * Timers whose short waits end soon and whose long ones never do, nor that for the words of an error; they remember the
 * waits that ended.
 */
export function shortTimers(most = 60_000): Timers & { waits: number[] } {
  const cleared = new Set<unknown>();
  const waits: number[] = [];
  return {
    waits,
    set: (callback, milliseconds) => {
      const timer = {};
      if (milliseconds <= most && milliseconds !== MAX_ERROR_WAIT) {
        setTimeout(() => {
          if (cleared.has(timer)) return;
          waits.push(milliseconds);
          callback();
        }, 0);
      }
      return timer;
    },
    clear: (timer) => void cleared.add(timer),
  };
}

/** Makes bytes of text in which every character is one byte, filled up with zeros. */
export function latin(text: string, length = text.length): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(Math.max(length, text.length));
  for (let at = 0; at < text.length; at += 1) made[at] = text.charCodeAt(at);
  return made;
}

/** Files that begin as their kind does. */
export const samples = {
  png: latin("\x89PNG\r\n\x1a\n", 96),
  jpeg: latin("\xff\xd8\xff\xe0\0\x10JFIF", 96),
  wav: latin("RIFF\x24\0\0\0WAVEfmt ", 96),
  mp3: latin("ID3\x03\0\0\0\0\0\0", 96),
  mp4: latin("\0\0\0\x20ftypisom", 96),
};

/** Encodes bytes as base64. */
export function base64(data: Uint8Array): string {
  return btoa(String.fromCharCode(...data));
}

/** Makes a data: URL. */
export function dataUrl(mediaType: string, data: Uint8Array): string {
  return `data:${mediaType};base64,${base64(data)}`;
}

function readBody(body: BodyInit | null | undefined): unknown {
  if (typeof body === "string") return JSON.parse(body);
  if (body instanceof FormData) {
    return Object.fromEntries(
      [...body.entries()].map(([name, value]) => [
        name,
        typeof value === "string" ? value : `${value.name} ${value.type} ${value.size}`,
      ]),
    );
  }
  return body instanceof Uint8Array ? decodeUtf8(body) : body;
}
