/** What every test of the playground starts with: a page that has just been opened, and hands for it. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { type Person, personAt } from "./person.ts";
import { type OpenPage, type Site, startSite } from "./site.ts";

/** The page of the running test. */
export interface Bench {
  readonly opened: OpenPage;
  readonly page: Page;
  readonly person: Person;
  /** Waits until the calls of a tool, oldest first, stand at these words. */
  expectStates(tool: string, words: readonly string[]): Promise<void>;
  /** Presses a button that saves a file, and reads the file. */
  download(button: string): Promise<{ name: string; bytes: Buffer }>;
  /** Names what has the focus. */
  focused(): Promise<string>;
}

/** Builds the page once, and opens it anew for each test; what it must never do is looked for after each. */
export function openBench(): Bench {
  let site: Site | undefined;
  let opened: OpenPage | undefined;

  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site?.close());
  beforeEach(async () => {
    opened = await site?.open();
  });
  afterEach(async () => {
    const { page, faults } = current();
    await page.context().close();
    expect(faults, "no error, nothing refused by the policy, no request that leaves the page").toEqual([]);
  });

  function current(): OpenPage {
    if (opened === undefined) throw new Error("The page could not be opened.");
    return opened;
  }

  return {
    get opened() {
      return current();
    },
    get page() {
      return current().page;
    },
    get person() {
      return personAt(current().page);
    },
    async expectStates(tool, words) {
      const pills = personAt(current().page).calls(tool).locator(".pill");
      await expect.poll(() => pills.allTextContents(), { timeout: 60_000 }).toEqual(words);
    },
    async download(button) {
      const { page } = current();
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: button }).click(),
      ]);
      return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
    },
    focused: () => current().page.evaluate(() => document.activeElement?.textContent ?? ""),
  };
}
