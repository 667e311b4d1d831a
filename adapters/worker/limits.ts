/** Every limit of what goes between client and server. */

/** The longest path, in UTF-16 units; a host's own may be longer than what `resolvePath` lets a caller give. */
export const MAX_PATH = 16_384;

/** The longest command line, pattern or other text of a call, in UTF-16 units. */
export const MAX_TEXT: number = 1 << 20;

/** The longest standard input of a command, in UTF-16 units. */
export const MAX_STDIN: number = 16 << 20;

/** The most variables of a command, patterns of a search or names that a walk skips. */
export const MAX_LIST = 10_000;

/** The most stats in one call. */
export const MAX_STATS = 500;

/** The most items in one message of a stream. */
export const MAX_ITEMS = 256;

/** Messages of one stream that may be under way to a reader that has not taken them yet. */
export const STREAM_WINDOW = 8;

/** Calls that one client may have under way. */
export const MAX_CALLS = 1024;

/** Bytes of a file that go through in one piece, read or written: 256 MiB. */
export const MAX_FILE_BYTES: number = 256 << 20;

/** Bytes of a call or an answer that is JSON: 64 MiB. */
export const MAX_JSON_BYTES: number = 64 << 20;

/** Bytes of output that one command may ask for: 64 MiB. */
export const MAX_OUTPUT_BYTES: number = 64 << 20;

/** Milliseconds that a change or a command may take to tell how it ended once it is given up. */
export const ABORT_GRACE = 10_000;

/** The longest path that HTTP carries, in bytes of UTF-8: what hosts call PATH_MAX. */
export const MAX_PATH_BYTES = 4096;

/** Changes whose outcome a server keeps for a client that asks again. */
export const MAX_KEYS = 1000;

/** Milliseconds for which it keeps them. */
export const KEY_AGE = 600_000;

/** Bytes of output that it keeps of commands that have ended. */
export const MAX_KEPT_OUTPUT: number = 16 << 20;

/** Milliseconds for which a command goes on after its connection was cut, so that its client can come back. */
export const RESUME_GRACE = 10_000;

/** Commands that a server has under way over HTTP, those included whose connection was cut. */
export const MAX_RUNS = 256;

/** Bytes of one part of an upload: 2 MiB. */
export const PART_BYTES: number = 2 << 20;

/** Parts of one upload that a server holds, while the file system takes another: 2. */
export const PART_WINDOW = 2;

/** Uploads that a server has under way over HTTP. */
export const MAX_UPLOADS = 16;

/** Bytes of one upload: 64 GiB. */
export const MAX_UPLOAD_BYTES: number = 64 * 2 ** 30;

/** Milliseconds without a part until an upload is given up. */
export const UPLOAD_SILENCE = 300_000;

/** Milliseconds between signs of life in a stream that has nothing to say. */
export const KEEP_ALIVE = 15_000;
