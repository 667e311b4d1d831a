/** The browser's storage at a limit of the browser's own, with the error that the browser itself fails with. */
import { firefox, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { firefox as found } from "../../support/browsers.mjs";
import { root, sourceAliases } from "../../support/sources.ts";
import { makeProfile, type PageServer, servePage, startBrowser } from "./chromium.ts";

/** Bytes that the origin may keep. */
const QUOTA = 12 << 20;
const FILE = 2 << 20;

/** A browser whose origins have a limit. */
interface LimitedBrowser {
  /** Opens a page of an origin that has nothing stored. */
  open(url: string): Promise<Page>;
  close(): Promise<void>;
}

async function limitedChromium(): Promise<LimitedBrowser> {
  const profile = await makeProfile();
  const running = await startBrowser(profile.folder);
  return {
    async open(url) {
      const page = await running.open("about:blank");
      const session = await page.context().newCDPSession(page);
      const { origin } = new URL(url);
      await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
      // Before anything is stored: what room there is is asked for seldom.
      await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: QUOTA });
      await page.goto(url);
      return page;
    },
    async close() {
      await running.kill();
      await profile.remove();
    },
  };
}

async function limitedFirefox(): Promise<LimitedBrowser> {
  const browser = await firefox.launch({
    channel: "moz-firefox",
    ...(found.path && { executablePath: found.path }),
    // A site may have a fifth of so many kilobytes.
    firefoxUserPrefs: { "dom.quotaManager.temporaryStorage.fixedLimit": (QUOTA * 5) >> 10 },
  });
  return {
    async open(url) {
      const page = await browser.newPage();
      await page.goto(url);
      return page;
    },
    close: () => browser.close(),
  };
}

let server: PageServer | undefined;

beforeAll(async () => {
  server = await servePage({ page: `${root}test/e2e/storage/tabs-page.ts` }, sourceAliases());
});
afterAll(() => server?.close());

const browsers = [
  ["Chromium", limitedChromium],
  ...(found.path ? ([["Firefox", limitedFirefox]] as const) : []),
] as const;

describe.each(browsers)("a full disk in %s", (_name, start) => {
  let browser: LimitedBrowser | undefined;

  beforeAll(async () => {
    browser = await start();
  }, 60_000);
  afterAll(() => browser?.close());

  test.each(["opfs", "indexeddb"])(
    "%s fails what does not fit, keeps what was there, and goes on once there is room",
    {
      timeout: 60_000,
    },
    async (kind) => {
      const page = await browser?.open(server?.url ?? "");
      if (page === undefined) throw new Error("The browser does not run.");
      const full = await page.evaluate((it) => tabs.fill(it), kind);
      const { written } = full;
      expect(full).toEqual({
        code: "FS_NO_SPACE",
        cause: "QuotaExceededError",
        written,
        whole: written,
        listed: written,
        streamed: "FS_NO_SPACE",
        unfinished: 0,
      });
      expect([written > 2, written <= QUOTA / FILE]).toEqual([true, true]);
      expect(await page.evaluate((it) => tabs.makeRoom(it), kind)).toEqual({ again: "written", rest: written - 2 });
      await page.close();
    },
  );
});
