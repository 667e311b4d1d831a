/** Asks for the permission to use a folder again: it ends with the visit in which the person gave it. */

/** What may be done with a folder. */
export type FolderPermission = "granted" | "denied" | "prompt";

/** What some browsers' handles have beside what the types tell. */
interface Permissible {
  queryPermission(options: { mode: "read" | "readwrite" }): Promise<FolderPermission>;
  requestPermission(options: { mode: "read" | "readwrite" }): Promise<FolderPermission>;
}

/**
 * Makes sure that a folder may be used in this visit; where it is not clear yet, the browser asks the person. Call it when
 * the person clicks: browsers do not ask otherwise, and then the answer is `prompt`.
 *
 * @param handle The folder, as `showDirectoryPicker` gave it or `recallDirectory` found it.
 * @param mode Whether files shall be changed, too. Defaults to `readwrite`.
 * @returns `granted` when the folder may be used.
 * @example
 * const handle = await recallDirectory("project");
 * if (handle !== undefined && (await ensurePermission(handle)) === "granted") open(directoryBackend(handle));
 */
export async function ensurePermission(
  handle: FileSystemDirectoryHandle,
  mode: "read" | "readwrite" = "readwrite",
): Promise<FolderPermission> {
  // Browsers without permissions have private folders only, which may always be used.
  if (!isPermissible(handle)) return "granted";
  const now = await handle.queryPermission({ mode });
  if (now !== "prompt") return now;
  try {
    return await handle.requestPermission({ mode });
  } catch (error) {
    // Without a click there is no question.
    if (error instanceof DOMException && ["SecurityError", "NotAllowedError"].includes(error.name)) return "prompt";
    throw error;
  }
}

function isPermissible<T extends object>(handle: T): handle is T & Permissible {
  return "queryPermission" in handle && "requestPermission" in handle;
}
