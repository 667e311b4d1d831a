/** Hands files over to the person's machine. */
import { baseName, relativePath } from "holdall";
import { ROOT } from "../workspace/limits.ts";
import { listEntries } from "../workspace/workspace.ts";
import { zip } from "../workspace/zip.ts";
import type { Store } from "./store.ts";

/** Saves one file under its own name. */
export async function downloadFile(store: Store, path: string): Promise<void> {
  await store.keeper.flush();
  const { bytes } = await store.workspace.value.fs.read(path);
  save(new Blob([new Uint8Array(bytes)]), baseName(path));
}

/** Saves all files as one ZIP archive. */
export async function downloadAll(store: Store): Promise<void> {
  await store.keeper.flush();
  const workspace = store.workspace.value;
  const files = new Map<string, Uint8Array>();
  for (const { path, kind } of await listEntries(workspace)) {
    if (kind === "file") files.set(relativePath(path, ROOT), (await workspace.fs.read(path)).bytes);
  }
  save(await zip(files, new Date()), `${fileName(workspace.name)}.zip`);
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  // The browser has begun to read by the time that timers run again; a minute is more than enough.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function fileName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9.]+/g, "-")
      .replace(/^-|-$/g, "") || "workspace"
  );
}
