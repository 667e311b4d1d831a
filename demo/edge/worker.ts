/** An edge worker: runs one tool call on the files that come with the request, and serves workspaces that stay. */
import { Toolkit } from "holdall";
import { memoryBackend } from "holdall/memory";
import { editTool, globTool, grepTool, readTool, writeTool } from "holdall/tools";
import { type CallRequest, MAX_BODY_BYTES, RequestProblem, readCallRequest } from "./call-request.ts";
import { changedFiles } from "./changed-files.ts";
import { streamLines } from "./lines.ts";
import { askWorkspace, type Env } from "./workspace.ts";

export { Workspace } from "./workspace.ts";

/** Milliseconds that one call may take. */
const TIMEOUT = 10_000;

const usage = `Holdall on the edge

POST /call   Runs one tool call.
             {"call": {"name": "Grep", "input": {"pattern": "TODO"}}, "files": {"notes.txt": "TODO: write"}}
             The answer is NDJSON: the events of the call, then {"type": "RESULT", "result": …, "files": …} with the
             files that the call changed.
GET  /tools  Lists the tools with the JSON Schemas of their inputs.

A call may have ${MAX_BODY_BYTES} bytes. Its files live in memory until it is answered; nothing is kept.

/workspace/NAME   Files that stay, for whoever has the token:
                  remoteBackend({ url: "https://…/workspace/NAME", headers: { authorization: "Bearer TOKEN" } })
`;

/** The worker. Every call has files of its own, so nobody can reach what belongs to somebody else. */
const worker = {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    try {
      const workspace = askWorkspace(request, env);
      if (workspace !== undefined) return await workspace;
      if (pathname === "/") return allow(request, "GET") ?? new Response(usage);
      if (pathname === "/tools") return allow(request, "GET") ?? Response.json(openWorkspace({}).toolkit.schemas());
      if (pathname === "/call")
        return allow(request, "POST") ?? runCall(await readCallRequest(request), request.signal);
      return problem(404, "There is nothing here. GET / tells what there is.");
    } catch (error) {
      if (error instanceof RequestProblem) return problem(error.status, error.message);
      throw error;
    }
  },
};

export default worker;

function runCall({ call, files }: CallRequest, signal: AbortSignal): Response {
  const { toolkit, fs } = openWorkspace(files);
  return streamLines(signal, async (send, aborted) => {
    // No permission engine: whoever sends the files may have them read and changed; they are the sender's own copies.
    const result = await toolkit.run(call, { signal: aborted, timeoutMs: TIMEOUT, onEvent: send });
    await send({ type: "RESULT", result, files: await changedFiles(fs, files) });
  });
}

/** The tools without a shell: just-bash would make the worker three times as large. */
function openWorkspace(files: Readonly<Record<string, string>>) {
  const backend = memoryBackend({ files });
  const tools = [readTool, writeTool, editTool, globTool, grepTool].map((make) => make({ backend }));
  return { fs: backend.fs, toolkit: new Toolkit({ tools }) };
}

function allow(request: Request, method: string): Response | undefined {
  if (request.method === method || (method === "GET" && request.method === "HEAD")) return undefined;
  return problem(405, `Use ${method}.`, { allow: method });
}

function problem(status: number, error: string, headers: HeadersInit = {}): Response {
  return Response.json({ error }, { status, headers });
}
