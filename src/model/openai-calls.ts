/** Puts the tool calls of a streamed chat answer together. */

import type { MakeId } from "../base/ids.ts";
import {
  type CallPiece,
  type GrowingCall,
  isNameWhole,
  isResent,
  locateCall,
  mergeName,
  readCallPiece,
  startsAnotherCall,
} from "./call-pieces.ts";
import type { ModelPart } from "./chat-model.ts";
import { streamError } from "./model-error.ts";
import { createObjectEnd } from "./object-end.ts";
import type { ToolNames } from "./tool-names.ts";

/** The most tool calls in one answer. */
export const MAX_CALLS = 256;

/** What calls are made with. */
export interface CallsOptions {
  names: ToolNames;
  /** Ids that calls of this conversation bear already; those of this answer are added. */
  takenIds: Set<string>;
  makeId: MakeId;
}

/** The tool calls of one answer as they grow. */
export interface Calls {
  /** How many calls were announced. */
  readonly count: number;
  /** Takes the `tool_calls` of one chunk. */
  take(entries: readonly unknown[]): Iterable<ModelPart>;
  /** Announces what was not announced yet and ends every call, in order; what has neither name nor arguments is none. */
  close(): Iterable<ModelPart>;
}

/** Starts with no call. */
export function createCalls(options: CallsOptions): Calls {
  const calls: GrowingCall[] = [];
  const byIndex = new Map<number, GrowingCall>();
  const { offered } = options.names;
  let count = 0;

  function open(piece: CallPiece, before: GrowingCall | undefined): GrowingCall {
    if (calls.length >= MAX_CALLS) {
      throw streamError(`the answer has more than ${MAX_CALLS} tool calls`, "Ask for fewer at once.");
    }
    const name = piece.name === "" && before !== undefined ? before.name : "";
    const call: GrowingCall = { wireId: "", name, input: "", end: createObjectEnd(), id: "" };
    byIndex.set(piece.index ?? calls.length, call);
    calls.push(call);
    return call;
  }

  function* announce(call: GrowingCall): Generator<ModelPart> {
    call.id = callId(call, options);
    count += 1;
    yield { type: "tool_call_start", id: call.id, name: options.names.fromWire(call.name) };
    if (call.input !== "") yield { type: "tool_call_delta", id: call.id, delta: call.input };
  }

  function* grow(call: GrowingCall, piece: CallPiece): Generator<ModelPart> {
    if (call.wireId === "") call.wireId = piece.id;
    if (call.id === "") call.name = mergeName(call.name, piece.name, offered);
    call.input += piece.input;
    call.end.push(piece.input);
    if (call.id !== "") {
      if (piece.input !== "") yield { type: "tool_call_delta", id: call.id, delta: piece.input };
    } else if (isNameWhole(call, offered)) yield* announce(call);
  }

  return {
    get count() {
      return count;
    },
    *take(entries) {
      for (const [position, entry] of entries.entries()) {
        const piece = readCallPiece(entry);
        if (piece === undefined) continue;
        const known = locateCall(piece, { position, total: entries.length, calls, byIndex });
        if (known !== undefined && isResent(known, piece)) continue;
        const goesOn = known !== undefined && !startsAnotherCall(known, piece, offered);
        yield* grow(goesOn ? known : open(piece, known), piece);
      }
    },
    *close() {
      for (const call of calls) {
        if (call.id === "" && (call.name !== "" || call.input.trim() !== "")) yield* announce(call);
      }
      for (const call of calls) if (call.id !== "") yield { type: "tool_call_end", id: call.id };
    },
  };
}

/** Keeps the server's id unless it is missing or somebody bears it: some servers count from zero in every answer. */
function callId(call: GrowingCall, { takenIds, makeId }: CallsOptions): string {
  const id = call.wireId === "" || takenIds.has(call.wireId) ? makeId() : call.wireId;
  takenIds.add(id);
  return id;
}
