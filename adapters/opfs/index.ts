/** The public surface of `holdall/opfs`: files in the browser's private file system, or in a folder that a person picked. */

export { type DirectoryBackendOptions, directoryBackend } from "./directory-backend.ts";
export { type OpfsBackendOptions, opfsBackend } from "./opfs-backend.ts";
export { ensurePermission, type FolderPermission } from "./permission.ts";
export { forgetDirectory, recallDirectory, rememberDirectory } from "./remembered.ts";
export { serveOpfs } from "./serve-opfs.ts";
