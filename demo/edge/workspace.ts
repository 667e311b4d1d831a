/** Files that stay: a workspace in a Durable Object for each name, for `remoteBackend` with the token of the deployment. */
import { DurableObject } from "cloudflare:workers";
import { workspaceObject } from "holdall/cloudflare";
import { bearerToken } from "holdall/worker";

/** The bindings and secrets of the worker. */
export interface Env {
  WORKSPACE: {
    idFromName(name: string): object;
    get(id: object): { fetch(request: Request): Promise<Response> };
  };
  /** Lets its holder into every workspace; without it nobody gets in. */
  TOKEN?: string;
}

/** One workspace. It is asked by this worker alone, which hands requests on as they came. */
export class Workspace extends workspaceObject(DurableObject<Env>, {
  authorize: (request, { TOKEN }) => TOKEN !== undefined && bearerToken(TOKEN)(request),
  maxBytes: 1 << 30,
}) {}

/**
 * Hands a request on to the workspace that its address names.
 *
 * @returns Its answer; undefined when the address names none.
 */
export function askWorkspace(request: Request, env: Env): Promise<Response> | undefined {
  const [, name] = /^\/workspace\/([\w-]{1,64})\/?$/.exec(new URL(request.url).pathname) ?? [];
  return name === undefined ? undefined : env.WORKSPACE.get(env.WORKSPACE.idFromName(name)).fetch(request);
}
