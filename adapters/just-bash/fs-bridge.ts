/** Shows a file system of this package to just-bash. */

import type { IFileSystem } from "just-bash/browser";
import { isInside, parentPath, resolvePath } from "holdall";
import { createAppender } from "./append.ts";
import { fromBytes, toBytes } from "./content.ts";
import { createCopier } from "./copy.ts";
import type { FactTable } from "./file-facts.ts";
import type { Layout } from "./layout.ts";
import { nodeError, toNodeError } from "./node-error.ts";
import type { Pace } from "./pace.ts";
import type { RedirectGuard } from "./redirect-guard.ts";
import type { Look, ShellFiles } from "./shell-files.ts";

/** What a bridge is made of. */
export interface BridgeParts {
  files: ShellFiles;
  layout: Layout;
  facts: FactTable;
  pace: Pace;
  guard: RedirectGuard;
}

type FsStat = Awaited<ReturnType<IFileSystem["stat"]>>;

/** What works on paths that are already resolved, and fails with the errors of the file system port or Node's. */
export interface BridgeCore {
  find(path: string, follow: boolean): Promise<Look | undefined>;
  /** Like `find`, but what is not there is an `ENOENT`. */
  need(path: string, follow: boolean, syscall: string): Promise<Look>;
  /** Checks that something may be created at a path: its folder is there, and it is no virtual path. */
  needPlace(path: string, syscall: string): Promise<void>;
  read(path: string): Promise<Uint8Array>;
  /** Fails where a write would, and creates the file when it is missing. */
  open(path: string): Promise<void>;
  /** Whether a path was created by `open` and not written since; the shell must take it for new (`set -C`). */
  isJustCreated(path: string): boolean;
  write(path: string, bytes: Uint8Array): Promise<void>;
  makeDirectory(path: string, recursive: boolean): Promise<void>;
  names(path: string): Promise<{ name: string; kind: Look["kind"] }[]>;
}

/**
 * Makes the bridge of one command line.
 *
 * Errors read as Node's do. Modes and times live in the table of facts. Hard links do not exist. A relative path never
 * gets here: just-bash resolves them by `resolvePath`.
 */
export function bridgeFileSystem(parts: BridgeParts): IFileSystem {
  const { files, layout, facts, pace, guard } = parts;
  const core = createCore(parts);
  const append = createAppender(core, files, layout, guard);
  const copy = createCopier(core, files, facts);

  const call = async <T>(syscall: string, path: string, work: (path: string) => Promise<T>): Promise<T> => {
    await pace();
    try {
      if (path === "") throw nodeError("ENOENT", syscall, path);
      return await work(resolvePath(path));
    } catch (error) {
      throw toNodeError(error, syscall, path);
    }
  };
  const describe = (path: string, look: Look): FsStat => ({
    isFile: look.kind === "file",
    isDirectory: look.kind === "directory",
    isSymbolicLink: look.kind === "symlink",
    mode: layout.stub(path) === undefined ? facts.mode(path, look) : 0o755,
    size: look.size,
    mtime: new Date(facts.time(path, look)),
  });

  const resolve = (base: string, path: string): string => resolvePath(path === "" ? "." : path, base);

  return {
    resolvePath: (base, path) => guard.resolve(base, path, resolve) ?? resolve(base, path),
    getAllPaths: () => [],
    exists: (path) => call("access", path, async (at) => !core.isJustCreated(at) && (await core.find(at, true)) !== undefined).catch(() => false),
    stat: (path) => call("stat", path, async (at) => describe(at, await core.need(at, true, "stat"))),
    lstat: (path) => call("lstat", path, async (at) => describe(at, await core.need(at, false, "lstat"))),
    readFile: (path, options) =>
      call("open", path, async (at) => {
        const target = guard.target(at);
        if (target === undefined) return fromBytes(await core.read(at), options);
        try {
          await core.open(target);
          return "";
        } catch (error) {
          guard.fail(target, toNodeError(error, "open", target));
          throw error;
        }
      }),
    readFileBuffer: (path) => call("open", path, core.read),
    writeFile: (path, content, options) => call("open", path, (at) => core.write(at, toBytes(content, options))),
    appendFile: (path, content, options) => call("open", path, (at) => append(at, toBytes(content, options))),
    mkdir: (path, options) => call("mkdir", path, (at) => core.makeDirectory(at, options?.recursive ?? false)),
    readdir: (path) => call("scandir", path, async (at) => (await core.names(at)).map(({ name }) => name)),
    readdirWithFileTypes: (path) => call("scandir", path, async (at) => (await core.names(at)).map(toDirent)),
    rm: (path, options) =>
      call("rm", path, async (at) => {
        const look = await core.find(at, false);
        if (look === undefined && options?.force) return;
        if (at === "/" || layout.look(at) !== undefined) throw nodeError("EPERM", "rm", path);
        await files.remove(at, options?.recursive ?? false);
        facts.drop(at);
      }),
    cp: (from, to, options) => call("cp", from, (at) => copy(at, resolvePath(to), options?.recursive ?? false)),
    mv: (from, to) =>
      call("rename", from, async (at) => {
        const target = resolvePath(to);
        await core.need(at, false, "rename");
        if (layout.look(at) !== undefined) throw nodeError("EPERM", "rename", from);
        await core.needPlace(target, "rename");
        await files.rename(at, target);
        facts.drop(target);
        facts.carry(at, target, true);
      }),
    chmod: (path, mode) =>
      call("chmod", path, async (at) => {
        await core.need(at, true, "chmod");
        facts.setMode(at, mode);
      }),
    utimes: (path, _accessed, modified) =>
      call("utimes", path, async (at) => facts.setTime(at, modified.getTime(), await core.need(at, true, "utimes"))),
    symlink: (target, path) =>
      call("symlink", path, async (at) => {
        if (files.symlink === undefined) throw nodeError("ENOTSUP", "symlink", path);
        if ((await core.find(at, false)) !== undefined) throw nodeError("EEXIST", "symlink", path);
        await core.needPlace(at, "symlink");
        await files.symlink(target, at);
      }),
    link: (_existing, path) => call("link", path, () => Promise.reject(nodeError("ENOTSUP", "link", path))),
    readlink: (path) =>
      call("readlink", path, async (at) => {
        const look = await core.need(at, false, "readlink");
        if (look.kind !== "symlink" || files.readLink === undefined) throw nodeError("EINVAL", "readlink", path);
        return files.readLink(at);
      }),
    realpath: (path) =>
      call("realpath", path, async (at) => {
        await core.need(at, true, "realpath");
        return (await files.look(at, true)) === undefined ? at : files.realpath(at);
      }),
  };
}

