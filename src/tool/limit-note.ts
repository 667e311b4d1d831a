/** What a model reads where a result was too long. */

import { cutTextStart, wellFormed } from "../base/text.ts";
import type { ToolChunk } from "../message/blocks.ts";

/** What was cut. Counts are UTF-16 units. */
export interface Cut {
  total: number;
  /** How much of the start has gone out. */
  head: number;
  /** The end of what came after that: at least as much as may still go out. */
  rest: string;
  /** How much of the end may still go out. */
  most: number;
  /** Where the text is put aside. */
  path: string | undefined;
  /** How much of it is there, from the start. */
  kept: number;
}

/** Makes the note and the tail, with the facts for the metadata. */
export function describeCut({ total, head, rest, most, path, kept }: Cut): ToolChunk {
  const tail = cutTextStart(rest, most);
  const where =
    path === undefined
      ? "The rest was not kept; ask for less at once."
      : `${kept < total ? `The first ${kept} characters are` : "The whole text is"} in ${path}; read the part you need from there.`;
  const note = `\n\n[… ${total - head - tail.length} of ${total} characters left out here. ${where}]\n\n`;
  const truncated = path === undefined ? { characters: total } : { characters: total, path };
  return { content: [{ type: "text", text: wellFormed(note + tail) }], metadata: { truncated } };
}
