/** Random trees and changes for tests of overlays and mounts, and what there is in a file system as one value. */
import { type FileSystem, HoldallError } from "holdall";
import type { Random } from "../unit/property.ts";

/** Text by path; directories end with a slash, symlinks with an at sign. */
export type Tree = Record<string, string>;

/** One change. */
export type Operation = (fs: FileSystem) => Promise<unknown>;

const names = ["a", "b", "c", "d"] as const;

/** Encodes text. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Reads the text of a file. */
export async function text(fs: FileSystem, path: string): Promise<string> {
  return new TextDecoder().decode((await fs.read(path)).bytes);
}

/** Gives all there is. */
export async function treeOf(fs: FileSystem, root = "/"): Promise<Tree> {
  const tree: Tree = {};
  for await (const { path, kind } of fs.walk(root)) {
    if (kind === "file") tree[path] = await text(fs, path);
    else if (kind === "symlink") tree[`${path}@`] = (await fs.readLink?.(path)) ?? "";
    else tree[`${path}/`] = "";
  }
  return tree;
}

/** Makes a path of one to three names. */
export function randomPath(random: Random): string {
  return Array.from({ length: 1 + random.below(3) }, () => `/${random.pick(names)}`).join("");
}

/** Makes a change that may fail. */
export function randomOperation(random: Random, step: number): Operation {
  const [one, other] = [randomPath(random), randomPath(random)];
  const kind = random.below(12);
  if (kind < 4) return (fs) => fs.write(one, bytes(`${step}`));
  if (kind < 5) return (fs) => fs.makeDirectory(one);
  if (kind < 7) return (fs) => fs.remove(one, { recursive: true });
  if (kind < 8) return (fs) => fs.remove(one);
  if (kind < 11) return (fs) => fs.rename(one, other);
  const target = random.once(2) ? other : other.slice(1);
  return (fs) => fs.symlink?.(target, one) ?? Promise.resolve();
}

/** Makes changes one after another, whatever becomes of them. */
export async function randomChanges(fs: FileSystem, random: Random, count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) await outcome(randomOperation(random, step), fs);
}

/** Gives the code of the error that a change fails with. */
export async function outcome(operation: Operation, fs: FileSystem): Promise<string> {
  try {
    await operation(fs);
    return "done";
  } catch (error) {
    if (HoldallError.is(error)) return error.code;
    throw error;
  }
}
