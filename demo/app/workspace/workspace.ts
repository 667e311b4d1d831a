/** A workspace: files in memory, a shell over them, and what has changed since they were opened. */
import { type Backend, type FileSystem, joinPath } from "holdall";
import { justBashShell } from "holdall/just-bash";
import { memoryBackend } from "holdall/memory";
import { MAX_LISTED, ROOT } from "./limits.ts";
import { type FileChange, recordFiles } from "./recorded-files.ts";

/** How a file differs from the one that was opened. */
export type FileStatus = "same" | "new" | "changed";

/** One entry of the tree. */
export interface Entry {
  /** Absolute. */
  path: string;
  kind: "file" | "directory";
  size: number;
}

/** An open workspace. */
export interface Workspace {
  name: string;
  isSample: boolean;
  backend: Backend;
  fs: FileSystem;
  /** The content of each file as it was opened, by absolute path. */
  original: Map<string, Uint8Array>;
}

/** What a workspace tells. */
export interface WorkspaceListener {
  onChange(change: FileChange): void;
  onTree(): void;
}

/** What a workspace is made of. */
export interface WorkspaceFiles {
  name: string;
  isSample?: boolean;
  /** Bytes by path relative to the root. */
  files: ReadonlyMap<string, Uint8Array>;
}

/** Opens a workspace. Nothing of it is stored: closing the page forgets it. */
export function openWorkspace(
  { name, isSample = false, files }: WorkspaceFiles,
  listener: WorkspaceListener,
): Workspace {
  const original = new Map([...files].map(([path, bytes]) => [joinPath(ROOT, path), bytes]));
  const memory = memoryBackend({ files: Object.fromEntries(original), cwd: ROOT });
  const fs = recordFiles(memory.fs, listener.onChange, listener.onTree);
  // The shell gets the recorded files, so that what a command writes shows as a diff too.
  const shell = justBashShell()({ fs, cwd: ROOT });
  return { name, isSample, backend: { ...memory, fs, shell }, fs, original };
}

/** Adds files to an open workspace; they count as opened, not as changed. */
export async function addFiles(workspace: Workspace, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [relative, bytes] of files) {
    const path = joinPath(ROOT, relative);
    workspace.original.set(path, bytes);
    await workspace.fs.write(path, bytes);
  }
}

/** Lists what is in a workspace, parents before children; at most {@link MAX_LISTED} entries. */
export async function listEntries({ fs }: Workspace): Promise<Entry[]> {
  const entries: Entry[] = [];
  // A command may have removed even the root.
  if ((await fs.stat(ROOT))?.kind !== "directory") return entries;
  for await (const { path, kind, size } of fs.walk(ROOT)) {
    if (entries.length >= MAX_LISTED) break;
    if (kind === "directory") entries.push({ path, kind, size: 0 });
    else if (kind === "file" && size !== undefined) entries.push({ path, kind, size });
    else {
      // A symlink counts as what it leads to; one that leads nowhere, or to a folder, is left out.
      const stat = await fs.stat(path);
      if (stat?.kind === "file") entries.push({ path, kind: "file", size: stat.size });
    }
  }
  return entries;
}

/** Tells how a file differs from the one that was opened. */
export function statusOf(original: Uint8Array | undefined, now: Uint8Array | undefined): FileStatus {
  if (original === undefined) return now === undefined ? "same" : "new";
  return now !== undefined && sameBytes(original, now) ? "same" : "changed";
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
