/** Reads what the guards need of a Markdown file. */

/** A fenced block. */
export interface Block {
  /** The first word after the fence: `ts`, `sh`. */
  language: string;
  /** The words after it. */
  words: readonly string[];
  text: string;
  /** The line of the opening fence, counted from 1. */
  line: number;
}

/** Finds the fenced blocks. */
export function findBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S+)[ \t]*(.*)\n([\s\S]*?)^```[ \t]*$/gm)].map(
    ({ 1: language = "", 2: words = "", 3: text = "", index }) => ({
      language,
      words: words.split(" ").filter(Boolean),
      text,
      line: markdown.slice(0, index).split("\n").length,
    }),
  );
}

/** The text of the section under a second-level heading, up to the next one. */
export function findSection(markdown: string, heading: string): string | undefined {
  const sections = markdown.split(/^## /m).slice(1);
  return sections.find((section) => section.startsWith(`${heading}\n`))?.slice(heading.length + 1);
}

/** The code that each item of the lists in a text begins with, in order. */
export function findItems(markdown: string): string[] {
  return [...markdown.matchAll(/^(?:\d+\.|[-*]) +`([^`]+)`/gm)].map(({ 1: code = "" }) => code);
}
