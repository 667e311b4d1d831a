/** Moves handles where the browser can, which its types do not tell yet. */

/** A handle that can be moved. */
export interface Movable {
  /** Moves it into a directory under a name; a file there is replaced. WebKit wants both arguments. */
  move(directory: FileSystemDirectoryHandle, name: string): Promise<void>;
}

/** Tells whether a handle can be moved. */
export function isMovable<T extends FileSystemHandle>(handle: T): handle is T & Movable {
  return "move" in handle && typeof handle.move === "function";
}
