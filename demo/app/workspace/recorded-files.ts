/** Tells of every change of a file system, with the content before and after, whoever made it. */
import { createFileSystem, type FileSystem } from "holdall";

/** One file that became another; undefined stands for "was not there" and "is gone". */
export interface FileChange {
  path: string;
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
}

/**
 * Puts a recorder in front of a file system.
 *
 * @param fs The file system.
 * @param onChange Told of each file that changed, after it did.
 * @param onTree Told when there may be other entries than before.
 */
export function recordFiles(fs: FileSystem, onChange: (change: FileChange) => void, onTree: () => void): FileSystem {
  const tell = async (path: string, before: Uint8Array | undefined): Promise<void> => {
    const after = await content(fs, path);
    if (before !== undefined || after !== undefined) onChange({ path, before, after });
    onTree();
  };
  const { writeStream } = fs;
  return createFileSystem({
    ...fs,
    async write(path, bytes, options) {
      const before = await content(fs, path);
      const stat = await fs.write(path, bytes, options);
      await tell(path, before);
      return stat;
    },
    async writeStream(path, stream, options) {
      const before = await content(fs, path);
      const stat = await writeStream(path, stream, options);
      await tell(path, before);
      return stat;
    },
    async makeDirectory(path, options) {
      await fs.makeDirectory(path, options);
      onTree();
    },
    async remove(path, options) {
      const before = await contents(fs, path);
      try {
        await fs.remove(path, options);
      } finally {
        // A removal that failed half-way may have taken some files along.
        for (const [file, bytes] of before) if ((await fs.stat(file)) === undefined) await tell(file, bytes);
        onTree();
      }
    },
    async rename(from, to, options) {
      const moved = await contents(fs, from);
      const replaced = await content(fs, to);
      await fs.rename(from, to, options);
      for (const [file, bytes] of moved) {
        await tell(file, bytes);
        await tell(to + file.slice(from.length), file === from ? replaced : undefined);
      }
    },
  });
}

async function content(fs: FileSystem, path: string): Promise<Uint8Array | undefined> {
  const stat = await fs.stat(path);
  return stat?.kind === "file" ? (await fs.read(path)).bytes : undefined;
}

async function contents(fs: FileSystem, path: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const stat = await fs.stat(path, { followSymlinks: false });
  if (stat?.kind === "file") files.set(path, (await fs.read(path)).bytes);
  if (stat?.kind !== "directory") return files;
  for await (const entry of fs.walk(path)) {
    if (entry.kind === "file") files.set(entry.path, (await fs.read(entry.path)).bytes);
  }
  return files;
}
