/** A real Chromium with a profile on disk, which can be killed like a machine that is switched off. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright";
import { chromium as found } from "../../support/browsers.mjs";
import { addressOf, stopServer } from "../site.ts";

/** A page that is served from memory. */
export interface PageServer {
  url: string;
  close(): Promise<void>;
}

/** A running browser. */
export interface RunningBrowser {
  browser: Browser;
  /** Opens a page in the profile. */
  open(url: string): Promise<Page>;
  /** Crashes the process of a page; the browser stays. */
  crash(page: Page): Promise<void>;
  /** Ends it with all its processes, in the middle of whatever they do. */
  kill(): Promise<void>;
}

const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // What is not tested here and takes a good part of each start, and of each crash its report.
  "--disable-breakpad",
  "--disable-crash-reporter",
  "--disable-extensions",
  "--disable-component-extensions-with-background-pages",
  "--disable-default-apps",
  "--disable-field-trial-config",
  "--no-default-browser-check",
  "--remote-debugging-port=0",
];

/** An import that means a file. */
export interface ScriptAlias {
  find: RegExp;
  replacement: string;
}

/**
 * Bundles scripts and serves them with an empty page under a strict policy.
 *
 * @param scripts Absolute paths by the name they are served under; the page loads `/page.js`.
 * @param aliases What imports mean; by default the package's own names are what was built.
 * @param connect Which addresses beside its own the page may ask, as its policy names them.
 */
export async function servePage(
  scripts: Readonly<Record<string, string>>,
  aliases: readonly ScriptAlias[] = [],
  connect = "",
): Promise<PageServer> {
  const files = await bundle(scripts, aliases);
  const server: Server = createServer(({ url = "/" }, response) => {
    const script = files.get(url);
    if (script !== undefined) response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    else if (url === "/") {
      const policy = `default-src 'self'; script-src 'self'; connect-src 'self' ${connect}`;
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy })
        .end('<!doctype html><title>Storage</title><script type="module" src="/page.js"></script>');
    } else response.writeHead(url === "/favicon.ico" ? 204 : 404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: addressOf(server), close: () => stopServer(server) };
}

async function bundle(
  scripts: Readonly<Record<string, string>>,
  aliases: readonly ScriptAlias[],
): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    entryPoints: { ...scripts },
    outdir: "/",
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    tsconfigRaw: {},
    plugins: [
      {
        name: "public-names",
        setup(plugin) {
          for (const { find, replacement } of aliases)
            plugin.onResolve({ filter: find }, () => ({ path: replacement, sideEffects: false }));
        },
      },
    ],
  });
  return new Map(outputFiles.map(({ path, text }) => [path.replace(/\\/g, "/").replace(/^[A-Z]:/, ""), text]));
}

/** Makes a profile folder that is removed at the end. */
export async function makeProfile(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "holdall-profile-"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Starts a browser on a profile. */
export async function startBrowser(profile: string): Promise<RunningBrowser> {
  const path = found.path ?? chromium.executablePath();
  // In a group of its own, so that all its processes can be ended at once.
  const child = spawn(path, [...FLAGS, `--user-data-dir=${profile}`, "about:blank"], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const kill = async (): Promise<void> => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    if (child.pid !== undefined) endGroup(child.pid);
    await ended;
  };
  try {
    const browser = await chromium.connectOverCDP(await addressFrom(child));
    return {
      browser,
      kill,
      async crash(page) {
        const session = await page.context().newCDPSession(page);
        // What crashes does not answer.
        void session.send("Page.crash").catch(() => {});
        await page.waitForEvent("crash");
      },
      async open(url) {
        const [context] = browser.contexts();
        if (context === undefined) throw new Error("The browser has no profile.");
        const page = await context.newPage();
        await page.goto(url);
        return page;
      },
    };
  } catch (error) {
    await kill();
    throw error;
  }
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // All have ended.
  }
}

async function addressFrom({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error("The browser has no error stream.");
  const said: string[] = [];
  for await (const line of createInterface({ input: stderr })) {
    said.push(line);
    const address = /DevTools listening on (\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    // Nobody reads on, and a full pipe would hold the browser up.
    stderr.resume();
    return address;
  }
  throw new Error(`The browser did not start:\n${said.join("\n")}`);
}
