/** How the port's paths are written on the host; all that differs between kinds of hosts is in this file. */

import { fsError, resolvePath } from "holdall";

/** The kinds of hosts. */
export type HostKind = "linux" | "macos" | "windows" | "other";

/** Translates between the port's paths (`/a/b`) and the host's. Nothing here touches a file system. */
export interface HostPaths {
  /** Whether names that differ only in case, or in how their accents are written, mean one file. */
  readonly foldsCase: boolean;
  /** Gives the host's form of a resolved path of the port. Fails with `FS_INVALID_PATH` on one the host reads otherwise. */
  toHost(path: string): string;
  /** Gives the port's form of an absolute path of the host. */
  fromHost(path: string): string;
  /** Gives the port's form of where a symlink points, which may be relative. */
  fromLink(target: string): string;
  /** Gives the host's form of where a symlink shall point. */
  toLink(target: string): string;
  /** Gives the form that a POSIX shell of the host takes. */
  toShell(path: string): string;
  /** Gives the port's form of what a POSIX shell of the host calls a directory. */
  fromShell(path: string): string;
  /** Gives a key that is the same for all paths that may mean the same file. */
  key(path: string): string;
}

/** Chooses the rules of a host. */
export function hostPaths(kind: HostKind): HostPaths {
  return kind === "windows" ? windowsPaths : { ...posixPaths, ...(kind === "macos" && folding) };
}

/** Tells what kind of host this is. */
export function hostKind(platform: NodeJS.Platform): HostKind {
  if (platform === "win32") return "windows";
  if (platform === "darwin") return "macos";
  return platform === "linux" || platform === "android" ? "linux" : "other";
}

const same = (path: string): string => path;

const posixPaths: HostPaths = {
  foldsCase: false,
  toHost: same,
  fromHost: same,
  fromLink: same,
  toLink: same,
  toShell: same,
  fromShell: same,
  key: same,
};

const folding = { foldsCase: true, key: (path: string): string => path.normalize("NFC").toLowerCase() };

/** `/C:` or `/c` at the start of a path. */
const drive = /^\/([A-Za-z]):?(?=\/|$)/;

/**
 * A drive is the first name of a path: `/C:/Users/me` is `C:\Users\me`. The form of Git's shell, `/c/Users/me`, means
 * the same. `/` itself is nothing on such a host.
 */
const windowsPaths: HostPaths = {
  ...folding,
  toHost(path) {
    const letter = drive.exec(path)?.[1];
    const rest = path.replace(drive, "");
    if (letter === undefined) throw refused(path, "it must begin with a drive, such as /C:/");
    const names = rest.split("/").filter((name) => name !== "");
    for (const name of names) checkWindowsName(path, name);
    // The long form: without it, the host itself reads names such as NUL and cuts paths at 260 letters.
    return `\\\\?\\${letter.toUpperCase()}:\\${names.join("\\")}`;
  },
  fromHost(path) {
    const plain = path.replace(/^\\\\[?.]\\/, "").replaceAll("\\", "/");
    const [, letter, rest = ""] = /^([A-Za-z]):(.*)$/.exec(plain) ?? [];
    if (letter === undefined) throw refused(path, "it is on no drive of this host");
    return resolvePath(`/${letter.toUpperCase()}:/${rest}`);
  },
  fromLink(target) {
    return /^(?:\\\\[?.]\\)?[A-Za-z]:/.test(target) ? windowsPaths.fromHost(target) : target.replaceAll("\\", "/");
  },
  toLink(target) {
    if (target.startsWith("/")) return windowsPaths.toHost(resolvePath(target));
    for (const name of target.split("/")) if (!/^\.{0,2}$/.test(name)) checkWindowsName(target, name);
    return target.replaceAll("/", "\\");
  },
  toShell: (path) => path.replace(drive, (_all, letter: string) => `/${letter.toLowerCase()}`),
  fromShell: (path) => path.replace(drive, (_all, letter: string) => `/${letter.toUpperCase()}:`),
};

/** Names of devices, with any extension and whatever number their last character looks like. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;

/** Refuses names that the host would read as something else: a device, a stream of another file, another name. */
function checkWindowsName(path: string, name: string): void {
  if (deviceName.test(name)) throw refused(path, `${name} is the name of a device`);
  if (/[. ]$/.test(name)) throw refused(path, "a name cannot end with a dot or a space");
  // A colon separates the name of a file from that of a stream in it.
  const illegal = [...name].find((character) => character < " " || '<>:"|?*\\'.includes(character));
  if (illegal !== undefined) throw refused(path, `a name cannot have ${JSON.stringify(illegal)} in it`);
  // Short names such as PROGRA~1 stand for others; the real path is compared, so they are only kept from new files.
}

function refused(path: string, reason: string): Error {
  return fsError(
    "FS_INVALID_PATH",
    path,
    `${JSON.stringify(path)} cannot be used on this host: ${reason}. Use another path.`,
  );
}
