/** Blocks as the content of chat messages: what a model takes as data, and words for what it does not. */

import { wellFormed } from "../base/text.ts";
import type { DataBlock, DataSource, HintBlock } from "../message/blocks.ts";

/** A piece of the content of a user message. */
export type OpenAiContent =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "input_audio"; input_audio: { data: string; format: string } }
  | { type: "file"; file: { filename: string; file_data: string } };

/**
 * Writes a data block for a model that takes its media type; gives undefined when it does not.
 *
 * Images go as `image_url`, WAV and MP3 as `input_audio`, anything else as `file`. Of data that is only an address,
 * images alone can go.
 *
 * @param block The block.
 * @param inputTypes The media types the model takes; `image/*` stands for all of a kind.
 */
export function dataContent(block: DataBlock, inputTypes: readonly string[]): OpenAiContent | undefined {
  const mediaType = mediaTypeOf(block.source);
  if (mediaType === undefined || !inputTypes.some((accepted) => accepts(accepted, mediaType))) return undefined;
  const { source } = block;
  const isImage = mediaType.startsWith("image/");
  if (source.type === "url") {
    return isImage ? { type: "image_url", image_url: { url: wellFormed(source.url) } } : undefined;
  }
  const url = `data:${mediaType};base64,${source.data}`;
  if (isImage) return { type: "image_url", image_url: { url } };
  const format = audioFormats[mediaType];
  if (format !== undefined) return { type: "input_audio", input_audio: { data: source.data, format } };
  return { type: "file", file: { filename: wellFormed(block.name ?? "file"), file_data: url } };
}

/** Says in words what a data block is, for a model that cannot have it. */
export function dataPlaceholder(block: DataBlock, remark: string): string {
  const { source } = block;
  const facts = [mediaTypeOf(source) ?? "file"];
  if (block.name !== undefined) facts.push(JSON.stringify(block.name));
  if (source.type === "base64") facts.push(`about ${Math.floor((source.data.length * 3) / 4)} bytes`);
  else if (!source.url.startsWith("data:")) facts.push(source.url);
  return wellFormed(`[${facts.join(", ")}: ${remark}]`);
}

/** Writes a hint so that a model can tell it from the words around it; the hint cannot close its own tag. */
export function hintText(block: HintBlock): string {
  const inner = block.hint.replace(/<(?=\/?system-reminder)/gi, "&lt;");
  return wellFormed(`<system-reminder>\n${inner}\n</system-reminder>`);
}

const audioFormats: Readonly<Record<string, string>> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

const imageTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

function mediaTypeOf(source: DataSource): string | undefined {
  const given = source.mediaType ?? (source.type === "url" ? typeOfUrl(source.url) : undefined);
  return given?.split(";", 1)[0]?.trim().toLowerCase();
}

/** An address often comes without a media type; only what it says of itself is believed. */
function typeOfUrl(url: string): string | undefined {
  const inline = /^data:([^;,]+)/i.exec(url)?.[1];
  if (inline !== undefined) return inline;
  const extension = /^[^?#]*\.([a-z]+)(?:[?#]|$)/i.exec(url)?.[1];
  return extension === undefined ? undefined : imageTypes[extension.toLowerCase()];
}

function accepts(accepted: string, mediaType: string): boolean {
  return accepted === mediaType || (accepted.endsWith("/*") && mediaType.startsWith(accepted.slice(0, -1)));
}
