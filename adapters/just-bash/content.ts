/** Bytes and the string forms in which just-bash hands them over. */

import type { IFileSystem } from "just-bash/browser";

type WriteOptions = Parameters<IFileSystem["writeFile"]>[2];
type ReadOptions = Parameters<IFileSystem["readFile"]>[1];

/** Turns what a command writes into bytes. */
export function toBytes(content: string | Uint8Array, options: WriteOptions): Uint8Array {
  if (typeof content !== "string") return content;
  const encoding = typeof options === "string" ? options : options?.encoding;
  switch (encoding) {
    case "binary":
    case "latin1":
    case "ascii":
      return Uint8Array.from(content, (unit) => unit.charCodeAt(0));
    case "base64":
      return Uint8Array.from(atob(content), (unit) => unit.charCodeAt(0));
    case "hex":
      return Uint8Array.from(content.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
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

function toLatin1(bytes: Uint8Array): string {
  let text = "";
  // A spread of the whole array would overflow the stack on large files.
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return text;
}
