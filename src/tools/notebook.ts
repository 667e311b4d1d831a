/** Shows a Jupyter notebook as text: its cells and what they printed. */

import { isRecord } from "../base/json.ts";
import type { Steps } from "../base/steps.ts";
import { cutText } from "../base/text.ts";
import { parseNotebook } from "./notebook-json.ts";

/** UTF-16 units of the output of one cell that are shown. */
export const MAX_OUTPUT_LENGTH = 2000;

/**
 * Writes the cells of a notebook one after the other, in steps.
 *
 * @param text The content of the file.
 * @returns The text, or undefined when the file is no notebook.
 */
export function* notebookText(text: string): Steps<string | undefined> {
  const notebook = yield* parseNotebook(text, (cell, index) => cellText(isRecord(cell) ? cell : {}, index + 1));
  return notebook?.cells.join("\n");
}

function cellText(cell: Record<string, unknown>, position: number): string {
  const kind = typeof cell.cell_type === "string" ? cell.cell_type : "unknown";
  const id = typeof cell.id === "string" ? `, id ${cell.id}` : "";
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.map(outputText).filter((output) => output !== "") : [];
  const shown = outputs.length === 0 ? "" : `[output]\n${cutText(outputs.join("\n"), MAX_OUTPUT_LENGTH)}\n`;
  return `[cell ${position}: ${kind}${id}]\n${endLine(joined(cell.source))}${shown}`;
}

function outputText(output: unknown): string {
  if (!isRecord(output)) return "";
  if (output.output_type === "stream") return joined(output.text).trimEnd();
  if (output.output_type === "error") return `${joined(output.ename)}: ${joined(output.evalue)}`;
  const data = isRecord(output.data) ? output.data : {};
  const text = joined(data["text/plain"]).trimEnd();
  const others = Object.keys(data).filter((type) => type !== "text/plain");
  return [text, ...others.map((type) => `[${type}]`)].filter((part) => part !== "").join("\n");
}

/** The format allows a string or a list of strings for every text. */
function joined(value: unknown): string {
  if (Array.isArray(value)) return value.filter((part) => typeof part === "string").join("");
  return typeof value === "string" ? value : "";
}

function endLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
