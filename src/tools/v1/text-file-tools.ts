/** The text file tools of the first version: view_text_file, list_directory, write_text_file, insert_text_file. */

import { description, integer, nullish, number, object, pipe, string } from "valibot";
import type { Backend } from "../../backend/backend.ts";
import type { DangerousPaths } from "../../base/dangerous-paths.ts";
import { errorText, HoldallError } from "../../base/errors.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool, ToolCallContext } from "../../tool/tool.ts";
import { answer } from "../answer.ts";
import { fileRules, type WhyNot, writePermission } from "../file-permission.ts";
import { lazy } from "../lazy.ts";
import { toPath } from "../paths.ts";
import { searchRules } from "../search-root.ts";
import { type BaseDirectory, openBase } from "./base-directory.ts";
import type { TextFileCall } from "./text-file-work.ts";

/** How the tools are set up. */
export interface TextFileToolsOptions extends DangerousPaths {
  /** Where the files are. */
  backend: Backend;
  /**
   * The folder that no path may lead out of, absolute or relative to the backend's `cwd`; relative paths start here. Left
   * out, everything in the backend may be reached, and relative paths start at its `cwd`.
   */
  baseDirectory?: string;
}

/**
 * Makes view_text_file, list_directory, write_text_file and insert_text_file: file tools that count in lines, with the
 * names and parameters of AgentScope's first version.
 *
 * The base directory is a boundary: `..`, absolute paths, symlinks (also dangling ones), encoded and backslash forms, and
 * folders whose names begin like it are refused. Where a link is put into the path while a call runs, nothing that was
 * read is told; a file system has no lock, so such a write may have happened, and the call fails.
 *
 * Files keep encoding, byte order mark and line ends, except that a whole file is written as given, as UTF-8. Results of
 * writing have `filePath`, and where both texts are known `diff`, `added` and `removed`, in their metadata.
 *
 * @example
 * const toolkit = new Toolkit({ tools: textFileTools({ backend, baseDirectory: "/safe/workspace" }) });
 */
export function textFileTools({ backend, baseDirectory, ...dangers }: TextFileToolsOptions): Tool[] {
  const base = openBase(backend, baseDirectory);
  return [
    viewTextFileTool(base),
    listDirectoryTool(base),
    writeTextFileTool(base, dangers),
    insertTextFileTool(base, dangers),
  ];
}

const load = /* @__PURE__ */ lazy(() => import("./text-file-work.ts"));

type Work = Awaited<ReturnType<typeof load>>;

const filePath = () => pipe(string(), description("The file, absolute or relative to the base directory."));

function viewTextFileTool(base: BaseDirectory): Tool {
  return defineTool({
    name: "view_text_file",
    description: "Shows a text file with line numbers, or a range of its lines.",
    input: object({
      file_path: filePath(),
      ranges: nullish(
        pipe(
          string(),
          description(
            "The lines to show, first and last, such as '1,100' or '[1,100]'; negative numbers count from the end: '-100,-1' shows the last hundred. Left out: the whole file.",
          ),
        ),
      ),
    }),
    readOnly: true,
    ...fileRules("view_text_file", base.backend),
    execute: ({ file_path, ranges }, call) =>
      run(base, file_path, call, (work, given) => work.viewTextFile(given, ranges ?? undefined)),
  });
}

function listDirectoryTool(base: BaseDirectory): Tool {
  return defineTool({
    name: "list_directory",
    description: "Lists the folders and files in a folder, hidden ones included, not those below.",
    input: object({
      dir_path: pipe(string(), description("The folder, absolute or relative to the base directory.")),
    }),
    readOnly: true,
    ...searchRules<{ dir_path: string; path?: undefined }>("list_directory", base.backend, ({ dir_path }) =>
      toPath(base.backend, dir_path),
    ),
    execute: ({ dir_path }, call) => run(base, dir_path, call, (work, given) => work.listDirectory(given)),
  });
}

function writeTextFileTool(base: BaseDirectory, dangers: DangerousPaths): Tool {
  return defineTool({
    name: "write_text_file",
    description:
      "Creates a file with its folders, replaces the whole content of one, or replaces a range of its lines by new ones.",
    input: object({
      file_path: filePath(),
      content: pipe(string(), description("The new content.")),
      ranges: nullish(
        pipe(
          string(),
          description(
            "The lines to replace, first and last, such as '1,5'; negative numbers count from the end. Left out: the whole file.",
          ),
        ),
      ),
    }),
    concurrencySafe: false,
    ...writePermission("write_text_file", base.backend, dangers, whyNot(base)),
    execute: ({ file_path, content, ranges }, call) =>
      run(base, file_path, call, (work, given) => work.writeTextFile(given, content, ranges ?? undefined)),
  });
}

function insertTextFileTool(base: BaseDirectory, dangers: DangerousPaths): Tool {
  return defineTool({
    name: "insert_text_file",
    description: "Inserts lines into a text file in front of a line, or after the last one.",
    input: object({
      file_path: filePath(),
      content: pipe(string(), description("The lines to insert.")),
      line_number: pipe(
        number(),
        integer(),
        description("The line in front of which they come, from 1; one more than there are to append."),
      ),
    }),
    concurrencySafe: false,
    ...writePermission("insert_text_file", base.backend, dangers, whyNot(base)),
    execute: ({ file_path, content, line_number }, call) =>
      run(base, file_path, call, (work, given) => work.insertTextFile(given, content, line_number)),
  });
}

function run(
  base: BaseDirectory,
  path: string,
  call: ToolCallContext,
  action: (work: Work, given: TextFileCall) => ReturnType<Parameters<typeof answer>[1]>,
): ReturnType<typeof answer> {
  return answer(call, async () => action(await load(), { base, path, call }));
}

/** Nobody is asked about a path that leads out. */
function whyNot(base: BaseDirectory): WhyNot {
  return async (path) => {
    try {
      const { signal } = new AbortController();
      base.requireInside(path);
      await base.requireReal(path, await base.backend.fs.realpath(toPath(base.backend, path), { signal }), signal);
      return undefined;
    } catch (error) {
      return HoldallError.is(error, "TOOL_REFUSED") ? errorText(error) : undefined;
    }
  };
}
