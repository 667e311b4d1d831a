/** Finds out whether git would take its settings from a folder that anybody may have written. */

import type { Backend } from "../backend/backend.ts";
import type { BashAnalysis } from "../bash/types.ts";

/** A real path has fewer folders. */
const MAX_LEVELS = 256;

/**
 * Tells whether git, wherever a line runs it, meets a protected `.git` before a folder that only looks like a repository.
 *
 * A folder with `HEAD` and `objects` in it is a bare repository to git, and the `config` in it names programs that even
 * `git status` runs. Nothing about these names is protected, so that a line which writes some may not run git below.
 *
 * @param folder The folder in which the line starts.
 * @param edits Whether the line writes files itself.
 */
export async function meetsOwnRepository(
  { fs }: Backend,
  { units, paths }: BashAnalysis,
  folder: string,
  edits: boolean,
): Promise<boolean> {
  if (!units.some(({ name }) => name === "git" || name === "gh")) return true;
  const folders = new Set([folder]);
  for (const { access, path } of paths) {
    if (access !== "enter") continue;
    if (path === undefined || /[*?[]/.test(path)) return false;
    folders.add(path);
  }
  try {
    for (const one of folders) if (!(await leadsToOwn(fs, one, edits))) return false;
    return true;
  } catch {
    return false;
  }
}

async function leadsToOwn(fs: Backend["fs"], folder: string, edits: boolean): Promise<boolean> {
  let at = await fs.realpath(folder);
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const inside = at === "/" ? "" : at;
    if ((await fs.stat(`${inside}/HEAD`)) !== undefined && (await holdsObjects(fs, inside))) return false;
    if ((await fs.stat(`${inside}/.git`)) !== undefined) return true;
    // On the way up, the line might have made one.
    if (edits) return false;
    if (inside === "") return true;
    at = inside.slice(0, inside.lastIndexOf("/")) || "/";
  }
  return false;
}

/** The objects may also lie where `commondir` says. */
async function holdsObjects(fs: Backend["fs"], folder: string): Promise<boolean> {
  return (await fs.stat(`${folder}/objects`)) !== undefined || (await fs.stat(`${folder}/commondir`)) !== undefined;
}
