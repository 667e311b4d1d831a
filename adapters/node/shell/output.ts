/** Turns the bytes of two streams into pieces of text, and holds them until somebody reads them. */

import type { ShellOutput } from "holdall";

/** The output of one command. */
export interface Output extends AsyncIterable<ShellOutput> {
  /** Takes bytes of one stream; a character may be split over several calls. */
  push(stream: ShellOutput["stream"], bytes: Uint8Array): void;
  /** Gives out what is left of unfinished characters; nothing comes afterwards. */
  end(): void;
  /** Whether anything was dropped. */
  readonly truncated: boolean;
}

/** UTF-16 units up to which pieces that nobody has read yet are joined: a million pieces of one byte take 100 MB. */
const JOINED = 16 << 10;

/**
 * Makes an empty output; each reader starts with the first piece.
 *
 * @param maxBytes The most bytes of UTF-8 that are kept, both streams together; the rest is dropped.
 */
export function createOutput(maxBytes: number): Output {
  const pieces: ShellOutput[] = [];
  const decoders = { stdout: newDecoder(), stderr: newDecoder() };
  let room = maxBytes;
  let truncated = false;
  let ended = false;
  /** Pieces that some reader has met; they do not change any more. */
  let met = 0;
  let wake: () => void = () => {};
  let grown = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const changed = (): void => {
    wake();
    grown = new Promise((resolve) => {
      wake = resolve;
    });
  };
  const give = (stream: ShellOutput["stream"], text: string): void => {
    if (text === "" || truncated) return;
    const size = Buffer.byteLength(text);
    truncated = size > room;
    const kept = truncated ? firstCharacters(text, room) : text;
    room -= size;
    if (kept === "") return;
    const last = pieces[pieces.length - 1];
    if (last?.stream === stream && pieces.length > met && last.text.length < JOINED) last.text += kept;
    else pieces.push({ stream, text: kept });
    changed();
  };
  return {
    push(stream, bytes) {
      if (!ended && !truncated) give(stream, decoders[stream].decode(bytes, { stream: true }));
    },
    end() {
      if (ended) return;
      give("stdout", decoders.stdout.decode());
      give("stderr", decoders.stderr.decode());
      ended = true;
      changed();
    },
    get truncated() {
      return truncated;
    },
    async *[Symbol.asyncIterator]() {
      for (let at = 0; ; at += 1) {
        while (at >= pieces.length) {
          if (ended) return;
          await grown;
        }
        met = Math.max(met, at + 1);
        const piece = pieces[at];
        if (piece !== undefined) yield piece;
      }
    },
  };
}

function newDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}

/** Gives the characters that fit into some bytes as a whole. */
function firstCharacters(text: string, bytes: number): string {
  return newDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes), { stream: true });
}
