/** Bytes: whether they are the same, and as base64 and text. */

const encoder = /* @__PURE__ */ new TextEncoder();

/** Encodes text as UTF-8. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** Decodes UTF-8, putting U+FFFD for what is not; a byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Decodes UTF-8, or gives undefined when a byte is not; a byte order mark is kept. */
export function decodeUtf8Strict(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Tells whether two byte arrays hold the same. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  // Words are compared several times as fast as bytes, where they lie as engines want them.
  const words = (one.byteOffset | other.byteOffset) % 4 === 0 ? one.length >> 2 : 0;
  if (words > 0) {
    const mine = new Int32Array(one.buffer, one.byteOffset, words);
    const others = new Int32Array(other.buffer, other.byteOffset, words);
    for (let at = 0; at < words; at += 1) if (mine[at] !== others[at]) return false;
  }
  for (let at = 4 * words; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

/** Encodes bytes as standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  // Whole groups of three, and no more than a call may have parameters; a spread would be several times as slow.
  for (let at = 0; at < bytes.length; at += 6144)
    text += btoa(Reflect.apply(String.fromCharCode, null, bytes.subarray(at, at + 6144)));
  return text;
}

/** Decodes standard base64, or gives undefined when the text is not base64. White space in it is skipped. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Joins byte arrays into one. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
