/** Finds the files behind a file input or a drop; folders are walked. */

import type { PickedFile } from "./collect-files.ts";
import { MAX_SEEN, SKIPPED_FOLDERS } from "./limits.ts";

/** Lists the files of an input; those of a folder carry their path. */
export function fromInput(list: FileList): PickedFile[] {
  return Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file: () => file }));
}

/**
 * Finds the files of a drop. Call it while the event is handled: afterwards the browser lets go of what was dropped.
 */
export function fromDrop(transfer: DataTransfer): AsyncIterable<PickedFile> {
  const items = Array.from(transfer.items).filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry());
  // A browser without entries, or a drop that was made by script, gives plain files only.
  const files = items.map((item, index) => (entries[index] ? null : item.getAsFile())).filter((file) => file !== null);
  return walk(
    entries.filter((entry) => entry !== null),
    files,
  );
}

async function* walk(roots: readonly FileSystemEntry[], files: readonly File[]): AsyncGenerator<PickedFile> {
  for (const file of files) yield { path: file.name, file: () => file };
  const open = [...roots].reverse();
  for (let seen = 0; seen < MAX_SEEN; seen += 1) {
    const entry = open.pop();
    if (entry === undefined) return;
    if (isFile(entry)) yield { path: entry.fullPath.slice(1), file: () => fileOf(entry) };
    else if (isFolder(entry)) open.push(...(await childrenOf(entry, roots)).reverse());
  }
}

async function childrenOf(
  folder: FileSystemDirectoryEntry,
  roots: readonly FileSystemEntry[],
): Promise<FileSystemEntry[]> {
  // A folder that is left out anyway need not be walked, unless it is the very one that was dropped.
  if (!roots.includes(folder) && SKIPPED_FOLDERS.includes(folder.name)) return [];
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    // The browser gives a hundred or so at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0 || children.length >= MAX_SEEN) return children;
    children.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
