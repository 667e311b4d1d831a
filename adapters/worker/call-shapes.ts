/** The shapes of calls, checked where they arrive: at the server. */

import type { GlobQuery, GrepQuery } from "holdall";
import * as v from "valibot";
import { MAX_LIST, MAX_PATH, MAX_STATS, MAX_STDIN, MAX_TEXT } from "./limits.ts";
import type {
  AskCall,
  AskMethod,
  Asks,
  Call,
  StatArguments,
  StreamMethod,
  Streams,
  WriteArguments,
} from "./protocol.ts";
import { bytes, count, listOf, type Reader, reader, text } from "./shapes.ts";
import { protocolError } from "./wire-error.ts";

const path = text(MAX_PATH);
const line = text(MAX_TEXT);
const patterns = listOf(line, MAX_LIST);

const statEntries = { path, followSymlinks: v.optional(v.boolean()) };
const readEntries = { path, offset: v.optional(count), length: v.optional(count) };
const writeEntries = { path, ifVersion: v.optional(v.nullable(text(MAX_PATH))) };

type Fields<T> = { [K in keyof Required<Omit<T, "signal">>]: v.GenericSchema | ReturnType<typeof may> };

const may = v.exactOptional;
/** Which numbers are usable is for the file system to say. */
const number = v.number();

// A field that the port gets later and that is not named here is an error of the compiler, not a field that is lost.
const globFields = {
  path,
  pattern: line,
  limit: may(number),
  ignore: may(patterns),
  includeIgnored: may(v.boolean()),
} satisfies Fields<GlobQuery>;

const grepFields = {
  path,
  pattern: line,
  glob: may(v.union([line, patterns])),
  type: may(line),
  includeIgnored: may(v.boolean()),
  ignoreCase: may(v.boolean()),
  multiline: may(v.boolean()),
  before: may(number),
  after: may(number),
  mode: may(v.picklist(["content", "files_with_matches", "count"])),
  limit: may(number),
  offset: may(number),
  maxLineLength: may(number),
  deadlineMs: may(number),
} satisfies Fields<GrepQuery>;

const statShape = reader<StatArguments>("a stat", v.object(statEntries));

/** The call that is made most often is looked at without the detour over its shape. */
function readStatCall(args: unknown): StatArguments {
  if (typeof args === "string") return args.length <= MAX_PATH ? { path: args } : statShape({ path: args });
  if (typeof args !== "object" || args === null || !("path" in args)) return statShape(args);
  const { path: at } = args;
  if (typeof at !== "string" || at.length > MAX_PATH) return statShape(args);
  return "followSymlinks" in args && args.followSymlinks !== undefined ? statShape(args) : { path: at };
}

const asks: { [M in AskMethod]: Reader<Asks[M]["takes"]> } = {
  hello: reader("the greeting", v.object({ protocol: count })),
  stat: readStatCall,
  statMany: reader("a list of stats", v.object({ stats: listOf(v.object(statEntries), MAX_STATS) })),
  read: reader("a read", v.object(readEntries)),
  write: reader("a write", v.object({ ...writeEntries, bytes })),
  makeDirectory: reader("a makeDirectory", v.object({ path })),
  remove: reader("a remove", v.object({ path, recursive: v.optional(v.boolean()) })),
  rename: reader("a rename", v.object({ from: path, to: path })),
  symlink: reader("a symlink", v.object({ target: path, path })),
  readLink: reader("a readLink", v.object({ path })),
  realpath: reader("a realpath", v.object({ path })),
  glob: reader("a glob", v.object(globFields)),
  grep: reader("a grep", v.object(grepFields)),
};

const streams: { [M in StreamMethod]: Reader<Streams[M]["takes"]> } = {
  list: reader("a list", v.object({ path })),
  walk: reader("a walk", v.object({ path, skip: v.optional(patterns) })),
  watch: reader("a watch", v.object({ path })),
  readStream: reader("a readStream", v.object(readEntries)),
  run: reader(
    "a command",
    v.object({
      command: line,
      session: text(MAX_PATH),
      cwd: v.optional(path),
      env: v.optional(v.pipe(v.record(text(MAX_PATH), line), v.maxEntries(MAX_LIST))),
      stdin: v.optional(text(MAX_STDIN)),
      timeoutMs: v.optional(v.pipe(v.number(), v.gtValue(0))),
      maxOutputBytes: v.optional(v.pipe(v.number(), v.minValue(0))),
    }),
  ),
};

/** Reads where an upload goes. */
export const readUpload: Reader<WriteArguments> = reader("a writeStream", v.object(writeEntries));

/**
 * Reads a call.
 *
 * @throws HoldallError `BACKEND_PROTOCOL`, `BACKEND_LIMIT`
 */
export function readCall(method: unknown, args: unknown): Call {
  if (method === "writeStream") return { method, args: readUpload(args) };
  if (isAsk(method)) return readAsk(method, args);
  if (isStream(method)) return readStreamCall(method, args);
  throw protocolError("there is no such call");
}

/** Tells whether a call has one answer. */
export function isAskCall(call: Call): call is AskCall {
  return isAsk(call.method);
}

function isAsk(method: unknown): method is AskMethod {
  return typeof method === "string" && Object.hasOwn(asks, method);
}

function isStream(method: unknown): method is StreamMethod {
  return typeof method === "string" && Object.hasOwn(streams, method);
}

function readAsk<M extends AskMethod>(method: M, args: unknown): AskCall {
  // The compiler does not follow that the reader found by a name gives the arguments of that name.
  return { method, args: asks[method](args) } as AskCall;
}

function readStreamCall<M extends StreamMethod>(method: M, args: unknown): Call {
  return { method, args: streams[method](args) } as Call;
}
