/** Finds what a call changed. */
import type { FileSystem } from "holdall";

/** Text by path for files that are new or another than before; null for those that are gone. */
export type ChangedFiles = Record<string, string | null>;

/** Compares all files with what they were. */
export async function changedFiles(fs: FileSystem, before: Readonly<Record<string, string>>): Promise<ChangedFiles> {
  const decoder = new TextDecoder();
  const gone = new Set(Object.keys(before));
  const changed: ChangedFiles = {};
  for await (const { path, kind } of fs.walk("/")) {
    if (kind !== "file") continue;
    gone.delete(path);
    const text = decoder.decode((await fs.read(path)).bytes);
    if (before[path] !== text) changed[path] = text;
  }
  for (const path of gone) changed[path] = null;
  return changed;
}
