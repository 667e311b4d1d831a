/** A vitest browser provider that opens the page in WebKitGTK's MiniBrowser, under Xvfb where there is no display. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { defineBrowserProvider } from "@vitest/browser";
import type { BrowserProvider, BrowserProviderOption } from "vitest/node";

/** What the provider needs to know. */
export interface MiniBrowserOptions {
  /** The executable. */
  binary: string;
}

/** MiniBrowser ships with storage switched off; Safari has it on. */
const FEATURES = ["StorageAPI", "StorageAPIEstimate", "FileSystem", "FileSystemWritableStream", "AccessHandle"];

/** Makes the provider. Vitest talks to the page over its own socket, so all there is to do is to open it. */
export function minibrowser(options: MiniBrowserOptions): BrowserProviderOption {
  return defineBrowserProvider({
    name: "minibrowser",
    supportedBrowser: ["webkit"],
    options,
    providerFactory: () => new MiniBrowserProvider(options.binary),
  });
}

class MiniBrowserProvider implements BrowserProvider {
  readonly name = "minibrowser";
  readonly supportsParallelism = false;
  readonly #binary: string;
  readonly #processes: ChildProcess[] = [];
  #environment: Promise<NodeJS.ProcessEnv> | undefined;
  #home: string | undefined;

  constructor(binary: string) {
    this.#binary = binary;
  }

  getCommandsContext(): Record<string, unknown> {
    return {};
  }

  async openPage(_sessionId: string, url: string): Promise<void> {
    this.#environment ??= this.#start();
    const features = FEATURES.map((feature) => `+${feature}`).join(",");
    this.#processes.push(
      spawn(this.#binary, [`--features=${features}`, url], { env: await this.#environment, stdio: "ignore" }),
    );
  }

  async close(): Promise<void> {
    for (const process of this.#processes.splice(0).reverse()) await end(process);
    if (this.#home) await rm(this.#home, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Each run has a home of its own: what a page stores must not meet the next run. */
  async #start(): Promise<NodeJS.ProcessEnv> {
    const home = await mkdtemp(join(tmpdir(), "holdall-webkit-"));
    this.#home = home;
    return {
      ...process.env,
      DISPLAY: process.env.DISPLAY || (await this.#startDisplay()),
      HOME: home,
      XDG_DATA_HOME: join(home, "data"),
      XDG_CACHE_HOME: join(home, "cache"),
      XDG_CONFIG_HOME: join(home, "config"),
      WEBKIT_DISABLE_DMABUF_RENDERER: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
      NO_AT_BRIDGE: "1",
    };
  }

  async #startDisplay(): Promise<string> {
    const parameters = ["-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp"];
    const server = spawn("Xvfb", parameters, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    this.#processes.push(server);
    const output = server.stdio[3];
    if (!(output instanceof Readable)) throw new Error("Xvfb was started without the pipe that names its display.");
    const failed = once(server, "exit").then(([code]) => Promise.reject(new Error(`Xvfb ended with code ${code}.`)));
    const [number] = await Promise.race([once(output, "data"), failed]);
    return `:${String(number).trim()}`;
  }
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exit = once(process, "exit");
  process.kill();
  await exit;
}
