/** Files whose change gives somebody else power over the person's machine or secrets. */

/** File names that are dangerous wherever they lie; one with a slash is the end of a path. */
export const DANGEROUS_FILES: readonly string[] = [
  ".gitconfig",
  ".gitmodules",
  ".bashrc",
  ".bash_profile",
  ".zshrc",
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
export const DANGEROUS_DIRECTORIES: readonly string[] = [".git", ".vscode", ".idea", ".ssh"];

/** What is dangerous beside the defaults. */
export interface DangerousPaths {
  /** File names, or ends of paths, added to {@link DANGEROUS_FILES}. */
  dangerousFiles?: readonly string[] | undefined;
  /** Directory names, or parts of paths, added to {@link DANGEROUS_DIRECTORIES}. */
  dangerousDirectories?: readonly string[] | undefined;
}

/**
 * Makes the question whether a path is dangerous. Names are compared as the most lenient file systems do: without
 * regard to case, invisible characters, trailing dots and spaces, and stream names behind a colon.
 *
 * @param added What is dangerous beside the defaults.
 * @returns The question; it takes an absolute path.
 */
export function dangerousPaths(added: DangerousPaths = {}): (path: string) => boolean {
  const files = [...DANGEROUS_FILES, ...(added.dangerousFiles ?? [])].map(foldPath);
  const directories = [...DANGEROUS_DIRECTORIES, ...(added.dangerousDirectories ?? [])].map(foldPath);
  return (path) => {
    const folded = foldPath(path);
    return (
      files.some((file) => folded.endsWith(file)) ||
      directories.some((directory) => `${folded}/`.includes(`${directory}/`))
    );
  };
}

/** Begins with a slash and has none at the end. */
function foldPath(path: string): string {
  const names = path.split("/").map(foldName);
  return names.map((name) => (name === "" ? "" : `/${name}`)).join("");
}

function foldName(name: string): string {
  const visible = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return visible
    .toLowerCase()
    .replace(/^(.[^:]*):.*$/su, "$1")
    .replace(/[. ]+$/, "");
}
