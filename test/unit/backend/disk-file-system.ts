/** A small file system on the disk: ground of another kind than memory to check the contract on. */
import { createHash, randomUUID } from "node:crypto";
import * as disk from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  createFileSystem,
  type FileKind,
  type FileStat,
  type FileSystem,
  type FileSystemParts,
  type FsErrorCode,
  fsError,
} from "holdall";

type Codes = Readonly<Record<string, FsErrorCode>>;

const usualCodes: Codes = {
  EEXIST: "FS_EXISTS",
  EINVAL: "FS_INVALID_PATH",
  EISDIR: "FS_IS_DIRECTORY",
  ELOOP: "FS_LOOP",
  ENAMETOOLONG: "FS_INVALID_PATH",
  ENOENT: "FS_NOT_FOUND",
  ENOTDIR: "FS_NOT_DIRECTORY",
  ENOTEMPTY: "FS_NOT_EMPTY",
};

/** Makes an empty folder, whose path has no symlinks. */
export async function temporaryFolder(): Promise<string> {
  return disk.realpath(await disk.mkdtemp(join(tmpdir(), "contract-")));
}

/** Makes a file system over the whole disk; versions are hashes, because clocks of disks are too slow. */
export function diskFileSystem(): FileSystem {
  const inTurn = oneAfterAnother();
  const parts: FileSystemParts = {
    stat: (path, options) => statOf(path, options?.followSymlinks ?? true),
    read: async (path, { offset = 0, length = Number.POSITIVE_INFINITY } = {}) => {
      const bytes = new Uint8Array(await translated(disk.readFile(path), path, { ENOTDIR: "FS_NOT_FOUND" }));
      return { bytes: bytes.slice(offset, offset + length), version: hash(bytes) };
    },
    write: (path, bytes, options) =>
      inTurn(async () => {
        const target = await fs.realpath(path);
        const now = await statOf(target, true);
        if (now?.kind === "directory") throw fsError("FS_IS_DIRECTORY", path);
        if (options?.ifVersion !== undefined && options.ifVersion !== (now?.version ?? null))
          throw fsError("FS_CONFLICT", path);
        await makeParents(target);
        const draft = join(tmpdir(), randomUUID());
        await disk.writeFile(draft, bytes);
        await disk.rename(draft, target);
        return (await statOf(path, true)) ?? { kind: "file", size: 0, modifiedAt: 0, version: "" };
      }),
    list: async function* list(path) {
      const below = {
        ENOTDIR: (await statOf(path, true)) === undefined ? "FS_NOT_FOUND" : "FS_NOT_DIRECTORY",
      } as const;
      for (const entry of await translated(disk.readdir(path, { withFileTypes: true }), path, below))
        yield { name: entry.name, kind: kindOf(entry) };
    },
    makeDirectory: async (path) => {
      const now = await statOf(path, true);
      if (now?.kind === "directory") return;
      if (now !== undefined || (await statOf(path, false)) !== undefined) throw fsError("FS_EXISTS", path);
      await translated(disk.mkdir(path, { recursive: true }), path);
    },
    remove: (path, options) =>
      inTurn(async () => {
        const now = await statOf(path, false);
        if (now === undefined) throw fsError("FS_NOT_FOUND", path);
        if (now.kind !== "directory") await disk.unlink(path);
        else if (options?.recursive === true) await disk.rm(path, { recursive: true });
        else await translated(disk.rmdir(path), path);
      }),
    rename: (from, to) =>
      inTurn(async () => {
        const [source, target] = [await statOf(from, false), await statOf(to, false)];
        if (source === undefined) throw fsError("FS_NOT_FOUND", from);
        if (from === to) return;
        if (source.kind === "directory" && to.startsWith(`${from}/`)) throw fsError("FS_INVALID_PATH", from);
        if (target !== undefined && (target.kind === "directory" || source.kind === "directory"))
          throw fsError("FS_EXISTS", to);
        await makeParents(to);
        await translated(disk.rename(from, to), to);
      }),
    symlink: async (target, path) => {
      if ((await statOf(path, false)) !== undefined) throw fsError("FS_EXISTS", path);
      await makeParents(path);
      await translated(disk.symlink(target, path), path);
    },
    readLink: (path) => translated(disk.readlink(path), path),
  };
  const fs = createFileSystem(parts);
  return fs;
}

async function statOf(path: string, follow: boolean): Promise<FileStat | undefined> {
  try {
    const facts = await (follow ? disk.stat(path) : disk.lstat(path));
    const kind = kindOf(facts);
    return {
      kind,
      size: kind === "file" ? facts.size : 0,
      modifiedAt: facts.mtimeMs,
      version: kind === "file" ? hash(await disk.readFile(path)) : "",
    };
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
    return translated(Promise.reject(error), path);
  }
}

async function makeParents(path: string): Promise<void> {
  await translated(disk.mkdir(dirname(path), { recursive: true }), path, { EEXIST: "FS_NOT_DIRECTORY" });
}

function kindOf(facts: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): FileKind {
  return facts.isFile() ? "file" : facts.isDirectory() ? "directory" : facts.isSymbolicLink() ? "symlink" : "other";
}

async function translated<T>(promise: Promise<T>, path: string, codes: Codes = {}): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    const code = codes[codeOf(error)] ?? usualCodes[codeOf(error)];
    throw code === undefined ? error : fsError(code, path, undefined, error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function hash(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest("base64");
}

/** Makes conditions and writes one step for this process. */
function oneAfterAnother(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
}
