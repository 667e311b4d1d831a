/** Shows a file system of this package to just-bash. */

import { resolvePath } from "holdall";
import type { IFileSystem } from "just-bash/browser";
import { createAppender } from "./append.ts";
import { type BridgeCore, type CoreParts, createCore } from "./bridge-core.ts";
import { byteString, fromBytes, toBytes } from "./content.ts";
import { createCopier } from "./copy.ts";
import { nodeError, toNodeError } from "./node-error.ts";
import type { Pace } from "./pace.ts";
import type { Look } from "./shell-files.ts";

/** What a bridge is made of. */
export interface BridgeParts extends CoreParts {
  pace: Pace;
}

/** What the methods share. */
interface Bridge extends BridgeParts {
  core: BridgeCore;
  /** Resolves the path, does the work and gives its errors the form of Node's. */
  call<T>(syscall: string, path: string, work: (path: string) => Promise<T>): Promise<T>;
}

/**
 * Makes the bridge of one command line.
 *
 * Errors read as Node's do. Modes and times live in the table of facts. Hard links do not exist. A relative path never
 * gets here: just-bash resolves them by `resolvePath`.
 */
export function bridgeFileSystem(parts: BridgeParts): IFileSystem {
  const call: Bridge["call"] = async (syscall, path, work) => {
    const pause = parts.pace();
    if (pause !== undefined) await pause;
    try {
      if (path === "") throw nodeError("ENOENT", syscall, path);
      return await work(resolvePath(path));
    } catch (error) {
      throw toNodeError(error, syscall, path);
    }
  };
  const bridge: Bridge = { ...parts, core: createCore(parts), call };
  const resolve = (base: string, path: string): string => resolvePath(path === "" ? "." : path, base);
  return quickForHidden(parts, {
    resolvePath: (base, path) => parts.guard.resolve(base, path, resolve) ?? resolve(base, path),
    getAllPaths: () => [],
    ...lookMethods(bridge),
    ...contentMethods(bridge),
    ...treeMethods(bridge),
    ...linkMethods(bridge),
  });
}

/** Takes the short way for the devices that take output: every command of a script asks for them seven times. */
function quickForHidden({ layout, guard, pace }: BridgeParts, fs: IFileSystem): IFileSystem {
  return {
    ...fs,
    resolvePath: (base, path) => (layout.hidden(path) === undefined ? fs.resolvePath(base, path) : path),
    exists: (path) => (layout.hidden(path) === undefined ? fs.exists(path) : nothingThere),
    appendFile: async (path, content, options) => {
      const device = layout.hidden(path);
      if (device === undefined) return fs.appendFile(path, content, options);
      await pace();
      if (content.length > 0) await device.write(guard.clean(toBytes(content, options)));
    },
  };
}

const nothingThere = /* @__PURE__ */ Promise.resolve(false);

function lookMethods({ core, layout, facts, call }: Bridge) {
  const describe = (path: string, look: Look): Awaited<ReturnType<IFileSystem["stat"]>> => ({
    ...kinds(look),
    mode: layout.stub(path) === undefined ? facts.mode(path, look) : 0o755,
    size: look.size,
    mtime: new Date(facts.time(path, look)),
  });
  const exists = async (path: string): Promise<boolean> =>
    !core.isJustCreated(path) && (await core.find(path, true)) !== undefined;
  return {
    exists: (path) => call("access", path, exists).catch(() => false),
    stat: (path) => call("stat", path, async (at) => describe(at, await core.need(at, true, "stat"))),
    lstat: (path) => call("lstat", path, async (at) => describe(at, await core.need(at, false, "lstat"))),
    readdir: (path) => call("scandir", path, async (at) => (await core.names(at)).map(({ name }) => name)),
    readdirWithFileTypes: (path) =>
      call("scandir", path, async (at) =>
        (await core.names(at)).map(({ name, kind }) => ({ name, ...kinds({ kind }) })),
      ),
    chmod: (path, mode) =>
      call("chmod", path, async (at) => {
        await core.need(at, true, "chmod");
        facts.setMode(at, mode);
      }),
    utimes: (path, _accessed, modified) =>
      call("utimes", path, async (at) => facts.setTime(at, modified.getTime(), await core.need(at, true, "utimes"))),
  } satisfies Partial<IFileSystem>;
}

function contentMethods({ core, files, layout, guard, call }: Bridge) {
  const append = createAppender(core, files, layout, guard);
  return {
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
    // Without it just-bash adds up the string byte by byte, which takes a second for some megabytes.
    readFileBytes: (path) => call("open", path, async (at) => byteString(await core.read(at))),
    writeFile: (path, content, options) => call("open", path, (at) => core.write(at, toBytes(content, options))),
    appendFile: (path, content, options) => call("open", path, (at) => append(at, toBytes(content, options))),
  } satisfies Partial<IFileSystem>;
}

function treeMethods({ core, files, layout, facts, call }: Bridge) {
  const copy = createCopier(core, files, facts);
  return {
    mkdir: (path, options) => call("mkdir", path, (at) => core.makeDirectory(at, options?.recursive ?? false)),
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
  } satisfies Partial<IFileSystem>;
}

function linkMethods({ core, files, call }: Bridge) {
  return {
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
  } satisfies Partial<IFileSystem>;
}

function kinds({ kind }: Pick<Look, "kind">): { isFile: boolean; isDirectory: boolean; isSymbolicLink: boolean } {
  return { isFile: kind === "file", isDirectory: kind === "directory", isSymbolicLink: kind === "symlink" };
}
