/** Appends to files of a file system that can only write whole ones. */

import { HoldallError } from "holdall";
import type { BridgeCore } from "./bridge-core.ts";
import type { Layout } from "./layout.ts";
import { nodeError } from "./node-error.ts";
import type { RedirectGuard } from "./redirect-guard.ts";
import type { Content, ShellFiles } from "./shell-files.ts";

/** Adds bytes at the end of a file, or to a device. */
export type Append = (path: string, bytes: Uint8Array) => Promise<void>;

/** How often an append starts again when somebody else writes the same file meanwhile. */
const ATTEMPTS = 10;

/**
 * Makes the appender of one command line.
 *
 * Each append is one compare-and-swap, so two that append at once both keep their bytes. The last file is remembered,
 * so a loop that appends to one file reads it once.
 */
export function createAppender(core: BridgeCore, files: ShellFiles, layout: Layout, guard: RedirectGuard): Append {
  let last: (Content & { path: string }) | undefined;

  const exists = async (path: string): Promise<boolean> => {
    const look = await core.find(path, true);
    if (look?.kind === "directory") throw nodeError("EISDIR", "open", path);
    return look !== undefined;
  };
  const current = async (path: string): Promise<Content | undefined> => {
    if (last?.path === path) return last;
    return (await exists(path)) ? files.read(path) : undefined;
  };

  return async (path, raw) => {
    const bytes = guard.clean(raw);
    const device = layout.device(path);
    if (device !== undefined) return device.write(bytes);
    await core.needPlace(path, "open");
    // A redirection opens its file with an empty append.
    if (bytes.length === 0 && (await exists(path))) return;
    for (let attempt = 1; ; attempt += 1) {
      const content = await current(path);
      const whole = joined(content?.bytes, bytes);
      try {
        const { version } = await files.write(path, whole, content?.version ?? null);
        last = { path, bytes: whole, version };
        return;
      } catch (error) {
        last = undefined;
        if (attempt === ATTEMPTS || !HoldallError.is(error, "FS_CONFLICT")) throw error;
      }
    }
  };
}

function joined(head: Uint8Array | undefined, tail: Uint8Array): Uint8Array {
  if (head === undefined) return tail;
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}
