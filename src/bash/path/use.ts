/** Paths that a command touches: where they lead, and what has to be said about that. */

import { note, notePath } from "../scan.ts";
import type { Argument, Scan } from "../state.ts";
import type { PathAccess } from "../types.ts";
import { isSimple, leftFolders, normalizePath } from "./normalize.ts";
import { isHarmlessDevice, isProtected, isPublic, isSecret, mayBeSecret } from "./protected.ts";
import { UNKNOWN, UNKNOWN_FOLDER, UNKNOWN_HOME } from "./settings.ts";

const root: readonly string[] = ["/"];
const none: readonly string[] = [];

/** A pattern that can stand for `.` or `..`. */
const dotPattern = /(^|\/)\.\.?[*?[]/;

/**
 * Notes that a word is used as a path.
 *
 * @param unit The index of the unit.
 */
export function usePath(scan: Scan, argument: Argument, access: PathAccess, unit: number): void {
  const text = argument.glob ?? argument.text;
  if (text !== undefined) useText(scan, argument, text, access, unit);
  else if (argument.choices === undefined) useUnknown(scan, argument, access, unit);
  else for (const choice of argument.choices) useText(scan, argument, choice, access, unit);
}

/** Notes a known text that is used as a path, such as the value of an option. */
export function useText(scan: Scan, argument: Argument, text: string, access: PathAccess, unit: number): void {
  const glob = argument.glob !== undefined;
  const { settings } = scan;
  const isRead = access !== "write" && access !== "remove";
  if (isRead && !glob && scan.folders === settings.start && settings.isOrdinary && isSimple(text) && !argument.tilde) {
    useSimple(scan, argument, text, access, unit);
    return;
  }
  const expanded = argument.tilde ? expandTilde(scan, text) : text;
  const folders = expanded.startsWith("/") ? root : scan.folders;
  const left = expanded.includes("..") ? leftFolders(expanded, folders[0] ?? "/") : none;
  let inside = folders.length > 0 && left !== undefined;
  let path: string | undefined;
  for (const folder of folders) {
    path = normalizePath(expanded, folder);
    inside &&= isIn(path, settings.inside) && !(glob && dotPattern.test(text));
    check(scan, argument, path, glob, access);
  }
  const unknown = path === undefined || left === undefined || path.includes(UNKNOWN);
  notePath(scan, {
    text,
    path: unknown || folders.length !== 1 ? undefined : path,
    left,
    access,
    inside,
    unit,
    start: argument.start,
    end: argument.end,
  });
  if (inside || access === "write" || access === "remove" || access === "probe") return;
  if (path !== undefined && isPublic(path)) return;
  note(scan, "outside", "outside", argument, text);
}

/** What is read below the folder in which the line starts is the workspace's; half of all paths are. */
function useSimple(scan: Scan, argument: Argument, text: string, access: PathAccess, unit: number): void {
  const [folder = UNKNOWN_FOLDER] = scan.folders;
  const { start, end } = argument;
  if (access === "read" && isSecret(text)) {
    note(scan, "dangers", "secret", argument, argument.text ?? argument.shown);
  }
  const isKnown = folder !== UNKNOWN_FOLDER && !text.includes(UNKNOWN);
  notePath(scan, {
    text,
    path: isKnown ? `${folder}/${text}` : undefined,
    left: none,
    access,
    inside: true,
    unit,
    start,
    end,
  });
}

/** Tells whether a path lies in one of the folders. */
export function isIn(path: string, folders: readonly string[]): boolean {
  for (const folder of folders) {
    if (path.startsWith(folder) && (path.length === folder.length || folder === "/" || path[folder.length] === "/"))
      return true;
  }
  return false;
}

/** Replaces a `~` at the start; other people's homes are not known. */
export function expandTilde(scan: Scan, text: string): string {
  const [whole, user] = /^~([^/]*)/.exec(text) ?? [];
  if (whole === undefined) return text;
  const rest = text.slice(whole.length);
  if (user === "") return scan.settings.home + rest;
  if (user === "+") return `.${rest}`;
  return `${UNKNOWN_HOME}/../${UNKNOWN}${user}${rest}`;
}

function check(scan: Scan, argument: Argument, path: string, glob: boolean, access: PathAccess): void {
  const changes = access === "write" || access === "remove";
  if (changes && path.startsWith("/dev/") && !isHarmlessDevice(path)) note(scan, "dangers", "device", argument);
  if (changes && isProtected(scan.settings.protection, path, glob)) {
    note(scan, "dangers", "protected-path", argument, argument.text ?? argument.shown);
  }
  if (access === "read" && (glob ? mayBeSecret(path) : isSecret(path))) {
    note(scan, "dangers", "secret", argument, argument.text ?? argument.shown);
  }
}

function useUnknown(scan: Scan, argument: Argument, access: PathAccess, unit: number): void {
  const { shown: text, names, start, end } = argument;
  const inside = names === true && access !== "write" && access !== "remove";
  notePath(scan, { text, path: undefined, left: undefined, access, inside, unit, start, end });
  if (access === "read" && isSecret(argument.tail ?? "")) note(scan, "dangers", "secret", argument, text);
  if (access === "write" || access === "remove") {
    if (isProtected(scan.settings.protection, argument.tail ?? "", false))
      note(scan, "dangers", "protected-path", argument, text);
  }
  if (names || access === "write" || access === "remove" || access === "probe") return;
  const found = argument.computed && access === "read" ? "injection" : "outside";
  if (found === "injection") note(scan, "injection", "substitution", argument);
  else if (access !== "list") note(scan, "outside", "unknown-path", argument);
}
