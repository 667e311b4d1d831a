/** The browser's storage at a limit of the browser's own, with the error that the browser itself fails with. */
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root, sourceAliases } from "../../support/sources.ts";
import { makeProfile, type PageServer, type RunningBrowser, servePage, startBrowser } from "./chromium.ts";

/** Bytes that the origin may keep. */
const QUOTA = 12 << 20;

let server: PageServer | undefined;
let profile: Awaited<ReturnType<typeof makeProfile>> | undefined;
let running: RunningBrowser | undefined;

beforeAll(async () => {
  server = await servePage({ page: `${root}test/e2e/storage/tabs-page.ts` }, sourceAliases());
  profile = await makeProfile();
  running = await startBrowser(profile.folder);
}, 60_000);
afterAll(async () => {
  await running?.kill();
  await profile?.remove();
  await server?.close();
});

/** Opens a page whose origin has a limit before anything of it is stored: what room there is is asked for seldom. */
async function openLimited(): Promise<Page> {
  const page = await running?.open("about:blank");
  if (page === undefined) throw new Error("The browser does not run.");
  const session = await page.context().newCDPSession(page);
  const origin = new URL(server?.url ?? "").origin;
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: QUOTA });
  await page.goto(server?.url ?? "");
  return page;
}

describe.each(["opfs", "indexeddb"])("%s on a disk that is full", (kind) => {
  test("fails what does not fit, keeps what was there, and goes on once there is room", {
    timeout: 60_000,
  }, async () => {
    const page = await openLimited();
    const full = await page.evaluate((it) => tabs.fill(it), kind);
    const { written } = full;
    expect(full).toEqual({
      code: "FS_NO_SPACE",
      cause: "QuotaExceededError",
      written,
      whole: written,
      listed: written,
      isStreamRefused: true,
      unfinished: 0,
    });
    expect([written > 2, written <= QUOTA / (2 << 20)]).toEqual([true, true]);
    expect(await page.evaluate((it) => tabs.makeRoom(it), kind)).toEqual({ again: "written", rest: written - 2 });
    await page.close();
  });
});
