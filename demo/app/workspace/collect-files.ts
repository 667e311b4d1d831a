/** Reads the files that a person picked or dropped, within the limits; what is left out is said. */
import { errorText, resolvePath } from "holdall";
import { formatBytes } from "../text/format.ts";
import { MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES, SKIPPED_FOLDERS } from "./limits.ts";

/** A file on the person's machine. */
export interface PickedFile {
  /** Relative, with the folder that was picked in front: `src/index.ts`. */
  path: string;
  /** Gives the file; it may be gone by now. */
  file(): File | Promise<File>;
}

/** A file that was left out. */
export interface SkippedFile {
  path: string;
  reason: string;
}

/** Files to open. */
export interface Collected {
  /** The name to show for the whole, such as the folder's. */
  name: string;
  isSample?: boolean;
  /** Bytes by relative path. */
  files: ReadonlyMap<string, Uint8Array>;
  skipped: SkippedFile[];
  bytes: number;
}

/**
 * Reads files until a limit is reached.
 *
 * @param picked The files; any number of them. The one folder that holds all of them becomes the name of the workspace.
 */
export async function collectFiles(picked: Iterable<PickedFile> | AsyncIterable<PickedFile>): Promise<Collected> {
  const reading: Reading = { files: new Map(), skipped: [], bytes: 0 };
  for await (const one of picked) await takeIn(reading, one);
  const { files } = reading;
  const paths = [...files.keys()];
  const folder = commonFolder(paths);
  const name = folder ?? (paths.length === 1 ? paths[0] : undefined) ?? "Your files";
  return { ...reading, name, files: folder === undefined ? files : withoutFolder(files, folder) };
}

interface Reading {
  files: Map<string, Uint8Array>;
  skipped: SkippedFile[];
  bytes: number;
}

async function takeIn(collected: Reading, { path, file }: PickedFile): Promise<void> {
  const skip = (reason: string): void => void collected.skipped.push({ path, reason });
  const folder = path
    .split("/")
    .slice(1, -1)
    .find((part) => SKIPPED_FOLDERS.includes(part));
  if (folder !== undefined) return skip(`in ${folder}`);
  if (collected.files.size >= MAX_FILES) return skip(`more than ${MAX_FILES.toLocaleString("en")} files`);
  try {
    // Names that no file system of the workspace takes, such as overlong ones, are found here.
    const relative = resolvePath(path).slice(1);
    const content = await file();
    if (content.size > MAX_FILE_BYTES) return skip(`larger than ${formatBytes(MAX_FILE_BYTES)}`);
    if (collected.bytes + content.size > MAX_TOTAL_BYTES) return skip(`over ${formatBytes(MAX_TOTAL_BYTES)} in all`);
    const bytes = new Uint8Array(await content.arrayBuffer());
    collected.files.set(relative, bytes);
    collected.bytes += bytes.length;
  } catch (error) {
    skip(`cannot be read (${errorText(error)})`);
  }
}

function commonFolder(paths: readonly string[]): string | undefined {
  const folder = paths[0]?.includes("/") ? paths[0].slice(0, paths[0].indexOf("/")) : undefined;
  return folder !== undefined && paths.every((path) => path.startsWith(`${folder}/`)) ? folder : undefined;
}

function withoutFolder(files: Map<string, Uint8Array>, folder: string): Map<string, Uint8Array> {
  return new Map([...files].map(([path, bytes]) => [path.slice(folder.length + 1), bytes]));
}
