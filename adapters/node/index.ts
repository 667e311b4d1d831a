/** The public surface of `holdall/node`: real files below a directory, and a real shell beside them. */

export { type NodeBackendOptions, nodeBackend } from "./node-backend.ts";
export { type NodeFileSystemOptions, nodeFileSystem } from "./node-file-system.ts";
export { type NodeShellOptions, nodeShell } from "./shell/node-shell.ts";
