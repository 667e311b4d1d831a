/** Kills a browser in the middle of writes, again and again, and looks what is left of the files. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root, sourceAliases } from "../../support/sources.ts";
import { makeProfile, type PageServer, servePage, startBrowser } from "./chromium.ts";

/** Milliseconds after which the browser is killed; uneven, so that all kinds of moments are met. */
const MOMENTS = [40, 90, 150, 210, 333, 60, 120, 270, 480, 30, 700, 180];

let server: PageServer | undefined;

beforeAll(async () => {
  const scripts = { page: `${root}test/e2e/storage/crash-page.ts`, worker: `${root}adapters/opfs/worker.ts` };
  server = await servePage(scripts, sourceAliases());
});
afterAll(() => server?.close());

describe.each([
  ["indexeddb", MOMENTS],
  ["opfs", MOMENTS],
  ["opfs in a worker", MOMENTS.slice(0, 4)],
] as const)("a browser that is killed while %s writes", (kind, moments) => {
  test("has each file as it was before or after, and no half of anything", { timeout: 180_000 }, async () => {
    const url = server?.url ?? "";
    const profile = await makeProfile();
    const done: Record<string, number> = {};
    let known: Record<string, number> = {};
    try {
      for (const [round, moment] of moments.entries()) {
        const running = await startBrowser(profile.folder);
        try {
          const page = await running.open(url);
          const { files, trees, orphans } = await page.evaluate((name) => crash.check(name), kind);
          const texts = Object.entries(files).filter(([, version]) => typeof version === "string");
          expect({ round, texts, orphans }).toEqual({ round, texts: [], orphans: [] });
          known = files as Record<string, number>;
          for (const [file, version] of Object.entries(done))
            expect(known[file], `round ${round}: what was done of ${file} is kept`).toBeGreaterThanOrEqual(version);
          expect(Object.values(trees), `round ${round}: the tree is whole`).toEqual(round === 0 ? [] : [20]);
          await page.exposeFunction("acknowledge", (file: string, version: number) => {
            done[file] = version;
          });
          await page.evaluate(([name, from]) => crash.write(name, from), [kind, known] as const);
          await new Promise((resolve) => setTimeout(resolve, moment));
        } finally {
          await running.kill();
        }
      }
      expect(Object.keys(done).sort(), "all kinds of writes were under way").toEqual([
        "large",
        "middle",
        "small",
        "streamed",
      ]);
    } finally {
      await profile.remove();
    }
  });
});
