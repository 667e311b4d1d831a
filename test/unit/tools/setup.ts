/** What the tests of the tools share: a backend with files, one conversation, and calls through a toolkit. */

import {
  type AgentState,
  type Backend,
  createAgentState,
  outputText,
  type Tool,
  Toolkit,
  type ToolResultBlock,
} from "holdall";
import { codingTools } from "holdall/tools";

/** A conversation over one backend. */
export interface Desk {
  backend: Backend;
  state: AgentState;
  toolkit: Toolkit;
  /** Calls a tool in the conversation. */
  call(name: string, input: Record<string, unknown>): Promise<ToolResultBlock>;
  /** Calls a tool and gives its state and text. */
  say(name: string, input: Record<string, unknown>): Promise<string>;
  /** Gives the bytes of a file as text, byte by byte, so that nothing is hidden. */
  raw(path: string): Promise<string>;
}

/** Starts a conversation over a backend. */
export function openDesk(backend: Backend, tools: readonly Tool[] = codingTools({ backend })): Desk {
  const toolkit = new Toolkit({ tools });
  const state = createAgentState();
  const call = (name: string, input: Record<string, unknown>): Promise<ToolResultBlock> =>
    toolkit.run({ name, input }, { state });
  return {
    backend,
    state,
    toolkit,
    call,
    say: async (name, input) => {
      const result = await call(name, input);
      return `${result.state}: ${outputText(result.output)}`;
    },
    raw: async (path) => String.fromCharCode(...(await backend.fs.read(path)).bytes),
  };
}

/** Makes bytes of text in which every character is one byte. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Encodes text as UTF-8. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
