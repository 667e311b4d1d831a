/** File systems that are slow, broken or strange in ways that those of the adapters are not. */
import { type DirEntry, type FileSystemParts, fsError } from "holdall";

/** A host without optional methods; directories end in a slash, `null` stands for a file that cannot be read. */
export type Files = Readonly<Record<string, string | Uint8Array | null>>;

/** Makes the required methods over files that never change; listings tell nothing but names and kinds. */
export function plainHost(files: Files, changes: Partial<FileSystemParts> = {}): FileSystemParts {
  const bytesOf = (path: string): Uint8Array | undefined => {
    const content = files[path];
    return typeof content === "string" ? new TextEncoder().encode(content) : (content ?? undefined);
  };
  const isDirectory = (path: string): boolean =>
    path === "/" || Object.keys(files).some((name) => name.startsWith(`${path}/`));
  const refuse = async (path: string): Promise<never> => {
    throw fsError("FS_READ_ONLY", path);
  };
  return {
    stat: async (path) => {
      if (path in files) return { kind: "file", size: bytesOf(path)?.length ?? 0, modifiedAt: 0, version: "1" };
      return isDirectory(path) ? { kind: "directory", size: 0, modifiedAt: 0, version: "1" } : undefined;
    },
    read: async (path, { offset = 0, length = Number.POSITIVE_INFINITY } = {}) => {
      const bytes = bytesOf(path);
      if (bytes === undefined) throw fsError(path in files ? "FS_IO" : "FS_NOT_FOUND", path);
      return { bytes: bytes.slice(offset, offset + length), version: "1" };
    },
    async *list(path) {
      if (!isDirectory(path)) throw fsError("FS_NOT_FOUND", path);
      const prefix = path === "/" ? "/" : `${path}/`;
      const entries = new Map<string, DirEntry["kind"]>();
      for (const name of Object.keys(files)) {
        if (!name.startsWith(prefix)) continue;
        const [first = "", ...rest] = name.slice(prefix.length).split("/");
        entries.set(first, rest.length > 0 ? "directory" : "file");
      }
      for (const [name, kind] of [...entries].reverse()) yield { name, kind };
    },
    write: refuse,
    makeDirectory: refuse,
    remove: refuse,
    rename: refuse,
    ...changes,
  };
}

/** Waits for ever, or for as long as nobody calls `end`. */
export function endless(): { promise: Promise<never>; end(error: unknown): void } {
  let end = (_error: unknown): void => {};
  const promise = new Promise<never>((_, reject) => {
    end = reject;
  });
  return { promise, end: (error) => end(error) };
}
