/** Reads a file piece by piece: as much as a call needs, all of one version. */

import type { Backend } from "../backend/backend.ts";
import { refusal } from "./answer.ts";
import type { FileTarget } from "./file-access.ts";

/** Bytes of the first piece; a file that is no longer is read in one round trip. */
export const FIRST_PIECE: number = 256 << 10;

/** Bytes of each further piece. */
const NEXT_PIECE = 1 << 20;

/** A piece of a file. */
export interface FilePiece {
  bytes: Uint8Array;
  /** The version of the whole file. */
  version: string;
  /** Whether it reaches the end of the file. */
  last: boolean;
}

/**
 * Gives a file in pieces, until it ends or the caller stops.
 *
 * @throws HoldallError when the file is changed meanwhile, beside the errors of the file system.
 */
export async function* readPieces(
  { fs }: Backend,
  target: FileTarget,
  signal: AbortSignal,
): AsyncGenerator<FilePiece, void, undefined> {
  let offset = 0;
  let known: string | undefined;
  for (;;) {
    const length = offset === 0 ? FIRST_PIECE : NEXT_PIECE;
    const { bytes, version } = await fs.read(target.real, { offset, length, signal });
    if (known !== undefined && known !== version)
      throw refusal(`${target.path} is being changed while it is read. Read it again.`);
    known = version;
    offset += bytes.length;
    // Some hosts tell a size of 0 for files that are made while they are read, so only a short read is believed.
    const last = bytes.length < length;
    yield { bytes, version, last };
    if (last) return;
  }
}

/**
 * Reads a whole file.
 *
 * @param most The most bytes.
 * @throws HoldallError when it is longer.
 */
export async function readWhole(
  backend: Backend,
  target: FileTarget,
  most: number,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; version: string }> {
  const { bytes, version } = await backend.fs.read(target.real, { length: most + 1, signal });
  if (bytes.length <= most) return { bytes, version };
  throw refusal(
    `${target.path} is larger than ${most >> 20} MiB, too large for this tool. Use Bash, or Grep and Read for parts of it.`,
  );
}
