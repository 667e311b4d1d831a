/** Fills a file through a sync access handle, which only dedicated workers have. */

/** A file that gives sync access handles. */
export interface SyncCapable {
  createSyncAccessHandle(): Promise<SyncHandle>;
}

/** What is used of such a handle. */
export interface SyncHandle {
  write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

/** Tells whether a file, or the prototype of all files, gives sync access handles here. */
export function isSyncCapable<T extends object>(file: T): file is T & SyncCapable {
  return "createSyncAccessHandle" in file && typeof file.createSyncAccessHandle === "function";
}

/** Replaces all that is in a file. */
export async function fillSync(file: SyncCapable, parts: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<void> {
  const handle = await file.createSyncAccessHandle();
  try {
    handle.truncate(0);
    let at = 0;
    for await (const part of parts) at = writeAll(handle, part, at);
    handle.flush();
  } finally {
    handle.close();
  }
}

/** Writes bytes from a position on; gives the position behind them. */
export function writeAll(handle: SyncHandle, bytes: Uint8Array<ArrayBuffer>, at: number): number {
  for (let done = 0; done < bytes.length; ) {
    const written = handle.write(bytes.subarray(done), { at: at + done });
    // Older Safari writes nothing where others throw.
    if (written === 0) throw new DOMException("Nothing more can be written.", "QuotaExceededError");
    done += written;
  }
  return at + bytes.length;
}
