/** The class of a Durable Object that is a workspace: files for RPC and for HTTP. */

import type { Backend, FileSystem } from "holdall";
import { type BackendHandler, type ServeBackendOptions, serveBackend } from "holdall/worker";
import { type DurableBackendOptions, durableObjectBackend, sweepWorkspace } from "./file-system.ts";
import { durableKeys } from "./keys.ts";
import { answer, byteStream, lines, readFor, type WorkspaceMethods } from "./rpc.ts";
import type { DurableState, DurableStorage } from "./types.ts";

/** How a workspace is served. */
export interface WorkspaceOptions<TEnv> extends Omit<DurableBackendOptions, "alarms"> {
  /**
   * Decides who may use the workspace over HTTP; the second argument holds the bindings and secrets of the worker.
   * `"none"` lets everybody in who can reach the object's `fetch`. Without it, only RPC is answered: that comes from
   * workers that have a binding to the object, and needs no further leave.
   */
  authorize?: ((request: Request, env: TEnv) => boolean | Promise<boolean>) | "none";
  /** How it is served over HTTP. */
  http?: Omit<ServeBackendOptions, "authorize">;
}

/** A workspace object. */
export interface WorkspaceObject extends WorkspaceMethods {
  /** Answers the protocol of `remoteBackend`. */
  fetch(request: Request): Promise<Response>;
  /** Lets go of uploads that were cut off, and of outcomes that are old. */
  alarm(): Promise<void>;
}

/**
 * Makes the class of a workspace object, on the host's own base class.
 *
 * @param Base `DurableObject` from `cloudflare:workers`.
 * @param options How the workspace is kept and served.
 * @example
 * import { DurableObject } from "cloudflare:workers";
 * import { bearerToken } from "holdall/worker";
 *
 * export class Workspace extends workspaceObject(DurableObject<Env>, {
 *   authorize: (request, env) => bearerToken(env.TOKEN)(request),
 * }) {}
 */
export function workspaceObject<TState extends DurableState, TEnv>(
  Base: abstract new (state: TState, env: TEnv) => object,
  options: WorkspaceOptions<TEnv> = {},
): new (
  state: TState,
  env: TEnv,
) => WorkspaceObject {
  return class extends Base implements WorkspaceObject {
    readonly #storage: TState["storage"];
    readonly #fs: FileSystem;
    readonly #handle: BackendHandler;

    constructor(state: TState, env: TEnv) {
      super(state, env);
      this.#storage = state.storage;
      const backend = durableObjectBackend(state.storage, { ...options, alarms: true });
      this.#fs = backend.fs;
      this.#handle = handlerOf(backend, state.storage, options, env);
    }

    fetch(request: Request): Promise<Response> {
      return this.#handle(request);
    }

    alarm(): Promise<void> {
      return sweepWorkspace(this.#storage);
    }

    stat(...[path, options]: Parameters<WorkspaceMethods["stat"]>): ReturnType<WorkspaceMethods["stat"]> {
      return answer(() => this.#fs.stat(path, options));
    }

    read(...[path, options]: Parameters<WorkspaceMethods["read"]>): ReturnType<WorkspaceMethods["read"]> {
      return answer(() => readFor(this.#fs, path, options));
    }

    readStream(
      ...[path, options]: Parameters<WorkspaceMethods["readStream"]>
    ): ReturnType<WorkspaceMethods["readStream"]> {
      return answer(async () => byteStream(this.#fs.readStream(path, options)));
    }

    write(...[path, bytes, options]: Parameters<WorkspaceMethods["write"]>): ReturnType<WorkspaceMethods["write"]> {
      return answer(() => this.#fs.write(path, bytes, options));
    }

    writeStream(
      ...[path, stream, options]: Parameters<WorkspaceMethods["writeStream"]>
    ): ReturnType<WorkspaceMethods["writeStream"]> {
      return answer(() => this.#fs.writeStream(path, stream, options));
    }

    list(...[path]: Parameters<WorkspaceMethods["list"]>): ReturnType<WorkspaceMethods["list"]> {
      return answer(() => lines(this.#fs.list(path)));
    }

    walk(...[path, options]: Parameters<WorkspaceMethods["walk"]>): ReturnType<WorkspaceMethods["walk"]> {
      return answer(() => lines(this.#fs.walk(path, options)));
    }

    makeDirectory(
      ...[path]: Parameters<WorkspaceMethods["makeDirectory"]>
    ): ReturnType<WorkspaceMethods["makeDirectory"]> {
      return answer(() => nothing(this.#fs.makeDirectory(path)));
    }

    remove(...[path, options]: Parameters<WorkspaceMethods["remove"]>): ReturnType<WorkspaceMethods["remove"]> {
      return answer(() => nothing(this.#fs.remove(path, options)));
    }

    rename(...[from, to]: Parameters<WorkspaceMethods["rename"]>): ReturnType<WorkspaceMethods["rename"]> {
      return answer(() => nothing(this.#fs.rename(from, to)));
    }

    symlink(...[target, path]: Parameters<WorkspaceMethods["symlink"]>): ReturnType<WorkspaceMethods["symlink"]> {
      return answer(() => nothing(this.#fs.symlink?.(target, path)));
    }

    readLink(...[path]: Parameters<WorkspaceMethods["readLink"]>): ReturnType<WorkspaceMethods["readLink"]> {
      return answer(async () => (await this.#fs.readLink?.(path)) ?? "");
    }

    realpath(...[path]: Parameters<WorkspaceMethods["realpath"]>): ReturnType<WorkspaceMethods["realpath"]> {
      return answer(() => this.#fs.realpath(path));
    }

    glob(...[query]: Parameters<WorkspaceMethods["glob"]>): ReturnType<WorkspaceMethods["glob"]> {
      return answer(() => this.#fs.glob(query));
    }

    grep(...[query]: Parameters<WorkspaceMethods["grep"]>): ReturnType<WorkspaceMethods["grep"]> {
      return answer(() => this.#fs.grep(query));
    }
  };
}

function handlerOf<TEnv>(
  backend: Backend,
  storage: DurableStorage,
  { authorize, http, clock = Date.now }: WorkspaceOptions<TEnv>,
  env: TEnv,
): BackendHandler {
  if (authorize === undefined) return async () => new Response("This workspace answers RPC only.", { status: 403 });
  return serveBackend(backend, {
    keys: durableKeys(storage, clock),
    ...http,
    authorize: authorize === "none" ? authorize : (request) => authorize(request, env),
  });
}

async function nothing(call: Promise<void> | undefined): Promise<undefined> {
  await call;
  return undefined;
}
