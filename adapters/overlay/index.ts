/** The public surface of `holdall/overlay`: copy-on-write, mounts and read-only views over any backend. */

export { type ChangesOptions, MAX_DIFF_BYTES, type OverlayChange } from "./changes.ts";
export type { CommitOptions, CommitResult } from "./commit.ts";
export type { MountSource, Mounts } from "./mount-table.ts";
export { type MountOptions, mountBackend, mountFileSystem } from "./mounts.ts";
export { type DiscardOptions, type OverlayBackend, type OverlayOptions, overlayBackend } from "./overlay-backend.ts";
export { type ReadOnlyOptions, readOnly, readOnlyFileSystem } from "./read-only.ts";
