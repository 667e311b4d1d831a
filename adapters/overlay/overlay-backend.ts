/** A backend that lies over another one and keeps all changes to itself until they are committed. */

import {
  type Backend,
  createBackend,
  createFileSystem,
  createWatchers,
  type FileSystem,
  type FsOptions,
  HoldallError,
  resolvePath,
  type Shell,
  type ShellFactory,
} from "holdall";
import { memoryFileSystem } from "holdall/memory";
import { signalOf } from "./base-facts.ts";
import { type ChangesOptions, listChanges, type OverlayChange } from "./changes.ts";
import { type CommitOptions, type CommitResult, commit } from "./commit.ts";
import { discard } from "./discard.ts";
import type { EditGround } from "./edits.ts";
import { overlayParts } from "./parts.ts";
import { openSession } from "./session.ts";
import { openUpper } from "./upper.ts";

/** How an overlay is made. */
export interface OverlayOptions {
  /**
   * Where changes are kept. The same file system and folder over the same base bring the overlay back, in another page
   * or process too. Defaults to memory.
   */
  upper?: FileSystem;
  /** The folder of `upper` that belongs to this overlay alone. Defaults to `/`. */
  folder?: string;
  /**
   * The shell, or what makes one over the files of the overlay. The shell of the base is never used: its commands
   * would change the base.
   */
  shell?: Shell | ShellFactory;
  /** Shown to people and in errors. Defaults to `overlay of` the base's name. */
  name?: string;
  /** Gives the time of changes. Defaults to the host's clock. */
  clock?: () => number;
}

/** A backend whose changes are its own until they are committed. */
export interface OverlayBackend extends Backend {
  /**
   * Lists by path what is different from the base, with diffs of texts. What was moved is listed as renamed, what is in
   * it one by one. Writes wait meanwhile.
   */
  changes(options?: ChangesOptions): Promise<OverlayChange[]>;
  /**
   * Brings changes into the base and takes them out of the overlay; checkpoints are forgotten.
   *
   * Everything is checked first: where the base has changed since the overlay saw it, nothing is committed, and the
   * error lists the paths in `data.conflicts`. Every file is written under the condition that it is still the one that
   * was checked; when a step fails, those before it are taken back. Removals come last. Whatever a crash leaves behind,
   * the overlay still shows all changes, and the next commit completes them.
   *
   * @throws HoldallError `FS_CONFLICT`, `FS_UNSUPPORTED` for a symlink where the base has none, and whatever the base
   * fails with.
   */
  commit(options?: CommitOptions): Promise<CommitResult>;
  /** Gives up changes, all or those at some paths and below. Of something renamed, name the old path as well. */
  discard(options?: DiscardOptions): Promise<void>;
  /** Remembers what there is now; gives an id for {@link OverlayBackend.rewind}. The latest 100 are kept. */
  checkpoint(): Promise<string>;
  /**
   * Brings back what there was at a checkpoint, which stays; later ones are forgotten. What the base itself has changed
   * since is not undone.
   *
   * @throws HoldallError `OVERLAY_CHECKPOINT_UNKNOWN` for one that was forgotten or never was.
   */
  rewind(id: string): Promise<void>;
  /** Lists the ids of the checkpoints, oldest first. */
  checkpoints(): Promise<string[]>;
}

/** What to give up. */
export interface DiscardOptions extends FsOptions {
  /** Absolute paths as `changes` lists them; what is there or below is given up. Defaults to everything. */
  paths?: readonly string[];
}

/**
 * Makes a backend that shows the files of another one and keeps every change to itself.
 *
 * `watch` tells of the overlay's own changes; also of those of the base that can be seen, and of those of other overlays
 * over the same layer, where the base and the layer can watch. A stream goes to the layer piece by piece.
 *
 * @param base The backend that lies below. It stays open when the overlay is closed.
 * @param options How the overlay is made.
 * @example
 * const overlay = overlayBackend(nodeBackend({ root: "/srv/repo" }));
 * const toolkit = new Toolkit({ tools: codingTools({ backend: overlay }) });
 * // … after the agent's turn:
 * for (const { kind, path, diff } of await overlay.changes()) console.log(kind, path, diff);
 * await overlay.commit();
 */
export function overlayBackend(base: Backend, options: OverlayOptions = {}): OverlayBackend {
  const { upper, folder = "/", name = `overlay of ${base.name}`, clock = Date.now } = options;
  const root = resolvePath(folder);
  const session = openSession(
    base.fs,
    () => openUpper(upper ?? memoryFileSystem({ clock }), root, clock),
    createWatchers(),
    clock,
  );
  const fs = createFileSystem(overlayParts(session));
  const edit = <T>(request: FsOptions, run: (ground: EditGround) => Promise<T>): Promise<T> =>
    session.change(request.signal, (state, draft) => run({ session, state, draft, options: signalOf(request) }));
  const { cwd, home, os } = base;
  return {
    ...createBackend({ name, os, fs, cwd, home, shell: options.shell, close: session.close }),
    changes: (request: ChangesOptions = {}) =>
      session.change(request.signal, (state) => listChanges(session, state, request)),
    commit: async (request: CommitOptions = {}) => {
      const outcome = await edit(request, (edited) => commit(edited, request));
      if ("error" in outcome) throw outcome.error;
      return outcome.result;
    },
    discard: (request: DiscardOptions = {}) => edit(request, (edited) => discard(edited, request.paths)),
    checkpoint: () =>
      edit({}, async ({ state, draft }) => {
        const id = `${state.name}.${draft.change.toString(36)}`;
        draft.also = { checkpoint: id };
        return id;
      }),
    rewind: (id: string) =>
      edit({}, async ({ state, draft }) => {
        if (!state.checkpoints.has(id)) throw unknownCheckpoint(id, [...state.checkpoints.keys()]);
        draft.also = { rewind: id };
      }),
    checkpoints: async () => [...(await session.state()).checkpoints.keys()],
  };
}

function unknownCheckpoint(id: string, known: readonly string[]): HoldallError {
  return new HoldallError(
    "OVERLAY_CHECKPOINT_UNKNOWN",
    `there is no checkpoint ${JSON.stringify(id)}: a rewind forgets later ones, a commit all. Use one that checkpoints() lists.`,
    { data: { id, known } },
  );
}
