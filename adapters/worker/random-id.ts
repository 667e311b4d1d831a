/** Names that nobody guesses. */

/** Makes a name of 32 hexadecimal digits; not by `randomUUID`, which pages without TLS have not. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
