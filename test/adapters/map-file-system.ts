/** A whole adapter: files in a Map; `createFileSystem` checks the arguments and derives walks, streams and searches. */
import {
  baseName,
  createFileSystem,
  type FileStat,
  type FileSystem,
  type FsErrorCode,
  fsError,
  isInside,
  parentPath,
} from "holdall";

export function mapFileSystem(entries = new Map<string, { stat: FileStat; bytes?: Uint8Array }>()): FileSystem {
  let changes = entries.size;
  const fail = (code: FsErrorCode, path: string): never => {
    throw fsError(code, path);
  };
  const get = (path: string) => entries.get(path) ?? fail("FS_NOT_FOUND", path);
  const tree = (path: string) => [...entries].filter(([at]) => isInside(at, path));
  const put = (path: string, bytes?: Uint8Array): FileStat => {
    if (path !== "/") directory(parentPath(path), "FS_NOT_DIRECTORY");
    const stat = { size: bytes?.length ?? 0, modifiedAt: Date.now(), version: `v${++changes}` };
    const entry = {
      stat: { kind: bytes ? "file" : "directory", ...stat } as const,
      ...(bytes && { bytes: bytes.slice() }),
    };
    return entries.set(path, entry) && entry.stat;
  };
  const directory = (path: string, inTheWay: FsErrorCode): void => {
    if (entries.get(path)?.bytes) fail(inTheWay, path);
    if (!entries.has(path)) put(path);
  };
  directory("/", "FS_EXISTS");
  return createFileSystem({
    stat: async (path) => entries.get(path)?.stat,
    read: async (path, { offset = 0, length = Infinity } = {}) => {
      const { stat, bytes = fail("FS_IS_DIRECTORY", path) } = get(path);
      return { bytes: bytes.slice(offset, offset + length), version: stat.version };
    },
    write: async (path, bytes, { ifVersion } = {}) => {
      const now = entries.get(path)?.stat;
      if (now?.kind === "directory") fail("FS_IS_DIRECTORY", path);
      if (ifVersion !== undefined && ifVersion !== (now?.version ?? null)) fail("FS_CONFLICT", path);
      return put(path, bytes);
    },
    list: (path) => {
      if (get(path).bytes) fail("FS_NOT_DIRECTORY", path);
      const children = tree(path).filter(([at]) => at !== path && parentPath(at) === path);
      return children.map(([at, { stat }]) => ({ name: baseName(at), ...stat }));
    },
    makeDirectory: async (path) => directory(path, "FS_EXISTS"),
    remove: async (path, { recursive = false } = {}) => {
      if (path === "/") fail("FS_INVALID_PATH", path);
      if (get(path) && tree(path).length > 1 && !recursive) fail("FS_NOT_EMPTY", path);
      for (const [at] of tree(path)) entries.delete(at);
    },
    rename: async (from, to) => {
      if (get(from) && from === to && from !== "/") return;
      if (isInside(to, from)) fail("FS_INVALID_PATH", from);
      if (entries.has(to) && !(get(to).bytes && get(from).bytes)) fail("FS_EXISTS", to);
      directory(parentPath(to), "FS_NOT_DIRECTORY");
      for (const [at, entry] of tree(from)) if (entries.delete(at)) entries.set(to + at.slice(from.length), entry);
    },
  });
}
