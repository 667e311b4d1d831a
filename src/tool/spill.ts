/** Puts texts that are too long for a model into files. */

import type { FileSystem } from "../backend/file-system.ts";
import { encodeUtf8 } from "../base/bytes.ts";
import { joinPath } from "../base/path.ts";
import type { SpillText } from "./limit.ts";

/** The folder for texts that are put aside when nothing else is said. */
export const SPILL_FOLDER = "/tmp/tool-results";

/**
 * Makes a `spill` for a result limit that writes into a folder of a file system.
 *
 * @param fs The file system, usually the one that the model's file tools work on.
 * @param folder Absolute. Defaults to {@link SPILL_FOLDER}.
 * @returns The function; a file system that refuses makes it tell the model that the rest was not kept.
 */
export function spillTo(fs: Pick<FileSystem, "write">, folder: string = SPILL_FOLDER): SpillText {
  return async (toolCallId, text, signal) => {
    // The id comes from a model: it must not lead out of the folder.
    const name = toolCallId.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 100) || "result";
    const path = joinPath(folder, `${name}.txt`);
    try {
      await fs.write(path, encodeUtf8(text), signal === undefined ? {} : { signal });
      return path;
    } catch {
      return undefined;
    }
  };
}
