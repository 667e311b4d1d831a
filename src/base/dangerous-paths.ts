/** Files whose change gives somebody else power over the person's machine or secrets: the one list for all tools. */

/** File names that are dangerous wherever they lie; one with a slash is the end of a path. */
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

/** Directory names below which everything is dangerous; one with a slash is a part of a path. */
export const DANGEROUS_DIRECTORIES: readonly string[] = [".git", ".vscode", ".idea", ".ssh", ".claude"];

/** What is dangerous beside the defaults. */
export interface DangerousPaths {
  /** File names, or ends of paths, added to {@link DANGEROUS_FILES}. */
  dangerousFiles?: readonly string[] | undefined;
  /** Directory names, or parts of paths, added to {@link DANGEROUS_DIRECTORIES}. */
  dangerousDirectories?: readonly string[] | undefined;
}

/**
 * Makes the question whether a path is dangerous. Names are compared as the most lenient file systems do: without
 * regard to case, compatible and invisible characters, trailing dots and spaces, and stream names behind a colon; a
 * backslash counts as a slash, and the short names that Windows makes (`GIT~1`) as what they stand for.
 *
 * @param added What is dangerous beside the defaults.
 * @returns The question; it takes a path, and counts from its start where that is no slash.
 */
export function dangerousPaths(added: DangerousPaths = {}): (path: string) => boolean {
  const { dangerousFiles = [], dangerousDirectories = [] } = added;
  defaults ??= readNames(DANGEROUS_FILES, DANGEROUS_DIRECTORIES);
  const known = [defaults];
  if (dangerousFiles.length + dangerousDirectories.length > 0) {
    known.push(readNames(dangerousFiles, dangerousDirectories));
  }
  const allHidden = known.every(({ isHidden }) => isHidden);
  return (path) => {
    // Nearly all paths are of this kind, and no spelling of a name with a dot in front is.
    if (allHidden && !path.startsWith(".") && !path.includes("/.") && !odd.test(path)) return false;
    const folded = foldPath(path);
    return known.some((names) => hasName(folded, names));
  };
}

/** Names, folded. */
interface Names {
  /** With a slash in front, `/.env`. */
  files: readonly string[];
  /** With slashes around, `/.git/`. */
  directories: readonly string[];
  /** The short forms of all of them. */
  short: RegExp;
  /** Whether all of them start with a dot. */
  isHidden: boolean;
}

let defaults: Names | undefined;

/** Characters that a file system may take for others, separate names or mark short ones. */
const odd = /[\\~\u0080-\uffff]/;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

function readNames(files: readonly string[], directories: readonly string[]): Names {
  const [foldedFiles, foldedDirectories] = [foldNames(files), foldNames(directories)];
  const all = [...foldedFiles, ...foldedDirectories];
  return {
    files: foldedFiles,
    directories: foldedDirectories.map((name) => `${name}/`),
    short: shortForms(all.filter((name) => name.lastIndexOf("/") === 0)),
    isHidden: all.every((name) => name.startsWith("/.")),
  };
}

function hasName(path: string, { files, directories, short }: Names): boolean {
  if (files.some((file) => path.endsWith(file))) return true;
  const folder = `${path}/`;
  return directories.some((directory) => folder.includes(directory)) || (path.includes("~") && short.test(path));
}

/** Folds names that mean the same anywhere: what says where they are, such as `~/`, is left out, and so is nothing. */
function foldNames(names: readonly string[]): string[] {
  return names.map((name) => foldPath(name.replace(/^(~|\.)[\\/]/, ""))).filter(Boolean);
}

/** Begins with a slash and has none at the end. */
function foldPath(path: string): string {
  const parts = path.split(/[\\/]/).map(foldPart);
  return parts.map((part) => (part === "" ? "" : `/${part}`)).join("");
}

function foldPart(part: string): string {
  // Most names have nothing to fold but their letters.
  if (/^[\w.-]*\w$/.test(part)) return part.toLowerCase();
  const visible = part.normalize("NFKC").replace(invisible, "");
  return visible
    .toLowerCase()
    .replace(/^(.[^:]*):.*$/su, "$1")
    .replace(/[. ]+$/, "");
}

/**
 * Makes the pattern of the names that Windows may give to files beside their own: `GITCON~1` for `.gitconfig`, and
 * `GI1A2B~1` where several share that one.
 */
function shortForms(names: readonly string[]): RegExp {
  const forms = names.map((name) => {
    const plain = name.slice(1).replace(/^\.+/, "");
    const dot = plain.lastIndexOf(".");
    const [base, end] = dot < 0 ? [plain, ""] : [plain.slice(0, dot), plain.slice(dot + 1, dot + 4)];
    const letters = base.replace(/[^a-z0-9_-]/g, "").slice(0, 6);
    const rest = end === "" ? "" : `\\.${end.replace(/[^a-z0-9_-]/g, "_")}`;
    return `(${letters}~\\d+|${letters.slice(0, 2)}[0-9a-f]{4}~\\d)${rest}`;
  });
  return new RegExp(`/(${forms.join("|") || "/"})(/|$)`);
}
