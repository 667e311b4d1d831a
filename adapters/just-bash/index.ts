/** The public surface of `holdall/just-bash`. */

export { DEFAULT_SHELL_LIMITS, type ShellLimits } from "./limits.ts";
export type { JustBashModule, LoadJustBash } from "./peer.ts";
export { type ServeOptions, serveJustBash } from "./serve-just-bash.ts";
export { type JustBashOptions, justBashShell } from "./shell.ts";
