/** Where the tables of the tools run: files below a root, in memory or wherever a test file opens them. */

import { type Backend, createAgentState, outputText, type Tool, Toolkit, type ToolResultBlock } from "holdall";
import { memoryBackend } from "holdall/memory";
import { bytesOf } from "./setup.ts";

/** Files below a root. */
export interface Ground {
  /** Its `cwd` is the root. */
  backend: Backend;
  /** Absolute, and real. */
  root: string;
  close(): Promise<void>;
}

/** Opens a ground with files by their path below the root; in texts every character is one byte. */
export type OpenGround = (files: Readonly<Record<string, string>>) => Promise<Ground>;

/** Opens a ground in memory. */
export const openMemory: OpenGround = async (files) => {
  const root = "/box";
  const entries = Object.entries(files).map(([path, content]) => [`${root}/${path}`, bytesOf(content)]);
  const backend = memoryBackend({ cwd: root, files: Object.fromEntries(entries) });
  return { backend, root, close: async () => backend.close?.() };
};

/** A conversation on a ground. */
export interface GroundDesk extends Ground {
  call(name: string, input: object): Promise<ToolResultBlock>;
  /** Calls a tool and gives its state and text, with `ROOT` for the root. */
  say(name: string, input: object): Promise<string>;
  /** Gives a file byte by byte, or undefined when there is none. */
  raw(path: string): Promise<string | undefined>;
  put(path: string, content: string): Promise<void>;
  link(path: string, target: string): Promise<void>;
}

/** Opens a conversation on a ground. */
export async function openGroundDesk(
  open: OpenGround,
  files: Readonly<Record<string, string>>,
  makeTools: (ground: Ground) => Tool[],
): Promise<GroundDesk> {
  const ground = await open(files);
  const { backend, root } = ground;
  const toolkit = new Toolkit({ tools: makeTools(ground) });
  const state = createAgentState();
  const call = (name: string, input: object): Promise<ToolResultBlock> => toolkit.run({ name, input }, { state });
  return {
    ...ground,
    call,
    say: async (name, input) => {
      const result = await call(name, input);
      return `${result.state}: ${outputText(result.output)}`.replaceAll(root, "ROOT");
    },
    raw: async (path) => {
      if ((await backend.fs.stat(`${root}/${path}`)) === undefined) return undefined;
      const { bytes } = await backend.fs.read(`${root}/${path}`);
      return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    },
    put: async (path, content) => {
      await backend.fs.write(`${root}/${path}`, bytesOf(content));
    },
    link: async (path, target) => {
      await backend.fs.symlink?.(target, `${root}/${path}`);
    },
  };
}
