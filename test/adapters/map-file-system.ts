/** A whole adapter: files in a Map; `createFileSystem` checks the arguments and derives walks, streams and searches. */
import { baseName, createFileSystem, type FileStat, type FileSystem, fsError, isInside, parentPath } from "holdall";

export function mapFileSystem(entries = new Map<string, { stat: FileStat; bytes?: Uint8Array }>()): FileSystem {
  const fail = (...[code, path]: Parameters<typeof fsError>): never => {
    throw fsError(code, path);
  };
  const get = (path: string) => entries.get(path) ?? fail("FS_NOT_FOUND", path);
  const tree = (path: string) => [...entries].filter(([at]) => get(path) && isInside(at, path));
  const put = (path: string, bytes?: Uint8Array, inTheWay: "FS_EXISTS" | "FS_NOT_DIRECTORY" = "FS_NOT_DIRECTORY") => {
    const kind = bytes ? "file" : "directory";
    if ((entries.get(path)?.stat.kind ?? kind) !== kind) fail(bytes ? "FS_IS_DIRECTORY" : inTheWay, path);
    if (path !== "/") put(parentPath(path));
    const stat: FileStat = { kind, size: bytes?.length ?? 0, modifiedAt: Date.now(), version: crypto.randomUUID() };
    entries.set(path, { stat, ...(bytes && { bytes: new Uint8Array(bytes) }) });
    return stat;
  };
  put("/");
  return createFileSystem({
    stat: async (path) => entries.get(path)?.stat,
    read: async (path, { offset = 0, length = Infinity } = {}) => {
      const { stat, bytes = fail("FS_IS_DIRECTORY", path) } = get(path);
      return { bytes: bytes.slice(offset, offset + length), version: stat.version };
    },
    write: async (path, bytes, { ifVersion = entries.get(path)?.stat.version ?? null } = {}) =>
      ifVersion === (entries.get(path)?.stat.version ?? null) ? put(path, bytes) : fail("FS_CONFLICT", path),
    list: (path) => {
      const children = tree(path).filter(([at]) => at !== path && parentPath(at) === path);
      return get(path).bytes
        ? fail("FS_NOT_DIRECTORY", path)
        : children.map(([at, { stat }]) => ({ name: baseName(at), ...stat }));
    },
    makeDirectory: async (path) => void put(path, undefined, "FS_EXISTS"),
    remove: async (path, { recursive = false } = {}) => {
      if (path === "/") fail("FS_INVALID_PATH", path);
      if (tree(path).length > 1 && !recursive) fail("FS_NOT_EMPTY", path);
      for (const [at] of tree(path)) entries.delete(at);
    },
    rename: async (from, to) => {
      const [source, target] = [get(from), entries.get(to)];
      if (source === target && from !== "/") return;
      if (isInside(to, from)) fail("FS_INVALID_PATH", from);
      if (target && !(target.bytes && source.bytes)) fail("FS_EXISTS", to);
      put(parentPath(to));
      for (const [at, entry] of tree(from)) if (entries.delete(at)) entries.set(to + at.slice(from.length), entry);
    },
  });
}
