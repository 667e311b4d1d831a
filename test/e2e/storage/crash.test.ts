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
    const written = new Set<string>();
    let losses = 0;
    let running = await startBrowser(profile.folder);
    try {
      const acknowledge = (file: string, version: number): void => {
        done[file] = version;
        written.add(file);
      };
      const check = async (round: string, index: number): Promise<Versions> => {
        const found = await page.evaluate(() => crash.check());
        const isThrownAway = index > 0 && !found.hasWitness;
        if (isThrownAway) {
          losses += 1;
          for (const file of Object.keys(done)) if (file.startsWith("indexeddb ")) delete done[file];
        }
        return whole(found, done, round, index === 0 ? 0 : isThrownAway ? 2 : 3);
      };
      let page = await openPage(running, acknowledge);
      for (const [index, [moment, end]] of ROUNDS.entries()) {
        const known = await check(`round ${index}`, index);
        await page.evaluate((versions) => crash.write(versions), known);
        await new Promise((resolve) => setTimeout(resolve, moment));
        if (end === "browser") {
          await running.kill();
          running = await startBrowser(profile.folder);
        }
        if (end === "crash") await running.crash(page);
        if (end === "close") await page.close();
        if (end === "reload") await page.reload();
        else page = await openPage(running, acknowledge);
      }
      await check("the end", ROUNDS.length);
      expect(written.size, "all kinds of writes were under way").toBe(12);
      // Where the witness is gone with all the rest, it is the browser that does not open its store any more and starts
      // anew. No page can help that, and once it may happen to a browser that is killed so often.
      expect(losses, "how often the browser has thrown all databases away").toBeLessThan(2);
    } finally {
      await running.kill();
      await profile.remove();
    }
  });
});

async function openPage(running: RunningBrowser, acknowledge: (file: string, version: number) => void): Promise<Page> {
  const page = await running.open(server?.url ?? "");
  await page.exposeFunction("acknowledge", acknowledge);
  return page;
}

/** Looks whether nothing is lost or half; gives the version of each file. */
function whole(found: Found, done: Versions, round: string, trees: number): Versions {
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
  const seen = JSON.stringify({ lost, versions, hasWitness: found.hasWitness });
  expect(lost, `what was acknowledged before ${round} and is gone: ${seen}`).toEqual([]);
  expect({ round, trees: found.trees }).toEqual({ round, trees: Array.from({ length: trees }, () => 20) });
  return versions;
}
