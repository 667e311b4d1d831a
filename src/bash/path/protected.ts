/** Which paths configure programs, hold secrets, or are anybody's to read. */

import { DANGEROUS_DIRECTORIES, DANGEROUS_FILES, dangerousPaths } from "../../base/dangerous-paths.ts";
import { compileGlob } from "../../base/glob.ts";
import { codeAt } from "../read/code-at.ts";

/** Names of files with secrets; anchored, because they are compared with every name that is read. */
const secretName =
  /^(\.env(rc)?(?!\.(example|sample|template|dist|defaults?)$)(\.[\w.-]+)?|id_(rsa|dsa|ecdsa|ed25519)\w*|\.(netrc|pgpass|npmrc|pypirc|git-credentials|htpasswd|vault-token|boto|s3cfg|my\.cnf|\w*_history)|\.?credentials(\.json)?|service[-_]account.*\.json|secrets?\.(ya?ml|json|toml|env|txt))$/i;
const secretStarts = initials(".icsICS");
const secretExtension = /^(pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfstate)$/i;
const secretFolder =
  /(^|\/)\.(ssh|aws|gnupg|azure|password-store|config\/(gh|gcloud|op)|kube\/config|docker\/config\.json)(\/|$)/i;
const secretRoot =
  /^\/(proc\/[^/]+\/(environ|mem|auxv|maps|fd|root|cwd|task)(\/|$)|proc\/kcore|dev\/k?mem|etc\/(sudoers|ssl\/private|krb5\.keytab)|run\/secrets)/;
/** Where the folders that these patterns know start. */
const secretRoots = initials("pder");
const publicRoots = initials("usbloepi");
const publicPath =
  /^\/((usr\/(local\/)?)?(bin|sbin|lib|lib32|lib64|libexec|share|include|src)|opt\/homebrew)(\/|$)|^\/etc\/(os-release|lsb-release|debian_version|alpine-release|issue|hosts|hostname|resolv\.conf|services|protocols|shells|timezone|localtime)$|^\/proc\/(cpuinfo|meminfo|version|uptime|loadavg|filesystems|mounts|stat)$|^\/sys\/(class|block)\/?/;
const harmlessDevice = /^\/dev\/(null|zero|full|u?random|std(in|out|err)|tty|fd\/\d+)$/;
const names = [".env", ".env.local", ".envrc", ".netrc", ".npmrc", ".git-credentials", ".bash_history", "id_rsa"];

const SLASH = 47;

/** Marks characters by their codes. */
function initials(letters: string): Uint8Array {
  const marks = new Uint8Array(128);
  for (const letter of letters) marks[letter.charCodeAt(0)] = 1;
  return marks;
}

/** Tells whether the content of a path is a secret. */
export function isSecret(path: string): boolean {
  const { length } = path;
  const start = path.lastIndexOf("/") + 1;
  // Most names start with none of the letters that the pattern knows.
  if (start < length && secretStarts[codeAt(path, start)] === 1 && secretName.test(path.slice(start))) return true;
  const dot = path.lastIndexOf(".");
  if (dot > start && length - dot > 3 && secretExtension.test(path.slice(dot + 1))) return true;
  if (path.endsWith("shadow")) return true;
  if (length > 1 && codeAt(path, 0) === SLASH && secretRoots[codeAt(path, 1)] === 1 && secretRoot.test(path))
    return true;
  return hasDotName(path) && secretFolder.test(path);
}

/** Tells whether a file may be a secret because of the folder it lies in, whatever its own name is. */
export function isRemarkable(folder: string): boolean {
  return hasDotName(folder) || (folder.length > 1 && secretRoots[codeAt(folder, 1)] === 1);
}

/** Tells whether a pattern can stand for a secret name; patterns that start with a wildcard never match dotfiles. */
export function mayBeSecret(pattern: string): boolean {
  return isSecret(pattern) || canMatch(pattern, names);
}

/** Tells whether reading a path is harmless wherever the workspace is. */
export function isPublic(path: string): boolean {
  return isHarmlessDevice(path) || (path.length > 1 && publicRoots[codeAt(path, 1)] === 1 && publicPath.test(path));
}

/** Tells whether writing to a path leaves nothing behind. */
export function isHarmlessDevice(path: string): boolean {
  return path.startsWith("/dev/") && harmlessDevice.test(path);
}

/** What is protected against changes. */
export interface Protection {
  /** Tells whether a path is. */
  isDangerous(path: string): boolean;
  /** The names, for patterns that may stand for them. */
  readonly names: readonly string[];
}

let last: { key: string; made: Protection } | undefined;

/** Makes the protection of the defaults and what is given beside them; a tool gives the same names every time. */
export function makeProtection(files: readonly string[] = [], directories: readonly string[] = []): Protection {
  const key = files.length + directories.length === 0 ? "" : JSON.stringify([files, directories]);
  if (last?.key === key) return last.made;
  const names = [...DANGEROUS_FILES, ...DANGEROUS_DIRECTORIES, ...files, ...directories];
  const made = {
    isDangerous: dangerousPaths({ dangerousFiles: files, dangerousDirectories: directories }),
    names: names.map(plainName),
  };
  last = { key, made };
  return made;
}

/** Tells whether a path, or what a pattern can stand for, is protected against changes. */
export function isProtected({ isDangerous, names: known }: Protection, path: string, glob: boolean): boolean {
  return isDangerous(path) || (glob && path.split("/").some((part) => canMatch(part, known)));
}

function hasDotName(path: string): boolean {
  return path.includes("/.") || path.startsWith(".");
}

function plainName(name: string): string {
  return name.replace(/^(~|\.)\/|\/$/g, "");
}

function canMatch(pattern: string, known: readonly string[]): boolean {
  const name = pattern.slice(pattern.lastIndexOf("/") + 1);
  if (!/^[^*?[]/.test(name) || !/[*?[]/.test(name)) return false;
  try {
    const matches = compileGlob(name, { ignoreCase: true });
    return known.some((one) => matches(one));
  } catch {
    return true;
  }
}
