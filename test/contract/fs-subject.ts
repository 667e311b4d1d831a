/** What a case of the file system contract works on, and the steps that many of them take. */

import type { FileSystem, WriteOptions } from "holdall";
import type { CaseDefinition } from "./contract-case.ts";
import { bytesOf, collect, same, textOf } from "./expect.ts";

/** What a file system may be able to do beyond what is required. */
export type FsAbility = "symlinks" | "watch";

/** A fresh file system and its empty directory. */
export interface FsSubject {
  fs: FileSystem;
  root: string;
  can: Readonly<Partial<Record<FsAbility, boolean>>>;
  /** Gives the absolute path of one relative to the directory, as it is written. */
  at(path: string): string;
}

/** A case of the file system contract. */
export type FsCase = CaseDefinition<FsSubject, FsAbility>;

/** Writes text; gives the version. */
export async function put({ fs, at }: FsSubject, path: string, text: string, options?: WriteOptions): Promise<string> {
  return (await fs.write(at(path), bytesOf(text), options)).version;
}

/** Reads text; undefined where there is no file. */
export async function get({ fs, at }: FsSubject, path: string): Promise<string | undefined> {
  const stat = await fs.stat(at(path));
  return stat?.kind === "file" ? textOf((await fs.read(at(path))).bytes) : undefined;
}

/** Gives what there is: files with their text, directories with a slash at their end, links with an at sign. */
export async function tree({ fs, root }: FsSubject): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for await (const { path, kind } of fs.walk(root)) {
    const name = path.slice(root === "/" ? 1 : root.length + 1);
    if (kind === "file") all[name] = textOf((await fs.read(path)).bytes);
    else all[kind === "directory" ? `${name}/` : `${name}@`] = "";
  }
  return all;
}

/** Fails unless there is exactly this. */
export async function sameTree(
  subject: FsSubject,
  expected: Readonly<Record<string, string>>,
  what: string,
): Promise<void> {
  const sorted = (all: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1));
  same(sorted(await tree(subject)), sorted(expected), what);
}

/** Lists the names of a directory, sorted. */
export async function namesIn({ fs, at, root }: FsSubject, path: string): Promise<string[]> {
  const entries = await collect(fs.list(path === "" ? root : at(path)));
  return entries.map(({ name }) => name).sort();
}

/** Makes bytes of all values, the same each time. */
export function manyBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) bytes[index] = (index * 31 + (index >> 8)) & 0xff;
  return bytes;
}
