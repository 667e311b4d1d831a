/** The Write tool: creates a file or replaces its whole content. */

import { description, object, pipe, string } from "valibot";
import type { Backend } from "../backend/backend.ts";
import type { DangerousPaths } from "../base/dangerous-paths.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { answer } from "./answer.ts";
import { writePermission } from "./file-permission.ts";
import { lazy } from "./lazy.ts";

/** How the tool is set up. */
export interface WriteToolOptions extends DangerousPaths {
  /** Where the files are. */
  backend: Backend;
}

/**
 * Makes the Write tool, which creates a file with its folders, or replaces the content of one that the model has read.
 *
 * A file that is replaced keeps its byte order mark and encoding, and its CRLF line ends when all of them are CRLF and
 * the new content has only LF; everything else is written as given, new files as UTF-8. Files over 16 MiB are replaced
 * as given, without a diff. The metadata of the result has `filePath`, `diff`, `added` and `removed`.
 *
 * @example
 * const toolkit = new Toolkit({ tools: [readTool({ backend }), writeTool({ backend })] });
 */
export function writeTool({ backend, ...dangers }: WriteToolOptions): Tool {
  const load = lazy(() => import("./write-file.ts"));
  const loadCheck = lazy(() => import("./change-file.ts"));
  return defineTool({
    name: "Write",
    description:
      "Creates a file, with the folders it needs, or replaces the whole content of an existing one, which must have been read with Read before. To change a part of a file use Edit. Byte order mark and CRLF line ends of an existing file are kept.",
    input: object({
      file_path: pipe(string(), description("The file, absolute or relative to the working directory.")),
      content: pipe(string(), description("The whole new content.")),
    }),
    concurrencySafe: false,
    ...writePermission("Write", backend, dangers, async (path, state) =>
      (await loadCheck()).whyUnknown(backend, path, state),
    ),
    execute: ({ file_path, content }, call) =>
      answer(call, async () => (await load()).writeFile({ backend, path: file_path, content, call })),
  });
}
