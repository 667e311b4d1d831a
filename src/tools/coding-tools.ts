/** The coding tools over one backend. */

import type { Backend } from "../backend/backend.ts";
import type { Tool } from "../tool/tool.ts";
import { type BashToolOptions, bashTool } from "./bash.ts";
import { backgroundTools } from "./bash-background-tools.ts";
import { editTool } from "./edit.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { type ReadToolOptions, readTool } from "./read.ts";
import { writeTool } from "./write.ts";

/** How the tools are set up. */
export interface CodingToolsOptions extends ReadToolOptions, BashToolOptions {
  /** Where files are and commands run. */
  backend: Backend;
}

/**
 * Makes Bash, Read, Write, Edit, Glob and Grep over one backend; with `background` also BashOutput and KillShell.
 *
 * @example
 * const toolkit = new Toolkit({ tools: codingTools({ backend: memoryBackend({ files: { "/a.txt": "hello" } }) }) });
 */
export function codingTools(options: CodingToolsOptions): Tool[] {
  return [
    bashTool(options),
    readTool(options),
    writeTool(options),
    editTool(options),
    globTool(options),
    grepTool(options),
    ...(options.background === undefined ? [] : backgroundTools({ background: options.background })),
  ];
}
