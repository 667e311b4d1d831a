/** Holds the connection to a database, and opens it again when the browser or another tab has ended it. */

import { fsError, HoldallError, type Timers } from "holdall";
import { createStore } from "idb-keyval";
import { fromIdb, fromOpening, isLost, unavailable } from "./idb-error.ts";

/** What to connect to, and how. */
export interface ConnectionOptions {
  /** The name of the database. */
  name: string;
  /** Whether a commit waits until the disk has it. */
  durability: "relaxed" | "strict";
  /** Milliseconds that a call waits for the database to open. */
  openTimeoutMs: number;
  timers: Timers;
}

/** A database that is opened when it is first needed. */
export interface Connection {
  readonly name: string;
  /**
   * Runs work in one transaction; what it changed is committed when the promise resolves, and undone when it rejects.
   * The work runs again when the connection turns out to be gone, so it must change nothing but the store.
   *
   * @param mode Whether anything is changed.
   * @param path What it is about, for errors.
   * @param work May wait for the requests of the store and for nothing else.
   */
  run<T>(mode: "readonly" | "readwrite", path: string, work: (store: IDBObjectStore) => Promise<T>): Promise<T>;
  /** Ends the connection; calls afterwards fail with `FS_CLOSED`. */
  close(): void;
}

/** The name of the object store. */
const STORE = "files";

/** One opening of the database. */
interface Opening {
  readonly waiting: Promise<IDBDatabase>;
  /** Once it is open, so that nobody waits longer than needed. */
  database?: IDBDatabase;
}

/** Prepares a connection; nothing is opened yet. */
export function connect(options: ConnectionOptions): Connection {
  const { name, durability } = options;
  let current: Opening | undefined;
  let isClosed = false;

  const leave = (opening: Opening | undefined): void => {
    if (current === opening) current = undefined;
  };
  const open = (): Opening => {
    const opening: Opening = { waiting: openDatabase(name, () => leave(opening)) };
    opening.waiting.then(
      (database) => {
        opening.database = database;
        if (isClosed) database.close();
      },
      () => leave(opening),
    );
    return opening;
  };

  return {
    name,
    async run(mode, path, work) {
      for (let attempt = 1; ; attempt += 1) {
        if (isClosed) throw fsError("FS_CLOSED", path);
        current ??= open();
        const opening = current;
        try {
          const database = opening.database ?? (await withinTime(opening.waiting, path, options));
          return await inTransaction(database.transaction(STORE, mode, { durability }), work);
        } catch (error) {
          if (isClosed) throw fsError("FS_CLOSED", path, undefined, error);
          if (attempt > 1 || !isLost(error)) throw fromIdb(error, path, name);
          leave(opening);
        }
      }
    },
    close() {
      isClosed = true;
      current?.database?.close();
    },
  };
}

async function openDatabase(name: string, ended: () => void): Promise<IDBDatabase> {
  if (typeof indexedDB === "undefined") throw unavailable("/");
  let database: IDBDatabase;
  try {
    database = await createStore(name, STORE)("readonly", (store) => store.transaction.db);
  } catch (error) {
    throw fromOpening(error);
  }
  database.addEventListener("close", ended);
  // Another tab deletes or upgrades the database, and would wait for as long as this connection is open.
  database.addEventListener("versionchange", () => {
    database.close();
    ended();
  });
  return database;
}

async function inTransaction<T>(transaction: IDBTransaction, work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const cause = firstCause(transaction);
  const ended = untilEnd(transaction, cause);
  ended.catch(() => {});
  let result: T;
  try {
    result = await work(transaction.objectStore(STORE));
  } catch (error) {
    abort(transaction);
    // A full disk ends the transaction, and then every request fails with a plain abort.
    throw cause() ?? error;
  }
  if (transaction.mode === "readonly") return result;
  commit(transaction);
  await ended;
  return result;
}

function untilEnd(transaction: IDBTransaction, cause: () => DOMException | null): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(cause() ?? new DOMException("The transaction was aborted.", "AbortError"));
  });
}

/** Tells what a transaction fails with: one request has the reason, and those behind it may have but a plain abort. */
function firstCause(transaction: IDBTransaction): () => DOMException | null {
  let first: DOMException | null = null;
  transaction.onerror = ({ target }) => {
    const error = target instanceof IDBRequest ? target.error : null;
    if (error?.name !== "AbortError") first ??= error;
  };
  return () => first ?? transaction.error;
}

/** Saves a turn of the event loop, in which the browser would find out that no request follows. */
function commit(transaction: IDBTransaction): void {
  try {
    transaction.commit();
  } catch {
    // It has been aborted already, which is told by its end.
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended already.
  }
}

/** Waits for a database that other tabs may keep from opening. */
function withinTime(
  opening: Promise<IDBDatabase>,
  path: string,
  { name, openTimeoutMs, timers }: ConnectionOptions,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const late = (): void =>
      reject(
        new HoldallError(
          "FS_IO",
          `the database ${JSON.stringify(name)} did not open within ${openTimeoutMs} ms; another tab may be holding it. ` +
            "Close other tabs of this site, then try again.",
          { data: { path, database: name }, retryable: true },
        ),
      );
    const timer = timers.set(late, openTimeoutMs);
    void opening.then(resolve, reject).then(() => timers.clear(timer));
  });
}
