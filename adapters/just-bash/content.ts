/** Bytes and the string forms in which just-bash hands them over. */

import type { IFileSystem } from "just-bash/browser";

type WriteOptions = Parameters<IFileSystem["writeFile"]>[2];
type ByteString = Awaited<ReturnType<NonNullable<IFileSystem["readFileBytes"]>>>;
type ReadOptions = Parameters<IFileSystem["readFile"]>[1];

/** Turns what a command writes into bytes. */
export function toBytes(content: string | Uint8Array, options: WriteOptions): Uint8Array {
  if (typeof content !== "string") return content;
  const encoding = typeof options === "string" ? options : options?.encoding;
  switch (encoding) {
    case "binary":
    case "latin1":
    case "ascii":
      return bytesOf(content);
    case "base64":
      return bytesOf(atob(content));
    case "hex":
      return bytesOfHex(content);
    default:
      return new TextEncoder().encode(content);
  }
}

/** Turns the bytes of a file into the string a command asked for. */
export function fromBytes(bytes: Uint8Array, options: ReadOptions): string {
  const encoding = typeof options === "string" ? options : options?.encoding;
  switch (encoding) {
    case "binary":
    case "latin1":
    case "ascii":
      return toLatin1(bytes);
    case "base64":
      return btoa(toLatin1(bytes));
    case "hex":
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    default:
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
}

/** Gives bytes as the strings that just-bash pipes from command to command: a character for each byte. */
export function byteString(bytes: Uint8Array): ByteString {
  // No value of that type can be made but by a claim: it is there so that none is taken for text.
  return toLatin1(bytes) as unknown as ByteString;
}

function bytesOfHex(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length >> 1);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

function bytesOf(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  // Many times as fast as what asks an iterator for each character.
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

function toLatin1(bytes: Uint8Array): string {
  const parts: string[] = [];
  // All at once would be more parameters than a call may have.
  for (let at = 0; at < bytes.length; at += 0x2000)
    parts.push(Reflect.apply(String.fromCharCode, null, bytes.subarray(at, at + 0x2000)));
  return parts.join("");
}
