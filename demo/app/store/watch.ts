/** Follows what happens in the workspace: which files there are, which have changed, and who changed them. */
import type { FileChange } from "../workspace/recorded-files.ts";
import { listEntries, statusOf, type Workspace } from "../workspace/workspace.ts";
import type { Store } from "./store.ts";

/** The most files whose change one call is shown with. */
export const MAX_CHANGES = 50;

/** Milliseconds for which changes are collected: a command may make thousands of them. */
const INTERVAL = 30;

interface Noted {
  workspace: Workspace;
  change: FileChange;
  /** The call that made the change; undefined for the person. */
  callId: string | undefined;
}

/** Tells whether a file differs from the one that was opened. */
export function hasChanges({ statuses }: Store): boolean {
  return [...statuses.value.values()].some((status) => status !== "same");
}

const waiting = new WeakMap<Store, Noted[]>();

/** Takes down one change. */
export function noteChange(store: Store, change: FileChange, callId: string | undefined): void {
  store.keeper.changed(change.path);
  const noted = { workspace: store.workspace.value, change, callId };
  const others = waiting.get(store);
  if (others !== undefined) others.push(noted);
  else {
    waiting.set(store, [noted]);
    setTimeout(() => showChanges(store), INTERVAL);
  }
}

function showChanges(store: Store): void {
  const workspace = store.workspace.value;
  const noted = (waiting.get(store) ?? []).filter((one) => one.workspace === workspace);
  waiting.delete(store);
  const statuses = new Map(store.statuses.value);
  const changes = new Map(store.changes.value);
  for (const { change, callId } of noted) {
    statuses.set(change.path, statusOf(workspace.original.get(change.path), change.after));
    if (callId !== undefined) changes.set(callId, addChange(changes.get(callId) ?? [], change));
  }
  store.statuses.value = statuses;
  store.changes.value = changes;
}

/** A file that a call changes again keeps what it was before the call. */
function addChange(known: readonly FileChange[], change: FileChange): readonly FileChange[] {
  const earlier = known.find(({ path }) => path === change.path);
  if (earlier !== undefined) return known.map((one) => (one === earlier ? { ...one, after: change.after } : one));
  return known.length < MAX_CHANGES ? [...known, change] : known;
}

const listing = new WeakMap<Store, { again: boolean; done: Promise<void> }>();

/** Lists the files anew. Calls that come while that is going on lead to one more listing, not to one each. */
export function refreshTree(store: Store): Promise<void> {
  const current = listing.get(store);
  if (current !== undefined) {
    current.again = true;
    return current.done;
  }
  const job = { again: false, done: Promise.resolve() };
  listing.set(store, job);
  job.done = list(store, job).finally(() => listing.delete(store));
  return job.done;
}

async function list(store: Store, job: { again: boolean }): Promise<void> {
  do {
    job.again = false;
    const workspace = store.workspace.value;
    const entries = await listEntries(workspace);
    if (store.workspace.value === workspace) store.entries.value = entries;
    else job.again = true;
    // A command that writes many files gets its turn before the next listing.
    if (job.again) await new Promise((resolve) => setTimeout(resolve, 100));
  } while (job.again);
}
