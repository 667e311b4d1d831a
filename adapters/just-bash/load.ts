/** Loads just-bash, an optional peer, when a shell first needs it. */

import { HoldallError } from "holdall";
import type { JustBashModule, LoadJustBash } from "./peer.ts";

/** The module as its own types describe it. */
export type Engine = typeof import("just-bash/browser");

let loading: Promise<Engine> | undefined;

/**
 * Loads just-bash once; a failure is not remembered, so the next call tries again.
 *
 * @param load The loader to use instead of an import of the installed package.
 * @throws HoldallError `PEER_MISSING` when it cannot be had.
 */
export async function loadJustBash(load?: LoadJustBash): Promise<Engine> {
  if (load !== undefined) return attempt(load);
  loading ??= attempt(() => import("just-bash/browser"));
  try {
    return await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

async function attempt(load: LoadJustBash): Promise<Engine> {
  let loaded: JustBashModule;
  try {
    loaded = await load();
  } catch (cause) {
    throw missing("just-bash could not be loaded", cause);
  }
  if (typeof loaded?.Bash !== "function") throw missing("what `load` gave is not just-bash", undefined);
  return loaded as unknown as Engine;
}

function missing(what: string, cause: unknown): HoldallError {
  const fix =
    'Install it with `npm install just-bash`, or pass it as option `load`: () => import("just-bash/browser").';
  return new HoldallError("PEER_MISSING", `${what}. ${fix}`, { data: { peer: "just-bash" }, cause });
}
