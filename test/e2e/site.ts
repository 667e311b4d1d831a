/** The playground as a person meets it: built, served from this machine, opened in a real Chromium. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright";
import { chromium as found } from "../support/browsers.mjs";
import { root } from "../support/sources.ts";

/** The built page on a server of its own, and a browser. */
export interface Site {
  url: string;
  /** Opens the page in a fresh context, without moving parts, and waits until the sample is there. */
  open(options?: BrowserContextOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

/** A page that is watched. */
export interface OpenPage {
  page: Page;
  /** What nobody wants to see: errors, refused styles or scripts, requests that leave the page. */
  faults: string[];
  /** Allows requests to another address. */
  allow(url: string): void;
}

/** Chromium looks for hosts of its maker at every start without these. */
const QUIET = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

/** Builds the page, serves it and starts the browser. */
export async function startSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), "holdall-playground-"));
  await buildPage(folder);
  const server = await serveFolder(folder);
  const url = addressOf(server);
  const browser = await chromium.launch({ ...(found.path && { executablePath: found.path }), args: QUIET });
  return {
    url,
    open: (options) => openPage(browser, url, options),
    async close() {
      await browser.close();
      await stopServer(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The address of a server on this machine, with a slash at its end. */
export function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Ends a server, connections that are kept open included. */
export async function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

/** In a process of its own: a test environment would make another build than the one that is served. */
async function buildPage(folder: string): Promise<void> {
  const { VITEST: _, NODE_ENV: __, ...env } = process.env;
  const parameters = ["build", "--outDir", folder, "--emptyOutDir", "--logLevel", "error"];
  const vite = spawn(process.execPath, [`${root}node_modules/vite/bin/vite.js`, ...parameters], { cwd: root, env });
  let said = "";
  for (const stream of [vite.stdout, vite.stderr]) stream.on("data", (text) => (said += String(text)));
  const [code] = await once(vite, "close");
  if (code !== 0) throw new Error(`The playground does not build:\n${said}`);
}

async function serveFolder(folder: string): Promise<Server> {
  const server = createServer(async ({ url = "/" }, response) => {
    const path = normalize(new URL(url, "http://localhost").pathname);
    const file = join(folder, path === "/" ? "index.html" : path);
    try {
      const content = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  const allowed = [url, `blob:${url}`, "data:"];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.stack ?? error.message}`));
  context.on("request", (request) => {
    if (!allowed.some((start) => request.url().startsWith(start))) faults.push(`request: ${request.url()}`);
  });
  // Told to the console, so that also what is refused before the first test line is seen.
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
      console.error(`refused by policy: ${violatedDirective} ${blockedURI} in ${sourceFile}`);
    });
  });
  await page.goto(url);
  await page.getByRole("main").waitFor();
  return { page, faults, allow: (other) => allowed.push(other) };
}
