/** What an overlay can do by itself; `createFileSystem` adds the rest. */

import {
  createFileSystem,
  type FileSystemParts,
  type FsOptions,
  fsError,
  globFiles,
  grepFiles,
  HoldallError,
  type ReadOptions,
  type ReadResult,
} from "holdall";
import { type EditGround, makeDirectory, remove, rename, symlink, write, writeStream } from "./edits.ts";
import { locate } from "./locate.ts";
import { listPlace, readPlace, statPlace } from "./merged.ts";
import type { Session } from "./session.ts";
import { watchOverlay } from "./watch.ts";

/** Makes the parts over an overlay. */
export function overlayParts(session: Session): FileSystemParts {
  const at = async (path: string, follow: boolean, options: FsOptions | undefined) => {
    const state = await session.state();
    return { state, place: await locate(session, state, path, follow, options) };
  };
  const change = <T>(options: FsOptions | undefined, run: (ground: EditGround) => Promise<T>): Promise<T> =>
    session.change(options?.signal, (state, draft) => run({ session, state, draft, options }));

  const parts: FileSystemParts = {
    stat: async (path, options) => {
      const { state, place } = await at(path, options?.followSymlinks ?? true, options);
      return statPlace(session, state, place, options);
    },
    read: async (path, options) => {
      const { state, place } = await at(path, true, options);
      try {
        return await readPlace(session, state, place, options);
      } catch (error) {
        if (!HoldallError.is(error, "FS_NOT_FOUND") || place.node?.kind !== "file") throw error;
        // Its content was let go of between the two steps: by a change just made, or by another overlay over the layer.
        return readAgain(session, path, options);
      }
    },
    write: (path, bytes, options) => change(options, (ground) => write(ground, path, bytes, options?.ifVersion)),
    writeStream: (path, stream, options) => writeStream(session, path, stream, options),
    list: async function* (path, options) {
      const { place } = await at(path, true, options);
      yield* listPlace(session, place, options);
    },
    makeDirectory: (path, options) => change(options, (ground) => makeDirectory(ground, path)),
    remove: (path, options) => change(options, (ground) => remove(ground, path, options?.recursive === true)),
    rename: (from, to, options) => change(options, (ground) => rename(ground, from, to)),
    symlink: (target, path, options) => change(options, (ground) => symlink(ground, target, path)),
    readLink: async (path, options) => {
      const { node, stat } = (await at(path, false, options)).place;
      if (node?.kind === "symlink") return node.target;
      if (node === undefined && stat === undefined) throw fsError("FS_NOT_FOUND", path);
      if (stat?.kind === "symlink" && session.base.readLink !== undefined) return session.base.readLink(path, options);
      throw fsError("FS_INVALID_PATH", path, `${path} is not a symlink. Read it as it is.`);
    },
    realpath: async (path, options) => (await at(path, true, options)).place.path,
    watch: (path, options) => watchOverlay(session, path, options),
  };
  return { ...parts, ...searches(session, parts) };
}

/** Searches that the base makes by itself, in one round trip, where nothing of the overlay lies. */
function searches(session: Session, parts: FileSystemParts): Pick<FileSystemParts, "walk" | "glob" | "grep"> {
  const { base } = session;
  const isBare = async (path: string, isWhole: boolean, options: FsOptions | undefined): Promise<boolean> => {
    const state = await session.state();
    if (state.root.entries.size === 0) return true;
    if (isWhole) return false;
    const place = await locate(session, state, path, true, options);
    return place.path === path && place.node === undefined && place.stat !== undefined;
  };
  return {
    walk: async function* (path, options) {
      yield* (await isBare(path, false, options))
        ? base.walk(path, options)
        : createFileSystem(parts).walk(path, options);
    },
    // A link in the base may lead to what the overlay has changed elsewhere.
    glob: async (query) =>
      (await isBare(query.path, base.readLink !== undefined, query)) ? base.glob(query) : globFiles(parts, query),
    grep: async (query) => ((await isBare(query.path, false, query)) ? base.grep(query) : grepFiles(parts, query)),
  };
}

/** Reads a file whose content was let go of between the moment it was found and the moment it was read. */
async function readAgain(session: Session, path: string, options: ReadOptions | undefined): Promise<ReadResult> {
  const state = await session.reload();
  return readPlace(session, state, await locate(session, state, path, true, options), options);
}
