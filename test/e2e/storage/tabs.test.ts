/** The browser's storages in several real tabs. */
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root, sourceAliases } from "../../support/sources.ts";
import { makeProfile, type PageServer, type RunningBrowser, servePage, startBrowser } from "./chromium.ts";

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

async function openTab(): Promise<Page> {
  const page = await running?.open(server?.url ?? "");
  if (page === undefined) throw new Error("The browser does not run.");
  return page;
}

describe.each(["indexeddb", "opfs"])("%s in two tabs", { timeout: 60_000 }, (kind) => {
  test("lets one of two writers win, every time, and tells each of the other", async () => {
    const [one, other] = await Promise.all([openTab(), openTab()]);
    await other.evaluate((name) => tabs.watch(name, "/workspace"), kind);
    let { version = "" } = await one.evaluate((name) => tabs.write(name, "/workspace/f", "start"), kind);
    for (let round = 0; round < 10; round += 1) {
      const write = (tab: Page, text: string): Promise<{ version?: string; code?: string }> =>
        tab.evaluate(([name, content, known]) => tabs.write(name, "/workspace/f", content, known), [
          kind,
          text,
          version,
        ] as const);
      const outcomes = await Promise.all([write(one, `one ${round}`), write(other, `other ${round}`)]);
      expect(outcomes.map(({ code }) => code ?? "won").sort(), `round ${round}`).toEqual(["FS_CONFLICT", "won"]);
      const winner = outcomes[0].version === undefined ? "other" : "one";
      for (const tab of [one, other])
        expect(await tab.evaluate((name) => tabs.read(name, "/workspace/f"), kind)).toBe(`${winner} ${round}`);
      version = outcomes[0].version ?? outcomes[1].version ?? "";
    }
    await one.evaluate((name) => tabs.write(name, "/workspace/g", "x"), kind);
    await expect
      .poll(() => other.evaluate(() => tabs.heard().at(-1)))
      .toEqual({ path: "/workspace/g", kind: "written" });
    await Promise.all([one.close(), other.close()]);
  });

  test("takes away what a tab was streaming when it was closed, and not before", async () => {
    const [one, other] = await Promise.all([openTab(), openTab()]);
    await one.evaluate((name) => tabs.stream(name, "/workspace/streamed"), kind);
    await other.evaluate((name) => tabs.write(name, "/workspace/other", "x"), kind);
    expect(await other.evaluate((name) => tabs.unfinished(name), kind)).toBe(1);
    await one.close();
    const third = await openTab();
    await third.evaluate((name) => tabs.write(name, "/workspace/other", "y"), kind);
    await expect.poll(() => third.evaluate((name) => tabs.unfinished(name), kind)).toBe(0);
    await Promise.all([other.close(), third.close()]);
  });
});
