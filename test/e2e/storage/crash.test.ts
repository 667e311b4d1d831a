/** Ends pages and browsers in the middle of writes, again and again, and looks what is left of the files. */
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root, sourceAliases } from "../../support/sources.ts";
import { makeProfile, type PageServer, type RunningBrowser, servePage, startBrowser } from "./chromium.ts";
import type { Found, Versions } from "./crash-page.ts";

/** How writing ends: all processes of the browser are killed, or only the page goes, in the middle of whatever it does. */
type End = "browser" | "close" | "reload" | "crash";

/** Milliseconds after which it ends; uneven, so that all kinds of moments are met. */
const ROUNDS: readonly (readonly [moment: number, end: End])[] = [
  [90, "crash"],
  [150, "browser"],
  [40, "reload"],
  [210, "crash"],
  [30, "browser"],
  [333, "crash"],
  [20, "close"],
  [480, "browser"],
  [10, "crash"],
  [260, "browser"],
  [160, "close"],
  [95, "browser"],
  [120, "crash"],
  [60, "browser"],
  [15, "browser"],
  [190, "browser"],
  [75, "browser"],
  [400, "browser"],
  [130, "browser"],
  [45, "browser"],
];

let server: PageServer | undefined;

beforeAll(async () => {
  const scripts = { page: `${root}test/e2e/storage/crash-page.ts`, worker: `${root}adapters/opfs/worker.ts` };
  server = await servePage(scripts, sourceAliases());
});
afterAll(() => server?.close());

describe("a page or browser that dies while it writes to IndexedDB and OPFS", () => {
  test("has each file as it was before or after, and no half of anything", { timeout: 300_000 }, async () => {
    const profile = await makeProfile();
    const done: Versions = {};
    let running = await startBrowser(profile.folder);
    try {
      let page = await openPage(running, done);
      for (const [index, [moment, end]] of ROUNDS.entries()) {
        const known = whole(await page.evaluate(() => crash.check()), done, `round ${index}`, index > 0);
        await page.evaluate((versions) => crash.write(versions), known);
        await new Promise((resolve) => setTimeout(resolve, moment));
        if (end === "browser") {
          await running.kill();
          running = await startBrowser(profile.folder);
        }
        if (end === "crash") await running.crash(page);
        if (end === "close") await page.close();
        if (end === "reload") await page.reload();
        else page = await openPage(running, done);
      }
      whole(await page.evaluate(() => crash.check()), done, "the end", true);
      expect(Object.keys(done).length, "all kinds of writes were under way").toBe(12);
    } finally {
      await running.kill();
      await profile.remove();
    }
  });
});

async function openPage(running: RunningBrowser, done: Versions): Promise<Page> {
  const page = await running.open(server?.url ?? "");
  await page.exposeFunction("acknowledge", (file: string, version: number) => {
    done[file] = version;
  });
  return page;
}

/** Looks whether nothing is lost or half; gives the version of each file. */
function whole(found: Found, done: Versions, round: string, hasTrees: boolean): Versions {
  const versions: Versions = {};
  const wrong: unknown[] = [];
  for (const [file, version] of Object.entries(found.files)) {
    if (typeof version === "number") versions[file] = version;
    else wrong.push([file, version]);
  }
  const { orphans } = found;
  expect({ wrong, orphans }, `found in ${round}: ${JSON.stringify({ wrong, orphans })}`).toEqual({
    wrong: [],
    orphans: [],
  });
  const lost = Object.entries(done).filter(([file, version]) => (versions[file] ?? 0) < version);
  // It happens once in very many rounds, if ever, so the message must say all there is to know.
  const seen = JSON.stringify({ lost, versions });
  expect(lost, `what was acknowledged before ${round} and is gone: ${seen}`).toEqual([]);
  expect({ round, trees: found.trees }).toEqual({ round, trees: hasTrees ? [20, 20, 20] : [] });
  return versions;
}
