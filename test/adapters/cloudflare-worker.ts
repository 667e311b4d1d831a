/** A worker with workspace objects, for tests that run it in a real workerd. */
import { DurableObject } from "cloudflare:workers";
import { type FileSystem, HoldallError } from "holdall";
import {
  type DurableStorage,
  durableObjectFileSystem,
  rpcBackend,
  type WorkspaceStub,
  workspaceObject,
} from "holdall/cloudflare";
import { type ContractCase, fileSystemContract } from "holdall/testing";
import { bearerToken } from "holdall/worker";
import { checks } from "./cloudflare-checks.ts";

interface Env {
  TOKEN: string;
  WORKSPACE: Namespace<WorkspaceStub>;
  SMALL: Namespace<WorkspaceStub>;
  BENCH: Namespace<{ runCase(name: string): Promise<string> }>;
}

interface Namespace<T> {
  idFromName(name: string): object;
  get(id: object): T & { fetch(request: Request): Promise<Response> };
}

interface State {
  storage: DurableStorage & { deleteAll(): Promise<void> };
}

/** A workspace for RPC and HTTP. */
export class Workspace extends workspaceObject(DurableObject<Env>, {
  cwd: "/",
  authorize: (request, env) => bearerToken(env.TOKEN)(request),
}) {}

/** A workspace that is soon full, for RPC only. */
export class Small extends workspaceObject(DurableObject<Env>, { cwd: "/", maxBytes: 3 << 20, maxEntries: 20 }) {}

/** Runs checks on the storage itself. */
export class Bench extends DurableObject<Env> {
  readonly #storage: State["storage"];

  constructor(state: State, env: Env) {
    super(state, env);
    this.#storage = state.storage;
  }

  /** An object without it refuses to set an alarm. */
  async alarm(): Promise<void> {}

  async runCase(name: string): Promise<string> {
    const storage = this.#storage;
    const create = async (): Promise<FileSystem> => {
      await storage.deleteAll();
      return durableObjectFileSystem(storage);
    };
    const found = contract(create, true).find((each) => each.name === name);
    if (found !== undefined) return outcome(() => found.run());
    await storage.deleteAll();
    return outcome(async () => checks[name]?.(storage) ?? Promise.reject(new Error(`There is no check ${name}.`)));
  }
}

let grounds = 0;

const worker = {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    const name = url.searchParams.get("name") ?? "";
    if (url.pathname === "/cases")
      return Response.json({ contract: names(true), rpc: names(false), checks: Object.keys(checks) });
    if (url.pathname === "/inside") return new Response(await get(env.BENCH, "bench").runCase(name));
    if (url.pathname === "/rpc") {
      const create = async () => {
        grounds += 1;
        const { fs } = rpcBackend(get(env.WORKSPACE, `rpc ${grounds}`));
        return fs;
      };
      const found = contract(create, false).find((each) => each.name === name);
      return new Response(await outcome(() => found?.run() ?? Promise.reject(new Error("There is no such case."))));
    }
    const [, which, object = "", ...rest] = url.pathname.split("/");
    url.pathname = `/${rest.join("/")}`;
    return get(which === "small" ? env.SMALL : env.WORKSPACE, object).fetch(new Request(url, request));
  },
};

export default worker;

function get<T>(namespace: Namespace<T>, name: string) {
  return namespace.get(namespace.idFromName(name));
}

function contract(create: () => Promise<FileSystem>, watch: boolean): ContractCase[] {
  return fileSystemContract({ create, can: { symlinks: true, watch } });
}

function names(watch: boolean): string[] {
  return contract(() => Promise.reject(new Error("only listed")), watch).map(({ name }) => name);
}

async function outcome(run: () => Promise<unknown>): Promise<string> {
  try {
    await run();
    return "";
  } catch (error) {
    if (HoldallError.is(error))
      return `${error.message} ${JSON.stringify(error.data)} ${error.stack} ${String(error.cause)}`;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
