/** One overlay at work: its base, its upper layer, and changes made one after another, each whole or not at all. */

import { type FileSystem, type FsChange, HoldallError, type Watchers } from "holdall";
import type { ChangeRecord } from "./codec.ts";
import type { ChangeSource } from "./merge-changes.ts";
import { told, turnsOfPuts, turnsOfTrees } from "./told.ts";
import type { OverlayNode, Put } from "./tree.ts";
import type { OverlayState, Upper } from "./upper.ts";

/** A change that is being prepared; nothing of it can be seen before it is saved. */
export interface Draft {
  /** The number of the change. */
  readonly change: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly puts: Put[];
  /** Contents that were kept for it; they are let go of when it comes to nothing. */
  readonly made: string[];
  /** Contents that nobody needs once it is made. */
  readonly replaced: OverlayNode[];
  /** What else it does; see {@link ChangeRecord}. */
  also?: Pick<ChangeRecord, "checkpoint" | "rewind" | "forget">;
}

/** An overlay at work. */
export interface Session {
  readonly base: FileSystem;
  readonly upper: Upper;
  /** Watches what changes of the overlay's own do below a directory of it. */
  watch(directory: string, signal: AbortSignal): AsyncIterable<FsChange>;
  /** Reads the state again whenever another overlay over the same layer changes it; {@link Session.watch} tells of it. */
  readonly followLayer: ChangeSource;
  /** Gives what is there now. */
  state(): Promise<OverlayState>;
  /** Reads the state again, after the changes that are being made: another overlay over the same layer has changed it. */
  reload(): Promise<OverlayState>;
  /**
   * Prepares a change and makes it, after those that came before. It is prepared anew when another overlay over the
   * same layer was faster.
   */
  change<T>(signal: AbortSignal | undefined, prepare: (state: OverlayState, draft: Draft) => Promise<T>): Promise<T>;
  /** Lets go of what was kept for a change that has failed. */
  letGo(contents: readonly string[], error: unknown): Promise<void>;
  close(): void;
}

/** How often a change is prepared anew before it fails with `FS_CONFLICT`. */
const ATTEMPTS = 20;

/** Opens an overlay; its layer is read when it is first needed. */
export function openSession(
  base: FileSystem,
  openLayer: () => Upper,
  watchers: Watchers,
  clock: () => number,
): Session {
  let layer: Upper | undefined;
  let loading: Promise<OverlayState> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let telling: Promise<unknown> = Promise.resolve();
  let watches = 0;
  let isClosed = false;

  const upper = (): Upper => {
    layer ??= openLayer();
    return layer;
  };
  const state = (): Promise<OverlayState> => {
    if (isClosed) return Promise.reject(closed());
    loading ??= upper()
      .load()
      .then(async (loaded) => {
        await upper().sweep(loaded);
        return loaded;
      })
      .catch((error: unknown) => {
        // The next call tries again.
        loading = undefined;
        throw error;
      });
    return loading;
  };
  const tell = (turns: Parameters<typeof told>[1]): void => {
    if (turns.length > 0) telling = telling.then(async () => watchers.tell(await told(base, turns)));
  };
  const reload = async (): Promise<OverlayState> => {
    const before = loading;
    loading = undefined;
    const now = await state();
    const old = watches === 0 ? undefined : await before?.catch(() => undefined);
    if (old !== undefined) tell(turnsOfTrees(old.root, now.root));
    return now;
  };
  /** Gives what a change does; without watchers, nobody needs to know. */
  const turnsOf = (now: OverlayState, { puts, also }: Draft): ReturnType<typeof turnsOfPuts> => {
    if (watches === 0) return [];
    const old = also?.rewind === undefined ? undefined : now.checkpoints.get(also.rewind);
    return old === undefined ? turnsOfPuts(now, puts) : turnsOfTrees(now.root, old);
  };

  /** Runs something after what was begun before: what is prepared must meet the state that it is saved over. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const running = turn.then(run);
    turn = running.catch(() => {});
    return running;
  };
  const attempt = async <T>(prepare: (state: OverlayState, draft: Draft) => Promise<T>): Promise<T> => {
    const now = await state();
    const draft: Draft = { change: now.change + 1, time: clock(), puts: [], made: [], replaced: [] };
    try {
      const result = await prepare(now, draft);
      const turns = turnsOf(now, draft);
      await save(upper(), now, draft);
      for (const content of draft.made) upper().release(content);
      tell(turns);
      return result;
    } catch (error) {
      await letGo(draft.made, error);
      throw error;
    }
  };
  const letGo = async (contents: readonly string[], error: unknown): Promise<void> => {
    // A save whose answer was lost may have been made: what it names stays, and is swept later if nobody needs it.
    const isSafe =
      error instanceof Overtaken ||
      !(await upper()
        .isOvertaken()
        .catch(() => true));
    if (isSafe) await upper().drop(contents);
    else for (const content of contents) upper().release(content);
  };

  return {
    base,
    get upper() {
      return upper();
    },
    async *watch(directory, signal) {
      watches += 1;
      try {
        yield* watchers.watch(directory, signal);
      } finally {
        watches -= 1;
      }
    },
    async *followLayer(signal) {
      for await (const _head of upper().follow(signal))
        await inTurn(async () => {
          if (!isClosed && (await upper().isOvertaken())) await reload();
        });
    },
    state,
    reload: () => inTurn(reload),
    letGo,
    change(signal, prepare) {
      return inTurn(async () => {
        for (let count = 1; ; count += 1) {
          signal?.throwIfAborted();
          try {
            return await attempt(prepare);
          } catch (error) {
            if (!(error instanceof Overtaken)) throw error;
            if (count >= ATTEMPTS) throw error.cause;
            await reload();
          }
        }
      });
    },
    close() {
      isClosed = true;
      loading = undefined;
      watchers.close();
    },
  };
}

/** Another overlay has saved a change to the same layer. */
class Overtaken extends Error {}

async function save(upper: Upper, state: OverlayState, draft: Draft): Promise<void> {
  if (draft.puts.length === 0 && draft.also === undefined) {
    await upper.drop(draft.made);
    return;
  }
  try {
    await upper.save(state, { time: draft.time, change: draft.change, puts: draft.puts, ...draft.also });
  } catch (error) {
    throw HoldallError.is(error, "FS_CONFLICT") ? new Overtaken("overtaken", { cause: error }) : error;
  }
  if (draft.also?.rewind !== undefined || draft.also?.forget === true) await upper.sweep(state).catch(() => {});
  // Until then a checkpoint may need what was replaced.
  else if (state.checkpoints.size === 0) await upper.drop(draft.replaced.flatMap((node) => [...contentsIn(node)]));
}

function* contentsIn(node: OverlayNode): Generator<string, void, undefined> {
  if (node.kind === "file") yield node.content;
  if (node.kind !== "directory") return;
  for (const { node: child } of node.entries.values()) if (child !== undefined) yield* contentsIn(child);
}

function closed(): HoldallError {
  return new HoldallError(
    "FS_CLOSED",
    "the overlay has been closed. Open it again over the same base and upper layer.",
  );
}
