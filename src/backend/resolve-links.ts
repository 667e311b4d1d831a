/** Resolves symlinks segment by segment, for hosts that have no realpath of their own. */

import { childPath, parentPath, resolvePath } from "../base/path.ts";
import type { FsOptions, HostFileSystem, RequiredFileSystem } from "./file-system.ts";
import { fsError } from "./fs-error.ts";

/** The most symlinks that one path may lead through. */
export const MAX_SYMLINKS = 40;

/**
 * Gives the path without symlinks; what does not exist is appended to the real path of its nearest existing ancestor.
 *
 * On a host without symlinks every path is real.
 *
 * @param host The file system; its paths are resolved already.
 * @param path The absolute path.
 * @param options The signal.
 */
export async function resolveLinks(
  host: Pick<RequiredFileSystem, "stat"> & Pick<HostFileSystem, "readLink">,
  path: string,
  options: FsOptions = {},
): Promise<string> {
  if (host.readLink === undefined) return path;
  let links = 0;
  let real = "/";
  const rest = segmentsOf(path);
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    const next = childPath(real, name);
    const found = await host.stat(next, { ...options, followSymlinks: false });
    if (found === undefined) return resolvePath([next, ...rest.reverse()].join("/"));
    if (found.kind !== "symlink") {
      real = next;
      continue;
    }
    links += 1;
    if (links > MAX_SYMLINKS) throw fsError("FS_LOOP", path);
    const target = resolvePath(await host.readLink(next, options), parentPath(next));
    rest.push(...segmentsOf(target));
    real = "/";
  }
  return real;
}

/** Gives the names of a path, the first one last. */
function segmentsOf(path: string): string[] {
  return path
    .split("/")
    .filter((name) => name !== "")
    .reverse();
}
