/** Makes small PDF documents, good and bad. */

import { bytesOf } from "./setup.ts";

/** What to make of a document. */
export interface PdfParts {
  /** The content of each page, as `stream` in PDF has it. */
  contents: readonly string[];
  /** Entries of the dictionary of each content, such as a filter. */
  filter?: string;
  /** Entries of the trailer. */
  trailer?: string;
  /** What the page tree says instead of the pages there are. */
  tree?: string;
}

/** Writes lines of text as the content of a page. */
export function textContent(text: string): string {
  const lines = text.split("\n").map((line) => `(${line.replace(/[()\\]/g, "\\$&")}) Tj T*`);
  return `BT /F1 12 Tf 72 8900 Td 14 TL ${lines.join(" ")} ET`;
}

/** Makes a document of pages with text. */
export function pdfOf(...pages: readonly string[]): Uint8Array {
  return makePdf({ contents: pages.map(textContent) });
}

/** Makes a document. */
export function makePdf({ contents, filter = "", trailer = "", tree }: PdfParts): Uint8Array {
  const kids = contents.map((_, index) => `${4 + 2 * index} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages ${tree ?? `/Kids [${kids}] /Count ${contents.length}`} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9000 9000] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} ${filter}>>\nstream\n${content}\nendstream`,
    ]),
  ];
  let body = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${body.length}\n%%EOF\n`;
  return bytesOf(body + table + end);
}

/** Deflates bytes; each character of the result is one byte. */
export async function deflate(bytes: Uint8Array): Promise<string> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream("deflate"));
  const deflated = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (let at = 0; at < deflated.length; at += 8192) text += String.fromCharCode(...deflated.subarray(at, at + 8192));
  return text;
}
