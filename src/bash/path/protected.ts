/** Which paths configure programs, hold secrets, or are anybody's to read. */

import { compileGlob } from "../../base/glob.ts";

/** Files that only a person may let be changed; compared without case, by their last names. */
export const DANGEROUS_FILES: readonly string[] = [
  ".gitconfig",
  ".gitmodules",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".profile",
  ".ssh/config",
  ".ssh/authorized_keys",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".env",
  ".envrc",
  ".env.local",
  ".env.development",
  ".env.development.local",
  ".env.test",
  ".env.test.local",
  ".env.staging",
  ".env.production",
  ".env.production.local",
];

/** Folders in which only a person may let things be changed; compared without case. */
export const DANGEROUS_DIRECTORIES: readonly string[] = [".git", ".vscode", ".idea", ".ssh", ".claude"];

/** Names of files with secrets; anchored, because they are compared with every name that is read. */
const secretName =
  /^(\.env(rc)?(?!\.(example|sample|template|dist|defaults?)$)(\.[\w.-]+)?|id_(rsa|dsa|ecdsa|ed25519)\w*|\.(netrc|pgpass|npmrc|pypirc|git-credentials|htpasswd|vault-token|boto|s3cfg|my\.cnf|\w*_history)|\.?credentials(\.json)?|service[-_]account.*\.json|secrets?\.(ya?ml|json|toml|env|txt))$/i;
const secretExtension = /^(pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfstate)$/i;
const secretFolder =
  /(^|\/)\.(ssh|aws|gnupg|azure|password-store|config\/(gh|gcloud|op)|kube\/config|docker\/config\.json)(\/|$)/i;
const secretRoot =
  /^\/(proc\/[^/]+\/(environ|mem|auxv|maps|fd|root|cwd|task)(\/|$)|proc\/kcore|dev\/k?mem|etc\/(sudoers|ssl\/private|krb5\.keytab)|run\/secrets)/;
const publicPath =
  /^\/((usr\/(local\/)?)?(bin|sbin|lib|lib32|lib64|libexec|share|include|src)|opt\/homebrew)(\/|$)|^\/etc\/(os-release|lsb-release|debian_version|alpine-release|issue|hosts|hostname|resolv\.conf|services|protocols|shells|timezone|localtime)$|^\/proc\/(cpuinfo|meminfo|version|uptime|loadavg|filesystems|mounts|stat)$|^\/sys\/(class|block)\/?/;
const harmlessDevice = /^\/dev\/(null|zero|full|u?random|std(in|out|err)|tty|fd\/\d+)$/;
const names = [".env", ".env.local", ".envrc", ".netrc", ".npmrc", ".git-credentials", ".bash_history", "id_rsa"];

/** Tells whether the content of a path is a secret. */
export function isSecret(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  // Most names start with none of the letters that the pattern knows.
  if (/^[.ics]/i.test(name) && secretName.test(name)) return true;
  if (dot > 0 && secretExtension.test(name.slice(dot + 1))) return true;
  if (name.endsWith("shadow")) return true;
  if (path.startsWith("/") && secretRoot.test(path)) return true;
  return hasDotName(path) && secretFolder.test(path);
}

/** Tells whether a pattern can stand for a secret name; patterns that start with a wildcard never match dotfiles. */
export function mayBeSecret(pattern: string): boolean {
  return isSecret(pattern) || canMatch(pattern, names);
}

/** Tells whether reading a path is harmless wherever the workspace is. */
export function isPublic(path: string): boolean {
  return isHarmlessDevice(path) || publicPath.test(path);
}

/** Tells whether writing to a path leaves nothing behind. */
export function isHarmlessDevice(path: string): boolean {
  return path.startsWith("/dev/") && harmlessDevice.test(path);
}

/** What is protected against changes, as patterns and as names. */
export interface Protection {
  /** The defaults, which all start with a dot, and what was given beside them. */
  readonly defaults: RegExp;
  readonly added: RegExp | undefined;
  readonly names: readonly string[];
}

/** Makes the protection of the defaults and what is given beside them. */
export function makeProtection(files: readonly string[] = [], directories: readonly string[] = []): Protection {
  return {
    defaults: namePattern(DANGEROUS_FILES, DANGEROUS_DIRECTORIES),
    added: files.length + directories.length > 0 ? namePattern(files, directories) : undefined,
    names: [...DANGEROUS_FILES, ...DANGEROUS_DIRECTORIES, ...files, ...directories].map(plainName),
  };
}

/** Tells whether a path, or what a pattern can stand for, is protected against changes. */
export function isProtected({ defaults, added, names: known }: Protection, path: string, glob: boolean): boolean {
  if (hasDotName(path) && defaults.test(path)) return true;
  return added?.test(path) === true || (glob && path.split("/").some((part) => canMatch(part, known)));
}

function namePattern(files: readonly string[], directories: readonly string[]): RegExp {
  const either = (names: readonly string[]): string =>
    names.map((name) => plainName(name).replace(/[^\w/]/g, "\\$&")).join("|") || "\n";
  return new RegExp(`(^|/)((${either(files)})$|(${either(directories)})(/|$))`, "i");
}

function hasDotName(path: string): boolean {
  return path.charCodeAt(0) === 46 || path.includes("/.");
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
