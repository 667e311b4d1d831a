/** Finds the file that a call means, and refuses what is none. */

import type { Backend } from "../backend/backend.ts";
import type { FileStat } from "../backend/file-system.ts";
import { baseName, childPath, parentPath } from "../base/path.ts";
import { refusal } from "./answer.ts";
import { toPath } from "./paths.ts";

/** What a path of a call names. */
export interface Target {
  /** Absolute and resolved, as the model will see it. */
  path: string;
  /** The same without symlinks; what is read, written and remembered. */
  real: string;
  /** Undefined when there is nothing. */
  stat: FileStat | undefined;
}

/** A target that is an existing file. */
export interface FileTarget extends Target {
  stat: FileStat;
}

/** Entries of a folder that are looked at for a similar name. */
const MAX_SIMILAR = 2000;

/**
 * Looks a path up.
 *
 * @param backend Where to look.
 * @param path The path as the model wrote it.
 * @param signal The signal of the call.
 * @throws HoldallError with an `FS_…` code.
 */
export async function lookUp(backend: Backend, path: string, signal: AbortSignal): Promise<Target> {
  const resolved = toPath(backend, path);
  const { fs } = backend;
  const [stat, real] = await Promise.all([fs.stat(resolved, { signal }), fs.realpath(resolved, { signal })]);
  return { path: resolved, real, stat };
}

/**
 * Makes sure that a target is an existing file: no folder, and nothing that never ends, such as a device or a pipe.
 *
 * @throws HoldallError that says what there is instead.
 */
export async function requireFile(backend: Backend, target: Target, signal: AbortSignal): Promise<FileTarget> {
  const { path, stat } = target;
  if (stat === undefined) {
    const similar = await similarNames(backend, path, signal);
    throw refusal(
      `${path} does not exist.${similar === "" ? " Use Glob to find the file." : ` Did you mean ${similar}?`}`,
    );
  }
  refuseNonFile(path, stat);
  return { ...target, stat };
}

/** Refuses folders, devices and pipes. */
export function refuseNonFile(path: string, stat: FileStat): void {
  if (stat.kind === "directory") throw refusal(`${path} is a directory. Use Glob with this path to see what is in it.`);
  if (stat.kind !== "file") throw refusal(`${path} is a device, pipe or socket, not a file. Use a regular file.`);
}

/** Finds names in the same folder that differ only in case, in the form of their accents or in the extension. */
async function similarNames(backend: Backend, path: string, signal: AbortSignal): Promise<string> {
  const folder = parentPath(path);
  const wanted = stem(baseName(path));
  const found: string[] = [];
  let seen = 0;
  try {
    for await (const { name } of backend.fs.list(folder, { signal })) {
      if (stem(name) === wanted) found.push(childPath(folder, name));
      seen += 1;
      if (found.length === 3 || seen === MAX_SIMILAR) break;
    }
  } catch {
    // The folder does not exist either; there is nothing to suggest.
  }
  return found.sort().join(" or ");
}

function stem(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/(.)\.[^.]*$/, "$1");
}
