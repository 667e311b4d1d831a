/** Station 7: keeps a result small enough for a model; the rest is put aside, and the model is told where. */

import { cutText, wellFormed } from "../base/text.ts";
import type { DataBlock, OutputBlock, TextBlock, ToolChunk } from "../message/blocks.ts";
import { describeCut } from "./limit-note.ts";

/** Keeps what did not fit and tells where; undefined when it cannot. */
export type SpillText = (name: string, text: string, signal: AbortSignal | undefined) => Promise<string | undefined>;

/** How large a result may be. */
export interface ResultLimit {
  /** UTF-16 units of text that reach the model. Defaults to {@link DEFAULT_RESULT_LIMIT}. */
  characters?: number;
  /** Where the whole text goes when it is longer. */
  spill?: SpillText;
}

/** UTF-16 units of text that reach the model when nothing else is said. */
export const DEFAULT_RESULT_LIMIT = 50_000;

/** The most UTF-16 units of one result that are kept for putting aside; what comes after is dropped. */
export const MAX_SPILL: number = 16 << 20;

/** The most base64 units of data in one result; further data blocks become a note. */
export const MAX_RESULT_DATA: number = 32 << 20;

/** A result on its way out. */
export interface Limiter {
  /** Takes a chunk and gives what of it may go out now. */
  pass(chunk: ToolChunk): ToolChunk;
  /** Whether something is held back. */
  readonly holds: boolean;
  /** Gives what was held back: the rest, or a note and the tail. Undefined when nothing was. */
  finish(signal: AbortSignal | undefined): Promise<ToolChunk | undefined>;
}

/** The share of the limit that is kept from the start; the other part comes from the end. */
const HEAD_SHARE = 0.7;

/**
 * Makes a limiter for one call. Text up to the head's share goes out at once; what follows waits, because only the
 * end tells whether it fits.
 *
 * @param toolCallId The id of the call; names what is put aside.
 * @param limit How large the result may be.
 */
export function createLimiter(toolCallId: string, limit: ResultLimit): Limiter {
  return new ResultLimiter(toolCallId, limit);
}

/** A class for speed only: every call makes one. */
class ResultLimiter implements Limiter {
  readonly #toolCallId: string;
  readonly #spill: SpillText | undefined;
  readonly #most: number;
  readonly #headMost: number;
  /** What may be put aside, from the start, as far as there is room for it. */
  #aside: string[] | undefined;
  #asideLength = 0;
  #headLength = 0;
  #heldLength = 0;
  /** What was held back: all of it as long as it fits, then at least as much of the end as may go out. */
  #end: string[] | undefined;
  #endLength = 0;
  #data = 0;
  /** Half a surrogate pair waits for the other half, which may come with the next chunk. */
  #carry = "";

  constructor(toolCallId: string, limit: ResultLimit) {
    this.#toolCallId = toolCallId;
    this.#spill = limit.spill;
    this.#most = limit.characters ?? DEFAULT_RESULT_LIMIT;
    this.#headMost = Math.floor(this.#most * HEAD_SHARE);
  }

  get holds(): boolean {
    return this.#heldLength + this.#carry.length > 0;
  }

  pass(chunk: ToolChunk): ToolChunk {
    const { content } = chunk;
    const taken = content.map(this.#take, this);
    if (taken.length === 1 && taken[0] === content[0]) return chunk;
    return { ...chunk, content: taken.filter((block) => block !== undefined) };
  }

  #take(block: OutputBlock): OutputBlock | undefined {
    return block.type === "text" ? this.#takeBlock(block) : this.#takeData(block);
  }

  async finish(signal: AbortSignal | undefined): Promise<ToolChunk | undefined> {
    if (!this.holds) return undefined;
    this.#hold(this.#carry);
    const rest = this.#end?.join("") ?? "";
    const head = this.#headLength;
    const total = head + this.#heldLength;
    if (total <= this.#most) return { content: [{ type: "text", text: wellFormed(rest) }] };
    const path = await this.#spill?.(this.#toolCallId, this.#aside?.join("") ?? "", signal);
    return describeCut({ total, head, rest, most: this.#most - head, path, kept: this.#asideLength });
  }

  #takeBlock(block: TextBlock): TextBlock | undefined {
    const text = this.#takeText(block.text);
    if (text === block.text) return block;
    return text === "" ? undefined : { ...block, text };
  }

  #takeText(piece: string): string {
    const whole = this.#carry + piece;
    this.#carry = endsInHalf(whole) ? whole.slice(-1) : "";
    const text = this.#carry === "" ? whole : whole.slice(0, -1);
    const now = this.#end === undefined ? cutText(text, this.#headMost - this.#headLength) : "";
    this.#putAside(now);
    this.#headLength += now.length;
    if (now.length < text.length) this.#hold(text.slice(now.length));
    return wellFormed(now);
  }

  #hold(text: string): void {
    if (text === "") return;
    this.#putAside(text);
    this.#heldLength += text.length;
    this.#endLength += text.length;
    this.#end ??= [];
    const end = this.#end;
    end.push(text);
    // Long results come in thousands of pieces, and to join them all takes time.
    for (
      let first = end[0] ?? "";
      end.length > 1 && this.#endLength - first.length >= this.#most;
      first = end[0] ?? ""
    ) {
      end.shift();
      this.#endLength -= first.length;
    }
  }

  /** Keeps what may be put aside, without a gap, as long as there is room. */
  #putAside(text: string): void {
    if (this.#spill === undefined || this.#asideLength < this.#headLength + this.#heldLength) return;
    const part = cutText(text, MAX_SPILL - this.#asideLength);
    this.#aside ??= [];
    this.#aside.push(part);
    this.#asideLength += part.length;
  }

  #takeData(block: DataBlock): OutputBlock {
    if (block.source.type === "base64") this.#data += block.source.data.length;
    if (this.#data <= MAX_RESULT_DATA) return block;
    return {
      type: "text",
      text: `[${block.name ?? "data"} left out: more than ${MAX_RESULT_DATA} characters of base64 in one result]`,
    };
  }
}

function endsInHalf(text: string): boolean {
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xd800 && code <= 0xdbff;
}
