/** Makes what a provider gave into the result of a call: text for the model, and a data block for each medium. */

import { createBreather, takeInTurns } from "../../backend/breather.ts";
import { base64Steps } from "../../base/base64-steps.ts";
import { fromBase64 } from "../../base/bytes.ts";
import { type JsonObject, type JsonValue, toJsonValue } from "../../base/json.ts";
import { plural } from "../../base/text.ts";
import type { DataBlock, DataSource, ToolChunk } from "../../message/blocks.ts";
import type { Redact } from "../../model/model-error.ts";
import { ToolResult } from "../../tool/tool-result.ts";
import { downloadMedia } from "./download.ts";
import { MAX_MEDIA_OUT, MAX_RESULTS, MAX_URL } from "./limits.ts";
import { extensionFor, MEDIA_HEAD, type MediaKind, mediaTypeByName, mediaTypeOf, serves } from "./media-type.ts";
import type { Provider } from "./provider.ts";
import { answerError, whatHappened } from "./provider-error.ts";

/** A medium as a provider gave it: one of the two. */
export interface MediaFound {
  url?: string | undefined;
  base64?: string | undefined;
}

/** What the media are, and what is known of them. */
export interface MediaShown {
  kind: MediaKind;
  /** The model that made them. */
  model: string;
  /** Of bytes that do not tell it. */
  mediaType: string;
  /** Whether URLs are to be fetched. */
  download: boolean;
  /** Sentences for the model. */
  notes?: readonly string[];
  /** Facts for programs; large ones are left out. */
  facts?: Readonly<Record<string, unknown>>;
}

/** The longest JSON of a fact that is kept. */
const MAX_FACT = 4000;

/**
 * Makes the result of a call that made media. The text names each medium, a URL in full, so that a model can hand it
 * on.
 *
 * @param provider Who made them.
 * @param found What it gave; more than {@link MAX_RESULTS} are left out.
 * @param shown What they are.
 * @param signal Ends downloads.
 * @throws HoldallError `MODEL_ANSWER` when a medium cannot be used.
 */
export async function showMedia(
  provider: Provider,
  found: readonly MediaFound[],
  shown: MediaShown,
  signal: AbortSignal,
): Promise<ToolChunk> {
  const { kind, model } = shown;
  const blocks: DataBlock[] = [];
  const lines: string[] = [];
  for (const [index, one] of found.slice(0, MAX_RESULTS).entries()) {
    const name = found.length === 1 ? kind : `${kind}-${index + 1}`;
    const { block, line } =
      one.url === undefined
        ? await fromData(provider, one.base64, name, shown)
        : await fromUrl(provider, one.url, name, shown, signal);
    blocks.push(block);
    lines.push(`- ${line}`);
  }
  if (found.length > MAX_RESULTS) lines.push(`- ${found.length - MAX_RESULTS} more were left out.`);
  const what = kind === "audio" ? plural(blocks.length, "audio file") : plural(blocks.length, kind);
  const notes = (shown.notes ?? []).map((note) => `\n${provider.redact(note)}`).join("");
  const text = `${what} by ${model}:\n${lines.join("\n")}${notes}`;
  return ToolResult.success([{ type: "text", text }, ...blocks], facts(provider, { model, ...shown.facts }));
}

/** Keeps facts for programs: plain JSON, free of secrets; what is empty or too large is left out. */
export function facts(provider: Provider, values: Readonly<Record<string, unknown>>): JsonObject {
  const kept: JsonObject = {};
  for (const [name, given] of Object.entries(values)) {
    if (given === undefined || given === null) continue;
    const value = toJsonValue(given);
    if (JSON.stringify(value).length <= MAX_FACT) kept[name] = withoutSecrets(value, provider.redact);
  }
  return kept;
}

/** Text by text: in JSON as a whole, a secret may be written in another way. */
function withoutSecrets(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, redact));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [[redact(key), withoutSecrets(item, redact)] as const],
  );
  return Object.fromEntries(entries);
}

interface Shown {
  block: DataBlock;
  line: string;
}

async function fromData(
  provider: Provider,
  given: string | undefined,
  name: string,
  { kind, mediaType }: MediaShown,
): Promise<Shown> {
  // Some servers give a whole data: URL where they promise base64.
  const base64 = given?.replace(/^data:[^,]{0,200},/, "");
  const bytes = base64 === undefined || base64.length > (MAX_MEDIA_OUT * 4) / 3 + 4 ? undefined : fromBase64(base64);
  if (bytes === undefined || bytes.length === 0) {
    throw answerError(provider.host, `the ${kind} is not base64, or empty, or larger than ${MAX_MEDIA_OUT >> 20} MiB`);
  }
  return fromBytes(provider, bytes, name, kind, mediaTypeOf(bytes.subarray(0, MEDIA_HEAD)) ?? mediaType);
}

/** Makes a data block of bytes; a media type of another kind is refused. */
export async function fromBytes(
  provider: Provider,
  bytes: Uint8Array,
  name: string,
  kind: MediaKind,
  mediaType: string,
): Promise<Shown> {
  if (!serves(mediaType, kind)) throw answerError(provider.host, `it is of type ${mediaType}, not of ${kind}`);
  const data = await takeInTurns(base64Steps(bytes), createBreather());
  const source: DataSource = { type: "base64", mediaType, data };
  const file = `${name}.${extensionFor(mediaType)}`;
  return {
    block: { type: "data", source, name: file },
    line: `${file} (${mediaType}, ${plural(bytes.length, "byte")})`,
  };
}

async function fromUrl(
  provider: Provider,
  given: string,
  name: string,
  shown: MediaShown,
  signal: AbortSignal,
): Promise<Shown> {
  const url = given.length <= MAX_URL && URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw answerError(provider.host, `the ${shown.kind} has no http or https address`);
  }
  let problem = "";
  if (shown.download) {
    try {
      const { bytes, mediaType } = await downloadMedia(provider, url, shown.kind, signal);
      return await fromBytes(provider, bytes, name, shown.kind, mediaType);
    } catch (error) {
      if (signal.aborted) throw error;
      // It has been made and paid for: its address is better than nothing.
      problem = ` (${whatHappened(error)})`;
    }
  }
  const named = mediaTypeByName(url.pathname);
  const mediaType = named !== undefined && serves(named, shown.kind) ? named : shown.mediaType;
  const address = provider.redact(url.href);
  const block: DataBlock = {
    type: "data",
    source: { type: "url", url: address, mediaType },
    name: `${name}.${extensionFor(mediaType)}`,
  };
  return { block, line: `${address}${problem}` };
}
