/** A page that works on the files and the shell of another machine. */
import type { Backend } from "holdall";
import { remoteBackend } from "holdall/worker";

/** How a call ended: its value, or the code or name of its error. */
export interface Outcome {
  value?: unknown;
  error?: string;
}

/** What the test asks of a page. */
export interface RemotePage {
  connect(url: string, token: string): Promise<Outcome>;
  write(path: string, text: string, ifVersion?: string | null): Promise<Outcome>;
  /** Writes so many bytes as a stream, and gives the size that came of it. */
  stream(path: string, size: number): Promise<Outcome>;
  read(path: string, offset?: number, length?: number): Promise<Outcome>;
  list(path: string): Promise<Outcome>;
  /** Runs a command; what it prints is heard while it runs. */
  start(command: string): void;
  heard(): string;
  /** Gives up the command. */
  abort(): void;
  /** How the command ended. */
  exit(): Promise<Outcome>;
}

declare global {
  var remote: RemotePage;
}

let backend: Backend | undefined;
let controller = new AbortController();
let printed = "";
let ending: Promise<Outcome> = Promise.resolve({});

globalThis.remote = {
  connect: (url, token) =>
    outcome(async () => {
      const headers = { authorization: `Bearer ${token}` };
      backend = await remoteBackend({ url, headers, retry: { attempts: 3, initialDelayMs: 20 } });
      return backend.cwd;
    }),
  write: (path, text, ifVersion) =>
    outcome(async () => {
      const bytes = new TextEncoder().encode(text);
      return (await files().write(path, bytes, ifVersion === undefined ? {} : { ifVersion })).version;
    }),
  stream: (path, size) =>
    outcome(async () => (await files().writeStream(path, new Blob([new Uint8Array(size)]).stream())).size),
  read: (path, offset = 0, length = 1 << 20) =>
    outcome(async () => new TextDecoder().decode((await files().read(path, { offset, length })).bytes)),
  list: (path) =>
    outcome(async () => {
      const names: string[] = [];
      for await (const { name } of files().list(path)) names.push(name);
      return names.sort();
    }),
  start(command) {
    controller = new AbortController();
    printed = "";
    const running = backend?.shell?.run(command, { signal: controller.signal });
    ending = outcome(async () => {
      for await (const { text } of running ?? []) printed += text;
      return (await running?.exit)?.code;
    });
  },
  heard: () => printed,
  abort: () => controller.abort(new DOMException("Enough.", "AbortError")),
  exit: () => ending,
};

function files(): Backend["fs"] {
  if (backend === undefined) throw new Error("There is no connection.");
  return backend.fs;
}

async function outcome(run: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await run() };
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), "code");
    return { error: typeof code === "string" ? code : String(Reflect.get(Object(error), "name")) };
  }
}
