/** A shell at the other side of a link. */

import {
  DEFAULT_SHELL_OUTPUT,
  HoldallError,
  joinSignals,
  type Shell,
  type ShellExit,
  type ShellOptions,
  type ShellOutput,
} from "holdall";
import { defined } from "./defined.ts";
import { MAX_OUTPUT_BYTES } from "./limits.ts";
import type { Link } from "./link.ts";
import { createPieces } from "./pieces.ts";
import { protocolError } from "./wire-error.ts";

/**
 * Makes the shell.
 *
 * Output is taken from the link as it comes, also when nobody reads it, and kept for whoever reads later; the command's
 * own limit bounds it.
 *
 * @param link The way to the server.
 * @param sessions What stands before the names of sessions.
 */
export function createRemoteShell(link: Link, sessions: string): Shell {
  const closing = new AbortController();
  const execute = async (
    command: string,
    given: ShellOptions,
    emit: (piece: ShellOutput) => void,
  ): Promise<ShellExit> => {
    const { session = "main", cwd, env, stdin, timeoutMs, maxOutputBytes } = given;
    const { signal, close } = joinSignals(given.signal, closing.signal);
    const args = defined({ command, session: `${sessions}/${session}`, cwd, env, stdin, timeoutMs, maxOutputBytes });
    let feed: ReturnType<typeof link.open<"run">> | undefined;
    const count = limitOutput(maxOutputBytes);
    try {
      signal.throwIfAborted();
      feed = link.open("run", args, signal);
      for (;;) {
        const { items, end } = await feed.next();
        for (const piece of items) {
          count(piece);
          emit(piece);
        }
        if (end !== undefined) return end.value;
      }
    } catch (error) {
      feed?.stop();
      throw error;
    } finally {
      close();
    }
  };
  return {
    run: (command, given = {}) => {
      const pieces = createPieces<ShellOutput>();
      const exit = execute(command, given, pieces.push);
      // Whoever reads only the output leaves no rejection unhandled.
      exit.then(pieces.end, pieces.end);
      return { exit, [Symbol.asyncIterator]: () => pieces[Symbol.asyncIterator]() };
    },
    close: async () =>
      closing.abort(new HoldallError("SHELL_FAILED", "the shell has been closed. Connect to its backend again.")),
  };
}

/** Fails when a server sends more than it was asked for: whatever it says, memory stays bounded. */
function limitOutput(maxOutputBytes: number = DEFAULT_SHELL_OUTPUT): (piece: ShellOutput) => void {
  let left = Math.min(maxOutputBytes, MAX_OUTPUT_BYTES);
  return ({ text }) => {
    // A UTF-16 unit is at least one byte.
    left -= text.length;
    if (left < 0) throw protocolError("the server sent more output than was asked for");
  };
}
