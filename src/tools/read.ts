/** The Read tool: shows a file to the model. */

import { description, integer, minValue, number, object, optional, pipe, string } from "valibot";
import type { Backend } from "../backend/backend.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { answer } from "./answer.ts";
import { fileRules } from "./file-permission.ts";
import { lazy } from "./lazy.ts";
import { DEFAULT_READ_LIMIT, MAX_LINE_LENGTH, MAX_PDF_PAGES, MAX_WHOLE_PDF_PAGES } from "./limits.ts";

/** How the tool is set up. */
export interface ReadToolOptions {
  /** Where the files are. */
  backend: Backend;
  /**
   * Media types of images the model can look at, such as `image/png` or `image/*`; others are refused. With
   * `application/pdf`, PDF documents are given as they are instead of as text. Defaults to PNG, JPEG, GIF and WebP.
   */
  inputTypes?: readonly string[];
}

/**
 * Makes the Read tool, which shows a text file with line numbers, an image as it is, a PDF document as the text of
 * its pages and a notebook by its cells, and remembers in the state which version of a text the model has seen.
 *
 * A file counts as binary when it has a NUL in its first 8 KiB and no UTF-16 byte order mark, or starts as a known kind
 * does. Texts of any size are read in pieces. PDF documents need at most {@link MAX_PDF_BYTES}, one call shows at most
 * {@link MAX_PDF_PAGES} of their pages and takes at most {@link MAX_PDF_TIME}; the library for them is loaded with the first.
 *
 * @example
 * const toolkit = new Toolkit({ tools: [readTool({ backend })] });
 */
export function readTool({
  backend,
  inputTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"],
}: ReadToolOptions): Tool {
  const load = lazy(() => import("./show-file.ts"));
  return defineTool({
    name: "Read",
    description: `Shows a text file as numbered lines (number, tab, text), ${DEFAULT_READ_LIMIT} lines from the start unless offset and limit say otherwise; lines over ${MAX_LINE_LENGTH} characters are cut. Notebooks (.ipynb) are shown by their cells, PDF documents ${inputTypes.some((type) => /^(application|\*)\/(pdf|\*)$/.test(type)) ? "as documents" : "as the text of their pages"}${inputTypes.some((type) => /^(image|\*)\//.test(type)) ? ", images as images" : ""}. Read a file before you change it with Edit or Write. For folders use Glob.`,
    input: object({
      file_path: pipe(string(), description("The file, absolute or relative to the working directory.")),
      offset: optional(pipe(number(), integer(), minValue(1), description("The first line to show, from 1.")), 1),
      limit: optional(
        pipe(number(), integer(), minValue(1), description("The most lines to show.")),
        DEFAULT_READ_LIMIT,
      ),
      pages: optional(
        pipe(
          string(),
          description(
            `The pages of a PDF document, such as "3" or "1-5", at most ${MAX_PDF_PAGES}; needed when it has more than ${MAX_WHOLE_PDF_PAGES}.`,
          ),
        ),
      ),
    }),
    readOnly: true,
    ...fileRules("Read", backend),
    execute: ({ file_path, offset, limit, pages }, call) =>
      answer(call, async () =>
        (await load()).showFile({
          backend,
          path: file_path,
          first: offset,
          limit,
          pages: pages?.trim() === "" ? undefined : pages,
          inputTypes,
          call,
        }),
      ),
  });
}
