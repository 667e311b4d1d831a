/** The NotebookEdit tool: changes one cell of a Jupyter notebook. */

import { description, object, optional, picklist, pipe, string } from "valibot";
import type { Backend } from "../backend/backend.ts";
import type { DangerousPaths } from "../base/dangerous-paths.ts";
import type { PermissionFinding } from "../permission/decision.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { answer } from "./answer.ts";
import { writePermission } from "./file-permission.ts";
import { lazy } from "./lazy.ts";

/** How the tool is set up. */
export interface NotebookEditToolOptions extends DangerousPaths {
  /** Where the files are. */
  backend: Backend;
}

/**
 * Makes the NotebookEdit tool, which replaces, inserts or deletes one cell of a notebook that the model has read. All
 * other cells and the rest of the file stay as they are, byte for byte; what a replaced code cell has printed is taken
 * out. The metadata of the result has `filePath`, `diff`, `added` and `removed`.
 *
 * @example
 * const toolkit = new Toolkit({ tools: [readTool({ backend }), notebookEditTool({ backend })] });
 */
export function notebookEditTool({ backend, ...dangers }: NotebookEditToolOptions): Tool {
  const load = lazy(() => import("./notebook-edit-file.ts"));
  const loadCheck = lazy(() => import("./change-file.ts"));
  const { matchRule, locateRule, generateSuggestions, checkPermissions } = writePermission(
    "NotebookEdit",
    backend,
    dangers,
    async (path, state) => (await loadCheck()).whyUnknown(backend, path, state),
  );
  return defineTool({
    name: "NotebookEdit",
    description:
      "Replaces, inserts or deletes one cell of a Jupyter notebook (.ipynb) that has been read with Read before. A cell is named by the id or the position that Read shows.",
    input: object({
      notebook_path: pipe(string(), description("The notebook, absolute or relative to the working directory.")),
      cell_id: optional(
        pipe(
          string(),
          description(
            "The id of the cell, or its position from 1. To insert: the cell behind which the new one comes; left out, it becomes the first.",
          ),
        ),
      ),
      new_source: optional(pipe(string(), description("The new source of the cell.")), ""),
      cell_type: optional(
        pipe(
          picklist(["code", "markdown", "raw"]),
          description("What the cell is. Left out: as it was; needed to insert."),
        ),
      ),
      edit_mode: optional(
        pipe(picklist(["replace", "insert", "delete"]), description("What to do with the cell.")),
        "replace",
      ),
    }),
    concurrencySafe: false,
    checkPermissions: async (input, check) => {
      const opinion = await checkPermissions(toFile(input), check);
      return opinion.findings === undefined ? opinion : { ...opinion, findings: opinion.findings.map(toNotebook) };
    },
    matchRule: (content, input, rule) => matchRule(content, toFile(input), rule),
    locateRule: async (content, input) => (await locateRule(content, toFile(input))).map(toNotebook),
    generateSuggestions: (input) => generateSuggestions(toFile(input)),
    execute: ({ notebook_path, cell_id, new_source, cell_type, edit_mode }, call) =>
      answer(call, async () => {
        const edit = { cell: cell_id, source: new_source, type: cell_type, mode: edit_mode };
        return (await load()).editNotebook({ backend, path: notebook_path, edit, call });
      }),
  });
}

function toFile({ notebook_path }: { notebook_path: string }): { file_path: string } {
  return { file_path: notebook_path };
}

/** What is found in the path of a file is found in that of the notebook. */
function toNotebook(finding: PermissionFinding): PermissionFinding {
  return { ...finding, field: "notebook_path" };
}
