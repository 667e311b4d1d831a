/** Keeps the first part of what a command prints, cut between characters. */

import type { ShellOutput } from "holdall";

/** The two streams of a command as bytes go in and text comes out. */
export interface OutputGate {
  /** Takes bytes of one stream; a character may be split over several calls. */
  push(stream: ShellOutput["stream"], bytes: Uint8Array): void;
  /** Gives out what is left of unfinished characters. */
  end(): void;
  /** Whether anything was dropped. */
  readonly truncated: boolean;
}

const encoder = /* @__PURE__ */ new TextEncoder();

/**
 * Makes a gate for one command.
 *
 * @param maxBytes The most bytes of UTF-8 that go through, both streams together; the rest is dropped.
 * @param emit Called with each piece that goes through.
 */
export function createOutputGate(maxBytes: number, emit: (piece: ShellOutput) => void): OutputGate {
  const decoders = { stdout: newDecoder(), stderr: newDecoder() };
  let room = Math.max(0, maxBytes);
  let truncated = false;
  const give = (stream: ShellOutput["stream"], text: string): void => {
    if (text === "" || truncated) return;
    const bytes = encoder.encode(text);
    truncated = bytes.length > room;
    const kept = truncated ? firstCharacters(bytes, room) : text;
    room -= bytes.length;
    if (kept !== "") emit({ stream, text: kept });
  };
  return {
    push: (stream, bytes) => {
      if (!truncated) give(stream, decoders[stream].decode(bytes, { stream: true }));
    },
    end: () => {
      give("stdout", decoders.stdout.decode());
      give("stderr", decoders.stderr.decode());
    },
    get truncated() {
      return truncated;
    },
  };
}

function newDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}

/** Decodes at most `limit` bytes; a character that does not fit as a whole is left out. */
function firstCharacters(bytes: Uint8Array, limit: number): string {
  return newDecoder().decode(bytes.subarray(0, limit), { stream: true });
}
