/** The folder that the text file tools may not leave, whatever a path looks like and whatever symlinks say. */

import type { Backend } from "../../backend/backend.ts";
import { isInside, resolvePath } from "../../base/path.ts";
import { refusal } from "../answer.ts";
import { toPath } from "../paths.ts";

/** The place that a set of tools works in. */
export interface BaseDirectory {
  /** The backend as the tools see it: relative paths start at the base directory. */
  backend: Backend;
  /**
   * Refuses a path whose wording leads out of the base directory, also when somebody reads percent signs, backslashes
   * or wide characters differently.
   *
   * @throws HoldallError for a path that leads out, is empty or cannot be used.
   */
  requireInside(path: string): void;
  /**
   * Refuses what lies outside once symlinks are followed, on both sides.
   *
   * @param path The path as the model wrote it.
   * @param real The real path of what it names, or would name.
   * @throws HoldallError when it lies outside.
   */
  requireReal(path: string, real: string, signal: AbortSignal): Promise<void>;
  /**
   * Makes sure that a real path is still one: that nobody has put a symlink into it since it was looked up.
   *
   * @param path The path as the model wrote it.
   * @throws HoldallError when it is not any more.
   */
  requireUnmoved(path: string, real: string, signal: AbortSignal): Promise<void>;
}

/**
 * Opens a base directory.
 *
 * @param backend Where the files are.
 * @param folder Absolute, or relative to the backend's `cwd`. Left out: the whole backend may be reached, and relative
 * paths start at its `cwd`.
 */
export function openBase(backend: Backend, folder: string | undefined): BaseDirectory {
  if (folder === undefined) return { backend, requireInside: requirePath, requireReal: passes, requireUnmoved: passes };
  const base = toPath(backend, folder);
  const { name, os, fs, home } = backend;
  const denied = (path: string) =>
    refusal(`Access denied: The file path '${path}' is outside the allowed base directory '${folder}'.`);
  return {
    backend: { name, os, fs, cwd: base, ...(home === undefined ? {} : { home }) },
    requireInside(path) {
      requirePath(path);
      if (!readings(path).every((reading) => isInside(resolvePath(reading, base), base))) throw denied(path);
    },
    async requireReal(path, real, signal) {
      if (!isInside(real, await fs.realpath(base, { signal }))) throw denied(path);
    },
    async requireUnmoved(path, real, signal) {
      const [now, realBase] = await Promise.all([fs.realpath(real, { signal }), fs.realpath(base, { signal })]);
      if (now !== real || !isInside(now, realBase)) throw denied(path);
    },
  };
}

/** Times that percent signs are read: a path may be encoded more than once. */
const MAX_DECODINGS = 5;

/** Gives a path in all the ways that a file system, a server or a library on the way could read it. */
function readings(path: string): string[] {
  const decoded = [path];
  for (let text = path; decoded.length <= MAX_DECODINGS && /%[0-9a-f]{2}/i.test(text); decoded.push(text)) {
    text = text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  const folded = decoded.flatMap((text) => [text, text.normalize("NFKC")]);
  const all = folded.flatMap((text) => [text, text.replaceAll("\\", "/")]);
  // A NUL ends a path for some hosts; what follows it counts as well as what stands before.
  return [...new Set(all.flatMap((text) => [text.replaceAll("\0", ""), text.split("\0")[0] ?? ""]))].map(
    (text) => (/^~(?=\/|$)/.test(text) ? `/${text}` : text) || ".",
  );
}

function requirePath(path: string): void {
  if (path.trim() === "") throw refusal("File path cannot be null or empty.");
}

async function passes(): Promise<void> {}
