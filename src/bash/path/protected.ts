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

const secretFile =
  /(^|\/)(\.env(rc)?(?!\.(example|sample|template|dist|defaults?)$)(\.[\w.-]+)?|id_(rsa|dsa|ecdsa|ed25519)\w*|\.(netrc|pgpass|npmrc|pypirc|git-credentials|htpasswd|vault-token|boto|s3cfg|my\.cnf)|\.?credentials(\.json)?|\.\w*_history|[^/]*\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfstate)|service[-_]account[^/]*\.json|secrets?\.(ya?ml|json|toml|env|txt))$/i;
const secretFolder =
  /(^|\/)(\.ssh|\.aws|\.gnupg|\.azure|\.password-store|\.config\/(gh|gcloud|op)|\.kube\/config|\.docker\/config\.json)(\/|$)|^\/proc\/[^/]+\/(environ|mem|auxv|maps|fd(\/|$)|root|cwd|task)|^\/(proc\/kcore|dev\/k?mem|etc\/(g?shadow|sudoers|ssl\/private|krb5\.keytab))|^\/run\/secrets|\/etc\/g?shadow/i;
const publicPath =
  /^\/((usr\/(local\/)?)?(bin|sbin|lib|lib32|lib64|libexec|share|include|src)|opt\/homebrew)(\/|$)|^\/etc\/(os-release|lsb-release|debian_version|alpine-release|issue|hosts|hostname|resolv\.conf|services|protocols|shells|timezone|localtime)$|^\/proc\/(cpuinfo|meminfo|version|uptime|loadavg|filesystems|mounts|stat)$|^\/sys\/(class|block)\/?/;
const harmlessDevice = /^\/dev\/(null|zero|full|u?random|std(in|out|err)|tty|fd\/\d+)$/;
const names = [".env", ".env.local", ".envrc", ".netrc", ".npmrc", ".git-credentials", ".bash_history", "id_rsa"];

/** Tells whether the content of a path is a secret. */
export function isSecret(path: string): boolean {
  return secretFile.test(path) || secretFolder.test(path);
}

/** Tells whether a pattern can stand for a secret name; patterns that start with a wildcard never match dotfiles. */
export function mayBeSecret(pattern: string): boolean {
  return isSecret(pattern) || canMatch(pattern, names);
}

/** Tells whether reading a path is harmless wherever the workspace is. */
export function isPublic(path: string): boolean {
  return harmlessDevice.test(path) || publicPath.test(path);
}

/** Tells whether writing to a path leaves nothing behind. */
export function isHarmlessDevice(path: string): boolean {
  return harmlessDevice.test(path);
}

/** What is protected against changes, as one pattern and as names. */
export interface Protection {
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/** Makes the protection of the defaults and what is given beside them. */
export function makeProtection(files: readonly string[] = [], directories: readonly string[] = []): Protection {
  const allFiles = [...DANGEROUS_FILES, ...files].map(plainName);
  const allFolders = [...DANGEROUS_DIRECTORIES, ...directories].map(plainName);
  const either = (names: readonly string[]): string => names.map((name) => name.replace(/[^\w/]/g, "\\$&")).join("|");
  return {
    pattern: new RegExp(`(^|/)((${either(allFiles)})$|(${either(allFolders)})(/|$))`, "i"),
    names: [...allFiles, ...allFolders],
  };
}

/** Tells whether a path, or what a pattern can stand for, is protected against changes. */
export function isProtected({ pattern, names: known }: Protection, path: string, glob: boolean): boolean {
  return pattern.test(path) || (glob && path.split("/").some((part) => canMatch(part, known)));
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
