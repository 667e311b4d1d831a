/** Applies the steps of a commit to the base, and takes them back when one fails. */

import { type FileStat, type FileSystem, type FsOptions, fsError, HoldallError } from "holdall";
import { lookAt, markOf } from "./base-facts.ts";
import type { Session } from "./session.ts";
import type { FileNode, OverlayNode } from "./tree.ts";

/** One change to the base. */
export interface Step {
  readonly path: string;
  /** Steps that clear the way come first, those that only remove come last. */
  readonly phase: "clear" | "write" | "remove";
  /** What the base has there, which must still be so. */
  readonly before: FileStat | undefined;
  /** What it shall have; undefined for nothing. */
  readonly after: OverlayNode | undefined;
}

/** Files up to this size are written in one piece: 8 MiB. */
const ONE_PIECE = 8 << 20;

/** Takes a step back; gives the facts of a file that it wrote anew. */
type Undo = () => Promise<FileStat | undefined>;

/** How steps can fail. */
export interface FailedSteps {
  error: unknown;
  /** Files that were written anew with what they had before, under other versions. */
  restored: ReadonlyMap<string, FileStat>;
}

/**
 * Applies the steps in order.
 *
 * When one fails, everything that was written is taken back. Removals come last and are not taken back: when one of
 * them fails, what is left to do is still in the overlay, and the next commit does it.
 *
 * @returns Undefined when all went well.
 */
export async function applySteps(
  session: Session,
  steps: readonly Step[],
  options: FsOptions,
): Promise<FailedSteps | undefined> {
  const undos: { path: string; undo: Undo }[] = [];
  const saved: string[] = [];
  try {
    for (const step of steps) {
      if (step.phase !== "remove") options.signal?.throwIfAborted();
      const undo = await applyStep(session, step, saved);
      if (undo !== undefined) undos.push({ path: step.path, undo });
      // From here on there is no way back.
      if (step.phase === "remove") undos.length = 0;
    }
  } catch (error) {
    const restored = new Map<string, FileStat>();
    for (const { path, undo } of undos.reverse()) {
      const stat = await undo().catch(() => undefined);
      if (stat !== undefined) restored.set(path, stat);
    }
    return { error, restored };
  } finally {
    await session.upper.drop(saved);
  }
  return undefined;
}

async function applyStep(session: Session, step: Step, saved: string[]): Promise<Undo | undefined> {
  const { base } = session;
  const { path, phase, before, after } = step;
  if (phase === "remove") {
    await removeSeen(base, path, before);
    return undefined;
  }
  const restore = await keepOld(session, step, saved);
  if (after === undefined) {
    await removeSeen(base, path, before);
    return restore;
  }
  if (after.kind === "directory") {
    await base.makeDirectory(path);
    return () => base.remove(path).then(nothing);
  }
  if (after.kind === "symlink") {
    await base.symlink?.(after.target, path);
    return () => base.remove(path).then(nothing);
  }
  const written = await writeFile(session, path, after, before);
  return async () => {
    // Whoever has changed it meanwhile keeps the change.
    if (markOf(await lookAt(base, path)) !== markOf(written)) return undefined;
    await base.remove(path);
    return restore?.();
  };
}

/** Keeps what a step is about to take away; gives what brings it back. */
async function keepOld({ base, upper }: Session, { path, before }: Step, saved: string[]): Promise<Undo | undefined> {
  if (before?.kind === "directory") return () => base.makeDirectory(path).then(nothing);
  if (before?.kind === "symlink") {
    const target = await base.readLink?.(path);
    return target === undefined ? undefined : async () => base.symlink?.(target, path).then(nothing);
  }
  if (before?.kind !== "file") return undefined;
  const { content } = await upper.keepStream(base.readStream(path), path);
  saved.push(content);
  return () => base.writeStream(path, upper.stream(content), { ifVersion: null });
}

async function writeFile(
  { base, upper }: Session,
  path: string,
  { content, size }: FileNode,
  before: FileStat | undefined,
): Promise<FileStat> {
  const condition = { ifVersion: before?.version ?? null };
  if (size > ONE_PIECE) return base.writeStream(path, upper.stream(content), condition);
  return base.write(path, await upper.read(content, {}), condition);
}

/** Removes what was seen; the port has no condition for that, so it is looked at right before. */
async function removeSeen(base: FileSystem, path: string, before: FileStat | undefined): Promise<void> {
  if (markOf(await lookAt(base, path)) !== markOf(before)) throw fsError("FS_CONFLICT", path);
  try {
    await base.remove(path);
  } catch (error) {
    throw HoldallError.is(error, "FS_NOT_EMPTY") ? fsError("FS_CONFLICT", path, undefined, error) : error;
  }
}

function nothing(): undefined {
  return undefined;
}
