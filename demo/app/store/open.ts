/** Opens workspaces: the sample, or what a person picked or dropped. */
import { joinPath } from "holdall";
import { stop } from "../drive/reply.ts";
import { openSession, type Session } from "../drive/session.ts";
import { count, formatBytes } from "../text/format.ts";
import { type Collected, collectFiles, type PickedFile } from "../workspace/collect-files.ts";
import { MAX_NAMED } from "../workspace/limits.ts";
import { sampleFiles } from "../workspace/sample.ts";
import { firstExpanded } from "../workspace/tree.ts";
import { addFiles, type WorkspaceFiles } from "../workspace/workspace.ts";
import { createStore, type Store, startConversation } from "./store.ts";
import { hasChanges, noteChange, refreshTree } from "./watch.ts";

/** Makes the store of a page that starts with the sample. */
export async function startStore(): Promise<Store> {
  // The session tells the store of changes, and the store begins with the session.
  const slot: { store?: Store } = {};
  const store = createStore(newSession(sampleFiles(), () => slot.store));
  slot.store = store;
  await showFirst(store);
  return store;
}

/** Opens the sample afresh; files of the person's own are not thrown away without asking. */
export async function openSample(store: Store): Promise<void> {
  if (store.workspace.value.isSample) return replaceWorkspace(store, sampleFiles());
  store.offer.value = { ...sampleFiles(), skipped: [], bytes: 0 };
}

/** Reads what was picked. Where work could be lost, the person is asked before it replaces anything. */
export async function openPicked(
  store: Store,
  picked: Iterable<PickedFile> | AsyncIterable<PickedFile>,
): Promise<void> {
  store.notice.value = { tone: "plain", text: "Reading…" };
  const collected = await collectFiles(picked);
  store.notice.value = undefined;
  if (collected.files.size === 0) store.notice.value = describe(collected, "Nothing was opened");
  else if (isUntouchedSample(store)) await replaceWith(store, collected);
  else store.offer.value = collected;
}

/** Carries out what the person chose for the files on offer. */
export async function takeOffer(store: Store, choice: "add" | "replace" | "cancel"): Promise<void> {
  const collected = store.offer.value;
  store.offer.value = undefined;
  if (collected === undefined || choice === "cancel") return;
  if (choice === "replace")
    return collected.isSample ? replaceWorkspace(store, collected) : replaceWith(store, collected);
  await addFiles(store.workspace.value, collected.files);
  store.workspace.value = { ...store.workspace.value, isSample: false };
  store.statuses.value = new Map([...store.statuses.value].filter(([path]) => !isAmong(collected, path)));
  store.notice.value = describe(collected, "Added");
}

async function replaceWith(store: Store, collected: Collected): Promise<void> {
  await replaceWorkspace(store, collected);
  store.notice.value = describe(collected, "Opened");
}

async function replaceWorkspace(store: Store, files: WorkspaceFiles): Promise<void> {
  await stop(store);
  await store.keeper.open(undefined);
  const { shell } = store.workspace.value.backend;
  const session = newSession(files, () => store);
  store.workspace.value = session.workspace;
  store.toolkit.value = session.toolkit;
  store.statuses.value = new Map();
  store.notice.value = undefined;
  // The mode stays. The rules do not: they were made for other files.
  store.conversation.value = startConversation({ ...store.conversation.value.state.permission, rules: [] });
  store.changes.value = new Map();
  store.events.value = [];
  store.problem.value = undefined;
  await shell?.close?.();
  await showFirst(store);
}

/** The current session may no longer be the one that tells: a shell of the last one may still write. */
function newSession(files: WorkspaceFiles, store: () => Store | undefined): Session {
  const session = openSession(files, {
    onChange(change, callId) {
      const current = store();
      if (current?.toolkit.value === session.toolkit) noteChange(current, change, callId);
    },
    onTree() {
      const current = store();
      if (current?.toolkit.value === session.toolkit) void refreshTree(current);
    },
  });
  return session;
}

async function showFirst(store: Store): Promise<void> {
  await refreshTree(store);
  store.expanded.value = firstExpanded(store.entries.value);
  const files = store.entries.value.filter(({ kind }) => kind === "file");
  const readme = files.find(({ path }) => /^\/workspace\/readme(\.\w+)?$/i.test(path));
  await store.keeper.open((readme ?? (files.length <= 20 ? files[0] : undefined))?.path);
}

function isUntouchedSample(store: Store): boolean {
  return store.workspace.value.isSample && !hasChanges(store);
}

function isAmong({ files }: Collected, path: string): boolean {
  return [...files.keys()].some((relative) => joinPath("/workspace", relative) === path);
}

function describe(
  { files, bytes, skipped }: Collected,
  verb: string,
): { tone: "plain" | "bad"; text: string; details: string[] } {
  const opened = files.size === 0 ? `${verb}.` : `${verb} ${count(files.size, "file")} (${formatBytes(bytes)}).`;
  const left = skipped.length === 0 ? "" : ` Left out ${count(skipped.length, "file")}.`;
  const details = skipped.slice(0, MAX_NAMED).map(({ path, reason }) => `${path}: ${reason}`);
  if (skipped.length > MAX_NAMED) details.push(`and ${count(skipped.length - MAX_NAMED, "more file")}`);
  return { tone: files.size === 0 ? "bad" : "plain", text: opened + left, details };
}
