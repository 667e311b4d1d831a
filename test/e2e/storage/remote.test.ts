/** A page in a real Chromium, on the files and the shell of `holdall serve` at another origin. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root, sourceAliases } from "../../support/sources.ts";
import { makeProfile, type PageServer, type RunningBrowser, servePage, startBrowser } from "./chromium.ts";

const TOKEN = "the-token-of-a-page-0123456789";

let folder: string;
let site: PageServer | undefined;
let stranger: PageServer | undefined;
let profile: Awaited<ReturnType<typeof makeProfile>> | undefined;
let running: RunningBrowser | undefined;
let server: { child: ChildProcess; url: string };
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdall-remote-"));
  await writeFile(`${folder}.token`, TOKEN, { mode: 0o600 });
  const scripts = { page: `${root}test/e2e/storage/remote-page.ts` };
  const near = "http://127.0.0.1:*";
  const [, , made] = await Promise.all([
    build({
      entryPoints: [`${root}adapters/worker/cli.ts`],
      outfile: `${folder}.cli.mjs`,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
    }),
    servePage(scripts, sourceAliases(), near).then((served) => {
      site = served;
    }),
    makeProfile(),
    servePage(scripts, sourceAliases(), near).then((served) => {
      stranger = served;
    }),
  ]);
  profile = made;
  [running, server] = await Promise.all([startBrowser(made.folder), serve("0")]);
  page = await open(site);
}, 60_000);

afterAll(async () => {
  server?.child.kill("SIGKILL");
  await running?.kill();
  await profile?.remove();
  await site?.close();
  await stranger?.close();
  for (const path of [folder, `${folder}.token`, `${folder}.cli.mjs`]) await rm(path, { recursive: true, force: true });
});

async function serve(port: string): Promise<{ child: ChildProcess; url: string }> {
  const origin = new URL(site?.url ?? "").origin;
  const parameters = ["serve", "--root", folder, "--token-file", `${folder}.token`, "--port", port];
  const child = spawn(process.execPath, [`${folder}.cli.mjs`, ...parameters, "--allow-origin", origin], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    if (printed.includes("\n")) break;
  }
  const [, url] = / at (http:\/\/\S+)\n$/.exec(printed) ?? [];
  if (url === undefined) throw new Error(`The server printed ${JSON.stringify(printed)}.`);
  return { child, url };
}

async function open(where: PageServer | undefined): Promise<Page> {
  const opened = await running?.open(where?.url ?? "");
  if (opened === undefined) throw new Error("The browser does not run.");
  await opened.waitForFunction(() => "remote" in globalThis);
  return opened;
}

function connect(to: Page, token = TOKEN): Promise<{ value?: unknown; error?: string }> {
  return to.evaluate(([url, given]) => remote.connect(url, given), [server.url, token] as const);
}

describe("a page and a server of another origin", { timeout: 30_000 }, () => {
  test("meet when the origin is named and the token is right, and not else", async () => {
    expect(await connect(page, "a-token-that-is-wrong")).toEqual({ error: "BACKEND_UNAUTHORIZED" });
    expect(await connect(page)).toEqual({ value: folder });
    const other = await open(stranger);
    expect(await connect(other)).toEqual({ error: "BACKEND_GONE" });
    await other.close();
  });

  test("read, write, and keep conditions, whole and in parts", async () => {
    await connect(page);
    const path = `${folder}/é 🦊.txt`;
    const { value: version } = await page.evaluate((at) => remote.write(at, "one two three", null), path);
    const outcomes = await page.evaluate(
      async ([at, known]) => [
        await remote.write(at, "again", null),
        await remote.read(at, 4, 3),
        await remote.read(at, 99),
        await remote.write(at, "changed", known),
        await remote.write(at, "lost", known),
        await remote.read(at),
        await remote.stream(`${at}.big`, 5 << 20),
        await remote.read(`${at}.none`),
      ],
      [path, String(version)] as const,
    );
    expect(outcomes).toEqual([
      { error: "FS_CONFLICT" },
      { value: "two" },
      { value: "" },
      { value: expect.any(String) },
      { error: "FS_CONFLICT" },
      { value: "changed" },
      { value: 5 << 20 },
      { error: "FS_NOT_FOUND" },
    ]);
    expect([await readFile(path, "utf8"), (await stat(`${path}.big`)).size]).toEqual(["changed", 5 << 20]);
    expect(await page.evaluate((at) => remote.list(at), folder)).toEqual({ value: ["é 🦊.txt", "é 🦊.txt.big"] });
  });

  test("show what a command prints while it runs, and end it when it is given up", async () => {
    await connect(page);
    await page.evaluate(() => remote.start("echo first; sleep 60"));
    await expect.poll(() => page.evaluate(() => remote.heard())).toContain("first\n");
    await page.evaluate(() => remote.abort());
    expect(await page.evaluate(() => remote.exit())).toEqual({ error: "AbortError" });
    await page.evaluate(() => remote.start("printf 'é🦊'; sleep 0.05; echo ' done' >&2; exit 3"));
    expect(await page.evaluate(() => remote.exit())).toEqual({ value: 3 });
    expect(await page.evaluate(() => remote.heard())).toBe("é🦊 done\n");
  });

  test("lose a command when the server is killed in the middle of it, and go on with its successor", async () => {
    await connect(page);
    await page.evaluate(() => remote.start("echo begun; sleep 60"));
    await expect.poll(() => page.evaluate(() => remote.heard())).toBe("begun\n");
    const gone = once(server.child, "exit");
    server.child.kill("SIGKILL");
    await gone;
    expect(await page.evaluate(() => remote.exit())).toEqual({ error: "BACKEND_GONE" });
    server = await serve(new URL(server.url).port);
    await page.evaluate(() => remote.start("echo again"));
    expect([await page.evaluate(() => remote.exit()), await page.evaluate(() => remote.heard())]).toEqual([
      { value: 0 },
      "again\n",
    ]);
  });

  test("part when the page is loaded anew, and meet again", async () => {
    await connect(page);
    await page.evaluate((at) => remote.write(`${at}/kept`, "kept"), folder);
    await page.evaluate(() => remote.start("echo begun; sleep 60"));
    await expect.poll(() => page.evaluate(() => remote.heard())).toBe("begun\n");
    await page.reload();
    await page.waitForFunction(() => "remote" in globalThis);
    await connect(page);
    expect(await page.evaluate((at) => remote.read(`${at}/kept`), folder)).toEqual({ value: "kept" });
  });
});
