/** Encodes bytes as base64, however many they are, in steps. */

import { toBase64 } from "./bytes.ts";
import type { Steps } from "./steps.ts";

/** Bytes that are encoded in one step: whole groups of three. */
const STEP_BYTES = 3 << 15;

/** Encodes bytes as standard base64 with padding. */
export function* base64Steps(bytes: Uint8Array): Steps<string> {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    parts.push(toBase64(bytes.subarray(at, at + STEP_BYTES)));
    yield undefined;
  }
  return parts.join("");
}
