/**
 * The places every shell expects and no workspace has: `/bin`, `/usr/bin`, `/dev`, `/tmp`.
 *
 * They answer when they are named, and no folder lists them, so that `ls`, `find` and `rm -r *` in a workspace at `/`
 * meet the workspace alone. Nothing of them is written anywhere; a file that a command writes below `/tmp` goes to the
 * file system like any other, where the file tools find it.
 */

import { baseName, type DirEntry, parentPath } from "holdall";
import { DEVICE_BYTES } from "./limits.ts";
import type { Look } from "./shell-files.ts";

/** What a device does. */
export interface Device {
  read(): Uint8Array;
  write(bytes: Uint8Array): void | Promise<void>;
}

/** The virtual part of a shell's files. */
export interface Layout {
  /** Describes a device, a command's stand-in or the folders of both; undefined for any other path. */
  look(path: string): Look | undefined;
  /** Describes a folder that is there even when the file system has none; undefined for any other path. */
  implied(path: string): Look | undefined;
  /** What a virtual folder holds beside what the file system lists there. */
  entries(path: string): DirEntry[];
  /** The text of a command's stand-in, in ASCII; undefined for any other path. */
  stub(path: string): string | undefined;
  device(path: string): Device | undefined;
  /** Like `device`, for those that no folder lists. */
  hidden(path: string): Device | undefined;
}

/** What a layout is made of. */
export interface LayoutParts {
  /** Names of the commands that `/bin` and `/usr/bin` show. */
  commands: readonly string[];
  /** Folders that are there whether or not the file system has them. */
  folders: readonly string[];
  /** Takes what is written to `/dev/stdout` and `/dev/stderr`. */
  print(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  /** The standard input of the command line; undefined when none was given. */
  stdin: Uint8Array | undefined;
  /** Devices that are there and that no folder lists. */
  hidden: ReadonlyMap<string, Device>;
  /** A command that no folder lists. */
  hiddenCommand: string;
}

const directory: Look = { kind: "directory", size: 0, modifiedAt: 0 };
const commandFolders = ["/bin", "/usr/bin"];
const virtualFolders: ReadonlySet<string> = new Set(["/dev", "/usr", ...commandFolders]);
const nothing = (): Uint8Array => new Uint8Array(0);

/** Makes the layout of one command line. */
export function createLayout(parts: LayoutParts): Layout {
  const commands = new Set([...parts.commands, parts.hiddenCommand]);
  const devices = createDevices(parts);
  const folders = new Set(["/", ...["/tmp", ...virtualFolders, ...parts.folders].flatMap(withParents)]);
  const stub = (path: string): string | undefined => {
    const name = baseName(path);
    const isStub = commands.has(name) && commandFolders.includes(parentPath(path));
    return isStub ? `#!/bin/bash\n# ${name} is built into the shell\n` : undefined;
  };
  return {
    stub,
    implied: (path) => (folders.has(path) ? directory : undefined),
    device: (path) => parts.hidden.get(path) ?? devices.get(path),
    hidden: (path) => parts.hidden.get(path),
    look: (path) => {
      if (virtualFolders.has(path)) return directory;
      if (devices.has(path)) return { kind: "other", size: 0, modifiedAt: 0 };
      const text = stub(path);
      return text === undefined ? undefined : { kind: "file", size: text.length, modifiedAt: 0 };
    },
    entries: (path) => {
      if (path === "/dev")
        return [...devices.keys()].map((name) => ({ name: name.slice("/dev/".length), kind: "other" }));
      return commandFolders.includes(path) ? parts.commands.map((name) => ({ name, kind: "file" })) : [];
    },
  };
}

function createDevices({ print, stdin }: LayoutParts): Map<string, Device> {
  const ignore = (): void => {};
  const endless = (fill: (bytes: Uint8Array<ArrayBuffer>) => void): Device => ({
    write: ignore,
    read: () => {
      const bytes = new Uint8Array(DEVICE_BYTES);
      fill(bytes);
      return bytes;
    },
  });
  const random = endless((bytes) => {
    // The host gives at most 64 KiB at a time.
    for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  });
  const devices = new Map<string, Device>([
    ["/dev/null", { read: nothing, write: ignore }],
    ["/dev/zero", endless(ignore)],
    ["/dev/random", random],
    ["/dev/urandom", random],
    ["/dev/stdout", { read: nothing, write: (bytes) => print("stdout", bytes) }],
    ["/dev/stderr", { read: nothing, write: (bytes) => print("stderr", bytes) }],
  ]);
  if (stdin !== undefined) devices.set("/dev/stdin", { read: () => stdin, write: ignore });
  return devices;
}

function withParents(path: string): string[] {
  const all = [path];
  for (let above = parentPath(path); above !== "/"; above = parentPath(above)) all.push(above);
  return all;
}
