/** What the playground takes in, in one place. */

/** The most files of one opening. */
export const MAX_FILES = 2000;

/** The most bytes of one file. */
export const MAX_FILE_BYTES = 5_000_000;

/** The most bytes of all files of one opening. */
export const MAX_TOTAL_BYTES = 30_000_000;

/** The most entries that are looked at when a folder is dropped; it ends the walk through a folder without end. */
export const MAX_SEEN = 20_000;

/** Folders that are left out: they are large, and nobody edits them by hand. */
export const SKIPPED_FOLDERS: readonly string[] = [".git", ".hg", ".svn", "node_modules"];

/** The most skipped files that are named one by one. */
export const MAX_NAMED = 100;

/** The most entries that the tree lists. */
export const MAX_LISTED = 10_000;

/** Where the files of the workspace are. */
export const ROOT = "/workspace";
