/** Keeps the open file and the workspace in step: saves what the person types, shows what others write. */
import { errorText, HoldallError } from "holdall";
import type { Store } from "../store/store.ts";
import { toContent } from "./document.ts";

/** Milliseconds after the last key until the text is saved. */
const SAVE_DELAY = 400;

/** Looks after the open file. */
export interface Keeper {
  /** Opens a file; undefined closes the editor. */
  open(path: string | undefined): Promise<void>;
  /** Takes what the person typed. */
  edited(text: string): void;
  /** Saves at once what was typed. */
  flush(): Promise<void>;
  /** Told that somebody changed a file. */
  changed(path: string): void;
  /** Ends a conflict: writes the person's text over the other, or drops it. */
  settle(keep: "mine" | "theirs"): Promise<void>;
}

/** Makes the keeper of a store's open file. */
export function createKeeper(store: Store): Keeper {
  let typed: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let queue: Promise<void> = Promise.resolve();
  let isSaving = false;

  /** One thing after the other, so that a save and a reload never cross. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    queue = queue.then(work).catch((error: unknown) => {
      store.notice.value = { tone: "bad", text: errorText(error) };
    });
    return queue;
  };

  const load = async (path: string): Promise<void> => {
    const { fs } = store.workspace.value;
    const stat = await fs.stat(path);
    if (stat?.kind !== "file") {
      store.document.value = { path, content: { kind: "missing" }, loaded: undefined, version: null };
      return;
    }
    const { bytes, version } = await fs.read(path);
    const content = toContent(path, bytes);
    store.document.value = {
      path,
      content,
      loaded: content.kind === "text" ? { path, ...content } : undefined,
      version,
    };
  };

  const save = async (condition: "unchanged" | "always"): Promise<void> => {
    clearTimeout(timer);
    const document = store.document.value;
    const text = typed;
    if (document === undefined || text === undefined || (store.saving.value === "conflict" && condition !== "always"))
      return;
    isSaving = true;
    try {
      const options = condition === "always" ? {} : { ifVersion: document.version };
      const bytes = new TextEncoder().encode(text);
      const { version } = await store.workspace.value.fs.write(document.path, bytes, options);
      store.document.value = { ...document, content: toContent(document.path, bytes), version };
      if (typed === text) typed = undefined;
      store.saving.value = typed === undefined ? "saved" : "editing";
    } catch (error) {
      if (!HoldallError.is(error, "FS_CONFLICT")) throw error;
      store.saving.value = "conflict";
    } finally {
      isSaving = false;
    }
  };

  return {
    open: (path) =>
      inTurn(async () => {
        await save("unchanged");
        if (path !== undefined && store.saving.value === "conflict") {
          store.notice.value = { tone: "bad", text: "Say first which text of the open file to keep." };
          return;
        }
        typed = undefined;
        store.saving.value = "saved";
        if (path === undefined) store.document.value = undefined;
        else await load(path);
      }),
    edited(text) {
      typed = text;
      if (store.saving.value === "saved") store.saving.value = "editing";
      clearTimeout(timer);
      timer = setTimeout(() => void inTurn(() => save("unchanged")), SAVE_DELAY);
    },
    flush: () => inTurn(() => save("unchanged")),
    changed(path) {
      if (isSaving || store.document.value?.path !== path) return;
      if (typed !== undefined) store.saving.value = "conflict";
      else void inTurn(() => load(path));
    },
    settle: (keep) =>
      inTurn(async () => {
        if (keep === "mine") return save("always");
        typed = undefined;
        store.saving.value = "saved";
        const path = store.document.value?.path;
        if (path !== undefined) await load(path);
      }),
  };
}
