/** What a shell does with its files: real ones, virtual ones and folders that are only implied. */

import { isInside, parentPath } from "holdall";
import type { FactTable } from "./file-facts.ts";
import type { Layout } from "./layout.ts";
import { nodeError } from "./node-error.ts";
import type { RedirectGuard } from "./redirect-guard.ts";
import type { Look, ShellFiles } from "./shell-files.ts";

/** What the core is made of. */
export interface CoreParts {
  files: ShellFiles;
  layout: Layout;
  facts: FactTable;
  guard: RedirectGuard;
}

/** Looks at files. */
export interface Lookups {
  find(path: string, follow: boolean): Promise<Look | undefined>;
  /** Like `find`, but what is not there is an `ENOENT`. */
  need(path: string, follow: boolean, syscall: string): Promise<Look>;
  /** Checks that something may be created at a path: its folder is there, and it is no virtual path. */
  needPlace(path: string, syscall: string): Promise<void>;
  read(path: string): Promise<Uint8Array>;
  /** Names and kinds in a folder, sorted. */
  names(path: string): Promise<{ name: string; kind: Look["kind"] }[]>;
}

/** Changes files. */
export interface Changes {
  /** Fails where a write would, and creates the file when it is missing. */
  open(path: string): Promise<void>;
  /** Whether a path was created by `open` just now; the redirection behind it must take it for new (`set -C`). */
  isJustCreated(path: string): boolean;
  write(path: string, bytes: Uint8Array): Promise<void>;
  makeDirectory(path: string, recursive: boolean): Promise<void>;
}

/** Works on paths that are resolved, and fails with the errors of the file system port or those of Node. */
export type BridgeCore = Lookups & Changes;

/** Makes the core of one command line. */
export function createCore(parts: CoreParts): BridgeCore {
  const lookups = createLookups(parts);
  return { ...lookups, ...createChanges(parts, lookups) };
}

function createLookups({ files, layout }: CoreParts): Lookups {
  const find: Lookups["find"] = async (path, follow) => {
    const virtual = layout.look(path);
    // Nothing below `/dev` is ever asked of the file system.
    if (virtual !== undefined || isInside(path, "/dev")) return virtual;
    const implied = layout.implied(path);
    if (implied === undefined) return files.look(path, follow);
    // A file system that refuses a path outside its root still leaves the folder that a shell expects there.
    return (await files.look(path, follow).catch(() => undefined)) ?? implied;
  };
  const need: Lookups["need"] = async (path, follow, syscall) => {
    const look = await find(path, follow);
    if (look === undefined) throw nodeError("ENOENT", syscall, path);
    return look;
  };
  return {
    find,
    need,
    needPlace: async (path, syscall) => {
      if (layout.look(path) !== undefined || isInside(path, "/dev")) throw nodeError("EACCES", syscall, path);
      const folder = await find(parentPath(path), true);
      if (folder?.kind !== "directory") throw nodeError(folder === undefined ? "ENOENT" : "ENOTDIR", syscall, path);
    },
    read: async (path) => {
      const device = layout.device(path);
      if (device !== undefined) return device.read();
      const stub = layout.stub(path);
      if (stub !== undefined) return new TextEncoder().encode(stub);
      const look = await need(path, true, "open");
      if (look.kind === "directory") throw nodeError("EISDIR", "read", path);
      return (await files.read(path)).bytes;
    },
    names: async (path) => {
      const look = await need(path, true, "scandir");
      if (look.kind !== "directory") throw nodeError("ENOTDIR", "scandir", path);
      const implied = layout.implied(path) !== undefined;
      const listed = await files.list(path).catch((error: unknown) => {
        if (implied) return [];
        throw error;
      });
      const byName = new Map([...listed, ...layout.entries(path)].map((entry) => [entry.name, entry]));
      return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

function createChanges({ files, layout, facts, guard }: CoreParts, { find, needPlace }: Lookups): Changes {
  let created: string | undefined;
  return {
    open: async (path) => {
      if (layout.device(path) !== undefined) return;
      await needPlace(path, "open");
      if ((await find(path, true)) !== undefined) return;
      await files.write(path, new Uint8Array(0), null);
      created = path;
    },
    isJustCreated: (path) => {
      // Only the very next question can be that of the redirection.
      if (created !== path) created = undefined;
      return created !== undefined;
    },
    write: async (path, bytes) => {
      const device = layout.device(path);
      if (device !== undefined) return device.write(guard.clean(bytes));
      const isNew = created === path;
      created = undefined;
      // A redirection truncates its file; a new one is empty already.
      if (isNew && bytes.length === 0) return;
      await needPlace(path, "open");
      await files.write(path, guard.clean(bytes));
    },
    makeDirectory: async (path, recursive) => {
      const look = await find(path, true);
      if (look !== undefined && (look.kind !== "directory" || !recursive)) throw nodeError("EEXIST", "mkdir", path);
      if (look !== undefined) return;
      if (!recursive) await needPlace(path, "mkdir");
      else if (isInside(path, "/dev")) throw nodeError("EACCES", "mkdir", path);
      await files.makeDirectory(path);
      facts.drop(path);
    },
  };
}
