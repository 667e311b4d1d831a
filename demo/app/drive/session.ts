/** What a workspace is worked on with: its files, the tools over them, and whom a change is put down to. */
import { type ToolInterceptor, Toolkit } from "holdall";
import { codingTools } from "holdall/tools";
import type { FileChange } from "../workspace/recorded-files.ts";
import { openWorkspace, type Workspace, type WorkspaceFiles } from "../workspace/workspace.ts";

/** A workspace and its tools. */
export interface Session {
  workspace: Workspace;
  toolkit: Toolkit;
}

/** What a session tells. */
export interface SessionListener {
  /** A file has changed; with the id of the call that did it, unless it was the person. */
  onChange(change: FileChange, callId: string | undefined): void;
  onTree(): void;
}

/** Opens a workspace and makes its tools. */
export function openSession(files: WorkspaceFiles, listener: SessionListener): Session {
  let writer: string | undefined;
  const recorder: ToolInterceptor = {
    name: "changes",
    // It looks on only, so what a tool says may go out while it runs.
    streams: true,
    async intercept(invocation, next) {
      if (invocation.tool.readOnly) return next(invocation);
      writer = invocation.toolCallId;
      try {
        return await next(invocation);
      } finally {
        writer = undefined;
      }
    },
  };
  const workspace = openWorkspace(files, {
    onChange: (change) => listener.onChange(change, writer),
    onTree: listener.onTree,
  });
  return {
    workspace,
    toolkit: new Toolkit({ tools: codingTools({ backend: workspace.backend }), interceptors: [recorder] }),
  };
}
