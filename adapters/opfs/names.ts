/** Writes names so that every browser takes them. */

/** How names of the port are written as names of handles, and read again. */
export interface Names {
  write(name: string): string;
  read(name: string): string;
}

/** For folders of other programs: names stay as they are. */
export const plainNames: Names = { write: (name) => name, read: (name) => name };

/**
 * For folders of our own: a backslash, which Chromium refuses, becomes `%5C`, and a `%` that could be mistaken for the
 * start of that becomes `%25`.
 */
export const safeNames: Names = {
  write: (name) => name.replace(/%(?=5C|25)/g, "%25").replaceAll("\\", "%5C"),
  read: (name) => name.replace(/%(5C|25)/g, (_, code) => (code === "25" ? "%" : "\\")),
};
