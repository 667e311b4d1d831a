/** The public surface of `holdall/cloudflare`: a workspace in the SQLite storage of a Durable Object. */

export {
  type DurableBackendOptions,
  type DurableFileSystemOptions,
  durableObjectBackend,
  durableObjectFileSystem,
  sweepWorkspace,
} from "./file-system.ts";
export type { RpcAnswer, RpcError, RpcRead, WorkspaceMethods } from "./rpc.ts";
export { type RpcBackendOptions, rpcBackend, type WorkspaceStub } from "./rpc-backend.ts";
export type { DurableState, DurableStorage, SqlRow, SqlStorage, SqlValue } from "./types.ts";
export { type WorkspaceObject, type WorkspaceOptions, workspaceObject } from "./workspace-object.ts";
