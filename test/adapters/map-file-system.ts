/** A whole adapter: files in a Map; `createFileSystem` checks the arguments and derives walks, streams and searches. */
import { baseName, createFileSystem, type FileStat, type FileSystem, fsError, isInside, parentPath } from "holdall";

export function mapFileSystem(entries = new Map<string, { stat: FileStat; bytes?: Uint8Array }>()): FileSystem {
  const fail = (...[code, path]: Parameters<typeof fsError>): never => {
    throw fsError(code, path);
  };
  const get = (path: string) => entries.get(path) ?? fail("FS_NOT_FOUND", path);
  const tree = (path: string) => [...entries].filter(([at]) => isInside(at, path));
  const put = (path: string, bytes?: Uint8Array, ifVersion?: string | null): FileStat => {
    const [kind, old] = [bytes ? "file" : "directory", entries.get(path)?.stat] as const;
    if (old && old.kind !== kind) fail(bytes ? "FS_IS_DIRECTORY" : "FS_NOT_DIRECTORY", path);
    if (ifVersion !== undefined && ifVersion !== (old?.version ?? null)) fail("FS_CONFLICT", path);
    if (path !== "/") put(parentPath(path));
    const stat = { kind, size: bytes?.length ?? 0, modifiedAt: Date.now(), version: crypto.randomUUID() };
    return entries.set(path, bytes ? { stat, bytes: new Uint8Array(bytes) } : { stat }) && stat;
  };
  put("/");
  return createFileSystem({
    stat: async (path) => entries.get(path)?.stat,
    read: async (path, { offset = 0, length = Infinity } = {}) => {
      const { stat, bytes = fail("FS_IS_DIRECTORY", path) } = get(path);
      return { bytes: bytes.slice(offset, offset + length), version: stat.version };
    },
    write: async (path, bytes, options) => put(path, bytes, options?.ifVersion),
    list: (path) => {
      if (get(path).bytes) fail("FS_NOT_DIRECTORY", path);
      const isChild = (at: string) => at !== path && parentPath(at) === path;
      return tree(path).flatMap(([at, { stat }]) => (isChild(at) ? { name: baseName(at), ...stat } : []));
    },
    makeDirectory: async (path) => void (entries.get(path)?.bytes ? fail("FS_EXISTS", path) : put(path)),
    remove: async (path, options) => {
      if (get(path) && tree(path).length > 1 && !options?.recursive) fail("FS_NOT_EMPTY", path);
      for (const [at] of tree(path)) entries.delete(at);
    },
    rename: async (from, to) => {
      if (!(get(from).bytes && entries.get(to)?.bytes) && entries.has(to)) fail("FS_EXISTS", to);
      put(parentPath(to));
      for (const [at, entry] of tree(from)) if (entries.delete(at)) entries.set(to + at.slice(from.length), entry);
    },
  });
}