function createCore({ files, layout, facts, guard }: BridgeParts): BridgeCore {
  let created: string | undefined;
  const core: BridgeCore = {
    find: async (path, follow) => {
      const virtual = layout.look(path);
      // Nothing below `/dev` is ever asked of the file system.
      if (virtual !== undefined || (path !== "/dev" && isInside(path, "/dev"))) return virtual;
      const implied = layout.implied(path);
      if (implied === undefined) return files.look(path, follow);
      // A file system that refuses a path outside its root still leaves the folder that a shell expects there.
      return (await files.look(path, follow).catch(() => undefined)) ?? implied;
    },
    need: async (path, follow, syscall) => {
      const look = await core.find(path, follow);
      if (look === undefined) throw nodeError("ENOENT", syscall, path);
      return look;
    },
    needPlace: async (path, syscall) => {
      if (layout.look(path) !== undefined || isInside(path, "/dev")) throw nodeError("EACCES", syscall, path);
      const folder = await core.find(parentPath(path), true);
      if (folder?.kind !== "directory") throw nodeError(folder === undefined ? "ENOENT" : "ENOTDIR", syscall, path);
    },
    read: async (path) => {
      const virtual = layout.device(path)?.read() ?? layout.stub(path);
      if (virtual !== undefined) return virtual;
      const look = await core.need(path, true, "open");
      if (look.kind === "directory") throw nodeError("EISDIR", "read", path);
      return (await files.read(path)).bytes;
    },
    isJustCreated: (path) => {
      // Only the very next question can be that of the redirection.
      if (created !== path) created = undefined;
      return created !== undefined;
    },
    open: async (path) => {
      if (layout.device(path) !== undefined) return;
      await core.needPlace(path, "open");
      if ((await core.find(path, true)) !== undefined) return;
      await files.write(path, new Uint8Array(0), null);
      created = path;
    },
    write: async (path, bytes) => {
      const device = layout.device(path);
      if (device !== undefined) return device.write(guard.clean(bytes));
      const isNew = created === path;
      created = undefined;
      // A redirection truncates its file; a new one is empty already.
      if (isNew && bytes.length === 0) return;
      await core.needPlace(path, "open");
      await files.write(path, guard.clean(bytes));
    },
    makeDirectory: async (path, recursive) => {
      const look = await core.find(path, true);
      if (look !== undefined && (look.kind !== "directory" || !recursive)) throw nodeError("EEXIST", "mkdir", path);
      if (look !== undefined) return;
      if (!recursive) await core.needPlace(path, "mkdir");
      else if (isInside(path, "/dev")) throw nodeError("EACCES", "mkdir", path);
      await files.makeDirectory(path);
      facts.drop(path);
    },
    names: async (path) => {
      const look = await core.need(path, true, "scandir");
      if (look.kind !== "directory") throw nodeError("ENOTDIR", "scandir", path);
      const listed = layout.implied(path) === undefined ? await files.list(path) : await files.list(path).catch(() => []);
      const byName = new Map([...listed, ...layout.entries(path)].map((entry) => [entry.name, entry]));
      return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
  return core;
}

function toDirent({ name, kind }: { name: string; kind: Look["kind"] }): { name: string; isFile: boolean; isDirectory: boolean; isSymbolicLink: boolean } {
  return { name, isFile: kind === "file", isDirectory: kind === "directory", isSymbolicLink: kind === "symlink" };
}
