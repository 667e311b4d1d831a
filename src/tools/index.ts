/** The public surface of `holdall/tools`, named one by one. */

export { type BashToolOptions, bashTool } from "./bash.ts";
export { type CodingToolsOptions, codingTools } from "./coding-tools.ts";
export { DANGEROUS_DIRECTORIES, DANGEROUS_FILES, type DangerousPaths } from "./dangerous-paths.ts";
export { type EditToolOptions, editTool } from "./edit.ts";
export { type GlobToolOptions, globTool } from "./glob.ts";
export { type GrepToolOptions, grepTool } from "./grep.ts";
export {
  DEFAULT_HEAD_LIMIT,
  DEFAULT_READ_LIMIT,
  MAX_BASH_OUTPUT,
  MAX_BASH_TIMEOUT,
  MAX_EDIT_BYTES,
  MAX_FURTHER_EDITS,
  MAX_GLOB_FILES,
  MAX_HEAD_LIMIT,
  MAX_IMAGE_BYTES,
  MAX_LINE_LENGTH,
  MAX_NOTEBOOK_BYTES,
  MAX_READ_LENGTH,
  MAX_SCAN_BYTES,
  MAX_SEARCH_LENGTH,
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
export { type ReadToolOptions, readTool } from "./read.ts";
export { MAX_TASKS, readTasks, type Task, type TaskList, type TaskStatus } from "./tasks/task-list.ts";
export { type TaskToolsOptions, taskReminder, taskTools } from "./tasks/task-tools.ts";
export { type TodoToolsOptions, todoReminder, todoTools } from "./tasks/todo-tools.ts";
export { type WriteToolOptions, writeTool } from "./write.ts";
