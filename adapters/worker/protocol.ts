/** The calls of the protocol: what each of them takes and gives, whatever carries it. */

import type {
  Backend,
  DirEntry,
  FileStat,
  FsChange,
  GlobQuery,
  GlobResult,
  GrepQuery,
  GrepResult,
  ReadResult,
  ShellExit,
  ShellOutput,
  WalkEntry,
} from "holdall";

/** The version of the protocol; both sides must speak the same. */
export const PROTOCOL = 1;

/** What a client must know about a backend before its first call. */
export interface BackendFacts {
  protocol: number;
  name: string;
  os: Backend["os"];
  cwd: string;
  home?: string | undefined;
  readOnly: boolean;
  /** Whether it has a shell, and which of the optional methods. */
  shell: boolean;
  symlink: boolean;
  readLink: boolean;
  watch: boolean;
}

/** Which path to look at, and how. */
export interface StatArguments {
  path: string;
  followSymlinks?: boolean | undefined;
}

/** What came of one of many stats. */
export interface StatOutcome {
  stat?: FileStat | undefined;
  error?: WireError | undefined;
}

/** An error on its way; `ABORTED` stands for the reason of the caller's own signal. */
export interface WireError {
  code: string;
  message: string;
  data?: Readonly<Record<string, unknown>> | undefined;
  retryable?: boolean | undefined;
}

/** Which part of a file. */
export interface ReadArguments {
  path: string;
  offset?: number | undefined;
  length?: number | undefined;
}

/** Which file, on what condition. */
export interface WriteArguments {
  path: string;
  ifVersion?: string | null | undefined;
}

/** A command line and how to run it. */
export interface RunArguments {
  command: string;
  session: string;
  cwd?: string | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  stdin?: string | undefined;
  timeoutMs?: number | undefined;
  maxOutputBytes?: number | undefined;
}

/** Calls with one answer. */
export interface Asks {
  hello: { takes: { protocol: number }; gives: BackendFacts };
  stat: { takes: StatArguments; gives: FileStat | undefined };
  statMany: { takes: { stats: readonly StatArguments[] }; gives: StatOutcome[] };
  read: { takes: ReadArguments; gives: ReadResult };
  write: { takes: WriteArguments & { bytes: Uint8Array }; gives: FileStat };
  makeDirectory: { takes: { path: string }; gives: undefined };
  remove: { takes: { path: string; recursive?: boolean | undefined }; gives: undefined };
  rename: { takes: { from: string; to: string }; gives: undefined };
  symlink: { takes: { target: string; path: string }; gives: undefined };
  readLink: { takes: { path: string }; gives: string };
  realpath: { takes: { path: string }; gives: string };
  glob: { takes: Omit<GlobQuery, "signal">; gives: GlobResult };
  grep: { takes: Omit<GrepQuery, "signal">; gives: GrepResult };
}

/** Calls whose answer comes in pieces, with a value behind the last one. */
export interface Streams {
  list: { takes: { path: string }; items: DirEntry; ends: undefined };
  walk: { takes: { path: string; skip?: readonly string[] | undefined }; items: WalkEntry; ends: undefined };
  watch: { takes: { path: string }; items: FsChange; ends: undefined };
  readStream: { takes: ReadArguments; items: Uint8Array; ends: undefined };
  run: { takes: RunArguments; items: ShellOutput; ends: ShellExit };
}

/** The name of a call with one answer. */
export type AskMethod = keyof Asks;

/** The name of a call whose answer comes in pieces. */
export type StreamMethod = keyof Streams;

/** A call with one answer. */
export type AskCall<M extends AskMethod = AskMethod> = { [K in M]: { method: K; args: Asks[K]["takes"] } }[M];

/** A call whose answer comes in pieces. */
export type StreamCall<M extends StreamMethod = StreamMethod> = {
  [K in M]: { method: K; args: Streams[K]["takes"] };
}[M];

/** A call whose bytes come in pieces. */
export interface UploadCall {
  method: "writeStream";
  args: WriteArguments;
}

/** Any call. */
export type Call = AskCall | StreamCall | UploadCall;

/** Some pieces of an answer, and how it ended if these are the last. */
export interface Batch<TItem, TEnd> {
  items: readonly TItem[];
  end?: { value: TEnd };
  /** The number of this batch, from 1, in an answer that can be taken up again behind it. */
  position?: number;
}

/** The calls that change something: their caller must learn what came of them, and a read-only server refuses them. */
const changing: ReadonlySet<string> = new Set([
  "write",
  "writeStream",
  "makeDirectory",
  "remove",
  "rename",
  "symlink",
  "run",
]);

/** Tells whether a call may change something. */
export function isChange(method: Call["method"]): boolean {
  return changing.has(method);
}
