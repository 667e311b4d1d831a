/** The Edit tool: replaces exact text in a file. */

import { array, boolean, description, maxLength, object, optional, pipe, string } from "valibot";
import type { Backend } from "../backend/backend.ts";
import type { DangerousPaths } from "../base/dangerous-paths.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { answer } from "./answer.ts";
import { writePermission } from "./file-permission.ts";
import { lazy } from "./lazy.ts";
import { MAX_FURTHER_EDITS } from "./limits.ts";

/** How the tool is set up. */
export interface EditToolOptions extends DangerousPaths {
  /** Where the files are. */
  backend: Backend;
}

/**
 * Makes the Edit tool, which replaces literal text in a file that the model has read.
 *
 * Everything else in the file stays as it is, byte for byte: byte order mark, encoding, line ends, a missing line end
 * at the end. A line break in `old_string` matches any line end; new text takes the line ends of its place. Several
 * replacements are made one after the other, all or none. The metadata of the result has `filePath`, `diff`, `added`,
 * `removed` and `occurrences`.
 *
 * @example
 * const toolkit = new Toolkit({ tools: [readTool({ backend }), editTool({ backend })] });
 */
export function editTool({ backend, ...dangers }: EditToolOptions): Tool {
  const load = lazy(() => import("./edit-file.ts"));
  const loadCheck = lazy(() => import("./change-file.ts"));
  return defineTool({
    name: "Edit",
    description:
      "Replaces exact text in a file that has been read with Read before. Copy old_string from what Read showed, without the line numbers, with enough lines around to be unique. Nothing is written unless every replacement fits.",
    input: editInput(),
    concurrencySafe: false,
    ...writePermission("Edit", backend, dangers, async (path, state) =>
      (await loadCheck()).whyUnknown(backend, path, state),
    ),
    execute: ({ file_path, edits = [], ...first }, call) =>
      answer(call, async () => {
        const { editFile } = await load();
        return editFile({ backend, path: file_path, first, further: edits, call });
      }),
  });
}

function editInput() {
  const oldString = pipe(string(), description("The exact text to replace. Empty only to fill a new or empty file."));
  const newString = pipe(string(), description("The text to put there, taken literally. Empty to delete."));
  const replaceAll = optional(
    pipe(boolean(), description("Whether to replace all occurrences instead of the only one.")),
    false,
  );
  const replacement = object({ old_string: oldString, new_string: newString, replace_all: replaceAll });
  return object({
    file_path: pipe(string(), description("The file, absolute or relative to the working directory.")),
    ...replacement.entries,
    edits: optional(
      pipe(
        array(replacement),
        maxLength(MAX_FURTHER_EDITS),
        description(
          "Further replacements in the same file, made in order after the first; each sees what those before it left. All are made or none.",
        ),
      ),
    ),
  });
}
