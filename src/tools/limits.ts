/** The limits of the coding tools. */

/** Lines that one Read shows when nothing else is said. */
export const DEFAULT_READ_LIMIT = 2000;

/** UTF-16 units of a line that Read shows; the rest is replaced by a marker. */
export const MAX_LINE_LENGTH = 2000;

/** UTF-16 units of lines that one Read shows in all; below what a toolkit cuts, so that no line is lost in between. */
export const MAX_READ_LENGTH = 45_000;

/** Bytes that Read looks through for the line it starts at: 256 MiB. */
export const MAX_SCAN_BYTES: number = 256 << 20;

/** Bytes of the largest image that Read shows: 5 MiB. */
export const MAX_IMAGE_BYTES: number = 5 << 20;

/** Bytes of the largest notebook that Read shows: 16 MiB. */
export const MAX_NOTEBOOK_BYTES: number = 16 << 20;

/** Bytes of the largest file that Edit changes and Write shows a diff for: 16 MiB. */
export const MAX_EDIT_BYTES: number = 16 << 20;

/** The most further replacements of one Edit. */
export const MAX_FURTHER_EDITS = 100;

/** The most files that one Glob lists. */
export const MAX_GLOB_FILES = 500;

/** Matching lines or files that one Grep gives when nothing else is said. */
export const DEFAULT_HEAD_LIMIT = 250;

/** The most matching lines or files that one Grep gives, also for a `head_limit` of 0. */
export const MAX_HEAD_LIMIT = 10_000;

/** UTF-16 units of text that Glob and Grep give at most; below what a toolkit cuts. */
export const MAX_SEARCH_LENGTH = 40_000;

/** The most milliseconds that one Bash may ask for: ten minutes. */
export const MAX_BASH_TIMEOUT = 600_000;

/** Bytes of output that Bash takes from a command; what reaches the model is for the toolkit to cut. */
export const MAX_BASH_OUTPUT: number = 8 << 20;
