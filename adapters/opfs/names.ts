/** Writes names so that every browser takes them, and knows those that browsers make themselves. */

/** How names of the port are written as names of handles, and read again. */
export interface Names {
  write(name: string): string;
  read(name: string): string;
}

/** For folders of other programs: names stay as they are. */
export const plainNames: Names = { write: (name) => name, read: (name) => name };

/**
 * For folders of our own: a backslash, which Chromium refuses, becomes `%5C`, the dot of a name that looks like one of
 * Chromium's swap files `%2E`, and a `%` that could be mistaken for the start of these `%25`.
 */
export const safeNames: Names = {
  write: (name) =>
    name
      .replace(/%(?=5C|2E|25)/g, "%25")
      .replaceAll("\\", "%5C")
      .replace(/\.crswap$/, "%2Ecrswap"),
  read: (name) => name.replace(/%(5C|2E|25)/g, (_, code) => (code === "25" ? "%" : code === "2E" ? "." : "\\")),
};

/** Tells whether a file is one that Chromium writes into until a stream is closed; it stays when the browser is killed. */
export function isSwapFile(handleName: string): boolean {
  return handleName.endsWith(".crswap");
}
