/** A tree with `.gitignore` files, and what of it a search should meet. */

import { type FsSubject, put } from "./fs-subject.ts";

/** Files by path that a search of the whole tree meets. */
export const keptFiles: readonly string[] = [
  ".gitignore",
  "Trace.LOG",
  "cache/keep.txt",
  "docs/final.md",
  "important.log",
  "secret.txt",
  "src/build/x.js",
  "sub/.gitignore",
  "sub/deep/b.log",
  "sub/gone/x.txt",
  "tools/node_modules",
  "vendor/.gitignore",
  "vendor/app.log",
];

/** Files by path that it passes over. */
export const ignoredFiles: readonly string[] = [
  "#odd",
  "a.log",
  "build/x.js",
  "cache/drop.txt",
  "docs/a/b/draft-2.md",
  "docs/draft-1",
  "gone/x.txt",
  "many-a-b-c-stars",
  "node_modules/p/important.log",
  "packages/a/node_modules/i.js",
  "sub/secret.txt",
  "trailing.txt",
  "vendor/x.tmp",
];

const rules: Readonly<Record<string, readonly string[]>> = {
  ".gitignore": [
    "# what tools make",
    "*.log",
    "!important.log",
    "/build",
    "node_modules/",
    "docs/**/draft-*",
    "\\#odd",
    "",
    "cache/*",
    "!cache/keep.txt",
    "gone/",
    "*a*b*c*stars",
    "trailing.txt   ",
  ],
  // Deeper rules decide first, and what is brought back is searched with all below it.
  "sub/.gitignore": ["!*.log", "secret.txt", "!/gone/"],
  // A repository in a repository begins anew.
  "vendor/.gitignore": ["*.tmp"],
};

/** Writes the tree; each file holds its path, but for those of rules. */
export async function fillIgnored(subject: FsSubject): Promise<void> {
  const files = [...keptFiles, ...ignoredFiles, "vendor/.git/HEAD"];
  await Promise.all(
    files.map((path) => put(subject, path, rules[path]?.join(path === ".gitignore" ? "\r\n" : "\n") ?? path)),
  );
}
