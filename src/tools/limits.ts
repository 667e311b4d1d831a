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

/** Bytes of the largest PDF document that Read opens: 32 MiB. */
export const MAX_PDF_BYTES: number = 32 << 20;

/** Bytes to which one compressed stream of a PDF document may expand: 32 MiB. */
export const MAX_PDF_STREAM_BYTES: number = 32 << 20;

/** Pages of a PDF document that one Read shows. */
export const MAX_PDF_PAGES = 20;

/** The most pages a PDF document may have to be shown whole, without being asked for pages. */
export const MAX_WHOLE_PDF_PAGES = 10;

/** Milliseconds that one Read works on a PDF document. */
export const MAX_PDF_TIME = 10_000;

/** Bytes of the largest file that Edit changes and Write shows a diff for: 16 MiB. */
export const MAX_EDIT_BYTES: number = 16 << 20;

/** The most further replacements of one Edit. */
export const MAX_FURTHER_EDITS = 100;

/** The most occurrences that one replacement of an Edit replaces. */
export const MAX_REPLACED = 1_000_000;

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

/** Bytes of output that Bash takes from a command; the rest is dropped: 32 MiB. */
export const MAX_BASH_PRINTED: number = 32 << 20;

/**
 * UTF-16 units of that output which Bash gives, half of them from its beginning and half from its end: 8 Mi. What reaches
 * the model is for the toolkit to cut.
 */
export const MAX_BASH_OUTPUT: number = 8 << 20;

/** The most commands that run in the background of one conversation when nothing else is said. */
export const MAX_BACKGROUND_RUNS = 8;

/** The most milliseconds a command runs in the background: a day. */
export const MAX_BACKGROUND_TIME = 86_400_000;

/** Bytes of output that are taken from a command in the background, over its whole life; the rest is dropped: 16 MiB. */
export const MAX_BACKGROUND_PRINTED: number = 16 << 20;

/** UTF-16 units of output that wait to be read; of more, a quarter from the beginning and the rest from the end: 1 Mi. */
export const MAX_BACKGROUND_WAITING: number = 1 << 20;

/** UTF-16 units that one BashOutput gives; below what a toolkit cuts. */
export const MAX_BACKGROUND_SHOWN = 40_000;

/** Ended commands that a conversation remembers; the oldest are forgotten first. */
export const MAX_ENDED_RUNS = 20;

/** Ended commands, of all conversations together, whose unread output is kept; the oldest are let go first. */
export const MAX_ENDED_OUTPUTS = 50;
