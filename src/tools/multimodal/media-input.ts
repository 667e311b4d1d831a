/** Makes what a model gave as a medium into what a provider takes: an address, or bytes that really are one. */

import type { Backend } from "../../backend/backend.ts";
import { createBreather, takeInTurns } from "../../backend/breather.ts";
import { base64Steps } from "../../base/base64-steps.ts";
import { baseName } from "../../base/path.ts";
import { refusal } from "../answer.ts";
import { lookUp, requireFile } from "../file-access.ts";
import { MAX_MEDIA_IN, MAX_MEDIA_IN_TOTAL, MAX_SOURCES } from "./limits.ts";
import { readSource, showSource } from "./media-source.ts";
import { extensionFor, MEDIA_HEAD, type MediaKind, mediaTypeByName, mediaTypeOf, serves } from "./media-type.ts";

/** A medium to send. */
export type MediaInput =
  | {
      type: "url";
      /** http or https; nobody here fetches it. */
      url: string;
    }
  | {
      type: "bytes";
      bytes: Uint8Array<ArrayBuffer>;
      mediaType: string;
      /** With the extension of its media type. */
      name: string;
    };

/** What is wanted, and where paths lead. */
export interface MediaWanted {
  kind: MediaKind;
  /** Left out: paths are refused. */
  backend: Backend | undefined;
  signal: AbortSignal;
}

/**
 * Looks at one medium.
 *
 * A file is sent only when its first bytes say that it is of the wanted kind: whatever else lies in the workspace
 * cannot leave it this way. Bytes that stand in the text itself may also be of a type that no bytes tell.
 *
 * @param text The medium as the model wrote it: a URL, a data: URL, base64 or a path.
 * @param wanted What is wanted.
 * @throws HoldallError that says what is wrong with it.
 */
export async function readMedia(text: string, wanted: MediaWanted): Promise<MediaInput> {
  const source = readSource(text);
  if (source.type === "url") return source;
  if (source.type === "path") return readFile(source.path, wanted);
  if (source.length > (MAX_MEDIA_IN * 4) / 3 + 1024) throw tooLarge("The data given");
  return checkBytes(source.bytes(), source.mediaType, "the data given", wanted);
}

/** Looks at all media of a call; there must be one at least. */
export async function readAllMedia(texts: readonly string[], wanted: MediaWanted): Promise<MediaInput[]> {
  if (texts.length === 0) throw refusal(`No ${wanted.kind} was given. Give a URL, a data: URL or a path.`);
  if (texts.length > MAX_SOURCES) {
    throw refusal(`${texts.length} were given; at most ${MAX_SOURCES} can be sent at once. Give fewer.`);
  }
  const inputs: MediaInput[] = [];
  let total = 0;
  for (const text of texts) {
    const input = await readMedia(text, wanted);
    total += input.type === "bytes" ? input.bytes.length : 0;
    if (total > MAX_MEDIA_IN_TOTAL) {
      throw refusal(`Together they are larger than ${MAX_MEDIA_IN_TOTAL >> 20} MiB. Give fewer or smaller ones.`);
    }
    inputs.push(input);
  }
  return inputs;
}

/** Makes the address by which a provider gets a medium: its URL, or a data: URL. */
export async function toAddress(input: MediaInput): Promise<string> {
  if (input.type === "url") return input.url;
  return `data:${input.mediaType};base64,${await takeInTurns(base64Steps(input.bytes), createBreather())}`;
}

/**
 * Makes sure that bytes are of the wanted kind.
 *
 * @param declared The media type that whoever gave the bytes says; empty when nobody does.
 * @param what What to call them.
 * @throws HoldallError that says what they are.
 */
export function checkBytes(
  bytes: Uint8Array<ArrayBuffer>,
  declared: string,
  what: string,
  { kind }: Pick<MediaWanted, "kind">,
): MediaInput & { type: "bytes" } {
  if (bytes.length > MAX_MEDIA_IN) throw tooLarge(what);
  const mediaType = mediaTypeOf(bytes.subarray(0, MEDIA_HEAD)) ?? (/^[a-z]+\/[\w.+-]+$/.test(declared) ? declared : "");
  if (bytes.length > 0 && serves(mediaType, kind)) {
    return { type: "bytes", bytes, mediaType, name: `${kind}.${extensionFor(mediaType)}` };
  }
  const found = bytes.length === 0 ? "empty" : mediaType === "" ? "not of a known media type" : `of type ${mediaType}`;
  throw refusal(
    `${article(kind)} is needed, but ${what} is ${found}. Give ${kind === "image" ? "an image" : `${kind}`} in a common format.`,
  );
}

async function readFile(path: string, wanted: MediaWanted): Promise<MediaInput> {
  const { backend, signal } = wanted;
  if (backend === undefined) {
    throw refusal(
      `${showSource(path)} is not a URL, and there is no workspace to read files from. Give a URL or a data: URL.`,
    );
  }
  const target = await requireFile(backend, await lookUp(backend, path, signal), signal);
  if (target.stat.size > MAX_MEDIA_IN) throw tooLarge(target.path);
  const read = await backend.fs.read(target.real, { length: MAX_MEDIA_IN + 1, signal });
  // Some hosts share the buffer of what they read between threads; a form takes only bytes of its own.
  const input = checkBytes(new Uint8Array(read.bytes), "", target.path, wanted);
  const name = baseName(target.path);
  const fits = mediaTypeByName(name) === input.mediaType;
  return { ...input, name: fits ? name : `${name}.${extensionFor(input.mediaType)}` };
}

function article(kind: MediaKind): string {
  return kind === "image" ? "An image" : kind === "video" ? "A video" : "Sound";
}

function tooLarge(what: string): Error {
  return refusal(
    `${what} is larger than ${MAX_MEDIA_IN >> 20} MiB, which is the most that is sent along. Give a URL, or a smaller copy.`,
  );
}
