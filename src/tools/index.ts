/** The public surface of `holdall/tools`, named one by one. */

export { DANGEROUS_DIRECTORIES, DANGEROUS_FILES, type DangerousPaths } from "../base/dangerous-paths.ts";
export { type BashToolOptions, bashTool } from "./bash.ts";
export {
  type BackgroundOutput,
  type BackgroundRuns,
  type BackgroundRunsOptions,
  type BackgroundStart,
  backgroundRuns,
} from "./bash-background.ts";
export { type BackgroundToolsOptions, backgroundTools } from "./bash-background-tools.ts";
export type { BackgroundRun, BackgroundStatus } from "./bash-runs.ts";
export { type CodingToolsOptions, codingTools } from "./coding-tools.ts";
export { type EditToolOptions, editTool } from "./edit.ts";
export { type GlobToolOptions, globTool } from "./glob.ts";
export { type GrepToolOptions, grepTool } from "./grep.ts";
export {
  DEFAULT_HEAD_LIMIT,
  DEFAULT_READ_LIMIT,
  MAX_BACKGROUND_PRINTED,
  MAX_BACKGROUND_RUNS,
  MAX_BACKGROUND_SHOWN,
  MAX_BACKGROUND_TIME,
  MAX_BACKGROUND_WAITING,
  MAX_BASH_OUTPUT,
  MAX_BASH_PRINTED,
  MAX_BASH_TIMEOUT,
  MAX_EDIT_BYTES,
  MAX_ENDED_OUTPUTS,
  MAX_ENDED_RUNS,
  MAX_FURTHER_EDITS,
  MAX_GLOB_FILES,
  MAX_HEAD_LIMIT,
  MAX_IMAGE_BYTES,
  MAX_LINE_LENGTH,
  MAX_NOTEBOOK_BYTES,
  MAX_PDF_BYTES,
  MAX_PDF_PAGES,
  MAX_PDF_STREAM_BYTES,
  MAX_PDF_TIME,
  MAX_READ_LENGTH,
  MAX_REPLACED,
  MAX_SCAN_BYTES,
  MAX_SEARCH_LENGTH,
  MAX_WHOLE_PDF_PAGES,
} from "./limits.ts";
export {
  DASHSCOPE_URL,
  type DashScopeMediaModels,
  type DashScopeMultimodalOptions,
  dashScopeMultimodalTools,
} from "./multimodal/dashscope-multimodal-tools.ts";
export {
  OPENAI_URL,
  type OpenAiMediaModels,
  type OpenAiMultimodalOptions,
  openAiMultimodalTools,
} from "./multimodal/openai-multimodal-tools.ts";
export type { ProviderOptions, TaskWaiting } from "./multimodal/provider.ts";
export { type NotebookEditToolOptions, notebookEditTool } from "./notebook-edit.ts";
export { lintPathRule, type PathRuleProblem } from "./path-lint.ts";
export { type PowershellToolOptions, powershellTool } from "./powershell.ts";
export { type ReadToolOptions, readTool } from "./read.ts";
export { type PdfPort, servePdf } from "./serve-pdf.ts";
export { MAX_TASKS, readTasks, type Task, type TaskList, type TaskStatus } from "./tasks/task-list.ts";
export { type TaskToolsOptions, taskReminder, taskTools } from "./tasks/task-tools.ts";
export { type TodoToolsOptions, todoReminder, todoTools } from "./tasks/todo-tools.ts";
export { type CommandAllowList, commandAllowList } from "./v1/command-allow-list.ts";
export type { ApproveCommand } from "./v1/shell-command-run.ts";
export {
  DEFAULT_COMMAND_SECONDS,
  MAX_COMMAND_SECONDS,
  type ShellCommandToolOptions,
  shellCommandTool,
} from "./v1/shell-command-tool.ts";
export { type TextFileToolsOptions, textFileTools } from "./v1/text-file-tools.ts";
export { type WriteToolOptions, writeTool } from "./write.ts";
