/** Follows what happens in the workspace: which files there are, which have changed, and who changed them. */
import type { FileChange } from "../workspace/recorded-files.ts";
import { listEntries, statusOf } from "../workspace/workspace.ts";
import type { Store } from "./store.ts";

/** The most files whose change one call is shown with. */
export const MAX_CHANGES = 50;

/** Takes down one change. */
export function noteChange(store: Store, change: FileChange, callId: string | undefined): void {
  const { path, after } = change;
  const status = statusOf(store.workspace.value.original.get(path), after);
  store.statuses.value = new Map(store.statuses.value).set(path, status);
  store.keeper.changed(path);
  if (callId !== undefined) noteCallChange(store, change, callId);
}

/** A file that a call changes again keeps what it was before the call. */
function noteCallChange(store: Store, change: FileChange, callId: string): void {
  const known = store.changes.value.get(callId) ?? [];
  const earlier = known.find(({ path }) => path === change.path);
  if (earlier === undefined && known.length >= MAX_CHANGES) return;
  const changes =
    earlier === undefined
      ? [...known, change]
      : known.map((one) => (one === earlier ? { ...one, after: change.after } : one));
  store.changes.value = new Map(store.changes.value).set(callId, changes);
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
