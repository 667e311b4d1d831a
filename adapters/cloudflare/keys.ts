/** What came of changes that a client may send again, kept in the object: also after a restart each is made once. */

import type { KeptOutcome, KeyStore } from "holdall/worker";
import { type Database, first, openDatabase, run } from "./database.ts";
import type { DurableStorage } from "./types.ts";

/** Milliseconds for which an outcome is kept. */
export const KEY_AGE = 600_000;

/** The most outcomes that are kept. */
const MAX_KEYS = 1000;

/** Stands for what was let go of before its time; a client's key is never empty. */
const FORGOTTEN = "";

/**
 * Makes the store. A change and its outcome are written in one turn of the event loop, which the object's storage commits as
 * one; nobody is answered before.
 *
 * @param storage The storage of the object; its alarm is set so that `sweepWorkspace` lets go of what is old.
 */
export function durableKeys(storage: DurableStorage, clock: () => number): KeyStore {
  const database = openDatabase(storage, { maxBytes: 0, maxEntries: 0 }, clock);
  let alarmAt = Number.NEGATIVE_INFINITY;
  return {
    instance: database.name,
    find: (key) => {
      // Who asks again may ask once more: the age counts from the last time.
      const query = "UPDATE holdall_keys SET at = ? WHERE key = ? AND key <> '' RETURNING call, outcome";
      const row = first(storage, query, clock(), key);
      return row && { call: String(row.call), outcome: JSON.parse(String(row.outcome)) as KeptOutcome };
    },
    save: (key, { call, outcome }) => {
      const now = clock();
      storage.transactionSync(() => {
        put(database, key, call, JSON.stringify(outcome), now);
        makeRoom(database, now);
      });
      if (alarmAt > now) return;
      alarmAt = now + KEY_AGE;
      // What is not swept then makes room for what comes.
      wakeAt(storage, alarmAt).catch(() => {});
    },
    hasForgotten: () => {
      const row = first(storage, "SELECT at FROM holdall_keys WHERE key = ?", FORGOTTEN);
      return row !== undefined && clock() - Number(row.at) <= KEY_AGE;
    },
  };
}

/**
 * Lets go of outcomes that nobody asks for any more.
 *
 * @returns When to look again, while there are some; else undefined.
 */
export function sweepKeys({ storage }: Database, now: number): number | undefined {
  run(storage, "DELETE FROM holdall_keys WHERE at < ?", now - KEY_AGE);
  const left = first(storage, "SELECT MIN(at) AS oldest FROM holdall_keys")?.oldest;
  return typeof left === "number" ? left + KEY_AGE + 1 : undefined;
}

function put({ storage }: Database, key: string, call: string, outcome: string, at: number): void {
  run(
    storage,
    "INSERT OR REPLACE INTO holdall_keys (key, call, outcome, at) VALUES (?, ?, ?, ?)",
    key,
    call,
    outcome,
    at,
  );
}

function makeRoom(database: Database, now: number): void {
  const { storage } = database;
  sweepKeys(database, now);
  const surplus = Number(first(storage, "SELECT COUNT(*) AS count FROM holdall_keys")?.count) - MAX_KEYS;
  if (surplus <= 0) return;
  run(
    storage,
    "DELETE FROM holdall_keys WHERE key IN (SELECT key FROM holdall_keys WHERE key <> '' ORDER BY at LIMIT ?)",
    surplus,
  );
  put(database, FORGOTTEN, "", "", now);
}

async function wakeAt(storage: DurableStorage, time: number): Promise<void> {
  if ((await storage.getAlarm()) === null) await storage.setAlarm(time);
}
