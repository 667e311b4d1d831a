/** Reads the token of a server from a file, and refuses one that others may know. */

import { open } from "node:fs/promises";
import { HoldallError } from "holdall";
import { MIN_TOKEN_LENGTH } from "./authorize.ts";

/** The largest token file, in bytes. */
const MAX_BYTES = 4096;

/** May others than owner and group read the file, or others than the owner write it? */
const OPEN_TO_OTHERS = 0o026;

/**
 * Reads a token.
 *
 * @param path A file with nothing but the token in it; white space around it does not count.
 * @throws HoldallError `TOKEN_FILE` when it cannot be read, is empty or too short, or others may read or change it.
 */
export async function readTokenFile(path: string): Promise<string> {
  const file = await open(path, "r").catch((error: unknown) => {
    throw wrong(path, "cannot be opened", "Make it: openssl rand -hex 32 > FILE; chmod 600 FILE", error);
  });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw wrong(path, "is not a file", "Name a file that holds the token");
    // Windows has no such bits.
    if (process.platform !== "win32" && (stat.mode & OPEN_TO_OTHERS) !== 0)
      throw wrong(path, "can be read or changed by others", `Take that away: chmod 600 ${path}`);
    if (stat.size > MAX_BYTES) throw wrong(path, "is too large for a token", "Name a file that holds the token alone");
    const token = (await file.readFile("utf8")).trim();
    if (token.length < MIN_TOKEN_LENGTH || /\s/.test(token))
      throw wrong(
        path,
        `holds no token of ${MIN_TOKEN_LENGTH} characters or more without white space`,
        "Make one: openssl rand -hex 32",
      );
    return token;
  } finally {
    await file.close();
  }
}

function wrong(path: string, what: string, fix: string, cause?: unknown): HoldallError {
  return new HoldallError("TOKEN_FILE", `the token file ${path} ${what}. ${fix}.`, { cause });
}
