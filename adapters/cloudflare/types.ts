/** What is used of a Durable Object, described by its shape, so that no types of the host are needed. */

/** A value of a column. */
export type SqlValue = string | number | ArrayBuffer | null;

/** A row. */
export type SqlRow = Record<string, SqlValue>;

/** The SQLite database of a Durable Object. */
export interface SqlStorage {
  exec(query: string, ...bindings: (SqlValue | ArrayBufferView)[]): Iterable<SqlRow>;
}

/** The storage of a Durable Object that has SQLite. */
export interface DurableStorage {
  readonly sql: SqlStorage;
  /** Runs a function in a transaction that is rolled back when it throws. */
  transactionSync<T>(run: () => T): T;
  getAlarm(): Promise<number | null>;
  setAlarm(time: number): Promise<void>;
}

/** The state that a Durable Object is constructed with. */
export interface DurableState {
  readonly storage: DurableStorage;
}
