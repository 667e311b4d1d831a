/** Calls by hand, the list of events, and the keyboard. */
import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import type { Bench } from "./bench.ts";

/** Adds the tests. */
export function handCases(bench: Bench): void {
  describe("by hand", () => {
    test("a busy shell loop is stopped, and the page stays alive meanwhile", async () => {
      const { page, person } = bench;
      await person.call("Bash", { command: "while true; do :; done" });
      await person.calls("Bash").getByText("Running").waitFor();
      expect(await countFrames(page, 10)).toBe(10);
      await page.getByRole("button", { name: "Stop", exact: true }).click();
      await person.calls("Bash").getByText("Stopped").waitFor();
      await person.call("Bash", { command: "echo still here > alive.txt; cat alive.txt" });
      await person.answer("Bash", "Allow once");
      const second = person.calls("Bash").nth(1);
      await second.getByText("Done").waitFor();
      await second.getByRole("table", { name: "Changes of alive.txt: 1 added, 0 removed" }).waitFor();
      await person.file("alive.txt new").waitFor();
    });

    test("the form follows the schema and says what is missing or wrong", async () => {
      const { page, person } = bench;
      await page.getByRole("tab", { name: "You" }).click();
      const form = page.getByRole("tabpanel", { name: "You" });
      await form.getByLabel("You are the model").selectOption("Grep");
      expect(await form.getByRole("textbox", { name: "pattern (required)" }).getAttribute("aria-required")).toBe(
        "true",
      );
      expect(await form.getByRole("combobox", { name: "output_mode" }).locator("option").allTextContents()).toEqual(
        expect.arrayContaining(["content", "files_with_matches", "count"]),
      );
      expect(await form.getByLabel("head_limit").getAttribute("type")).toBe("number");
      expect(await form.getByRole("checkbox", { name: "multiline" }).isChecked()).toBe(false);
      await form.getByLabel("head_limit").fill("1.5");
      await form.getByRole("button", { name: "Call Grep" }).click();
      await form.getByText("Enter a whole number.").waitFor();
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("field-head_limit");
      await form.getByLabel("head_limit").fill("2");
      await form.getByRole("textbox", { name: "pattern (required)" }).fill("[");
      await form.getByRole("button", { name: "Call Grep" }).click();
      await person.calls("Grep").getByText("Failed").waitFor();
    });

    test("every event shows, grouped by call, and can be filtered", async () => {
      const { page, person } = bench;
      await person.call("Read", { file_path: "README.md" });
      await person.calls("Read").getByText("Done").waitFor();
      await person.events.getByText("REPLY_END").waitFor();
      await person.events.getByText("success in").click();
      await person.events.getByText("TOOL_RESULT_END").click();
      await person.events.getByText('"state": "success"').waitFor();
      await page.getByRole("button", { name: "Model", exact: true }).click();
      await person.events.getByText("MODEL_CALL_START").first().waitFor({ state: "detached" });
      await page.getByLabel("Filter events by text").fill("nothing like it");
      await person.events.getByText("No event fits the filter.").waitFor();
    });
  });

  describe("permission", () => {
    test("the question marks what is wrong in a command, and says what other modes would do", async () => {
      const { page, person } = bench;
      await person.call("Bash", { command: "cat README.md && rm -rf src" });
      const question = person.question("Bash");
      await question.locator("mark.bad", { hasText: "rm -rf src" }).first().waitFor();
      await question.getByRole("listitem").filter({ hasText: "Removes folders with everything" }).waitFor();
      await question.getByText("What would happen in other modes").click();
      const table = question.getByRole("table", { name: "What would happen in each mode" });
      await table.getByRole("row", { name: /Look only Is denied/ }).waitFor();
      await table.getByRole("row", { name: /Ask first \(now\) Asks you/ }).waitFor();
      await question.getByRole("button", { name: "Deny" }).click();
      await bench.expectStates("Bash", ["Denied"]);
      await page.getByRole("button", { name: "What if…" }).waitFor();
    });

    test("a command can be looked at before anybody runs it", async () => {
      const { page, person } = bench;
      await page.getByRole("button", { name: "What if…" }).click();
      const dialog = page.getByRole("dialog", { name: "What would happen?" });
      const row = (text: RegExp) => dialog.getByRole("row", { name: text }).waitFor();
      await dialog.getByLabel("A command line").fill("grep -r TODO src | wc -l");
      await row(/Ask first \(now\) Runs/);
      await row(/Look only Runs/);
      expect(await dialog.locator("mark").count()).toBe(0);
      await dialog.getByLabel("A command line").fill("sed -i s/a/b/ README.md");
      await row(/Ask first \(now\) Asks you/);
      await row(/Accept edits Runs/);
      await row(/Never ask/);
      await row(/Allow everything Runs/);
      await dialog.locator("mark", { hasText: "-i" }).first().waitFor();
      await dialog.getByLabel("A command line").fill('echo "unclosed');
      await dialog.locator(".remarks li.bad").first().waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      expect(await person.calls("Bash").count()).toBe(0);
    });
  });

  describe("the keyboard", () => {
    test("walks the tree and opens a file", async () => {
      const { page, person } = bench;
      await page.getByLabel("Folder…").focus();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      expect(await bench.focused()).toMatch(/^README\.md/);
      await page.keyboard.press("Home");
      expect(await bench.focused()).toMatch(/^data/);
      await page.keyboard.press("ArrowLeft");
      expect(await person.file("data").getAttribute("aria-expanded")).toBe("false");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.type("s");
      expect(await bench.focused()).toMatch(/^stock\.sh/);
      await page.keyboard.press("Enter");
      await person.editor.getByText("stock_value").first().waitFor();
      await page.keyboard.press("ArrowLeft");
      expect(await bench.focused()).toMatch(/^src/);
    });

    test("is kept in the question, where Escape denies, and is given back", async () => {
      const { page, person } = bench;
      await page.getByRole("button", { name: "Run the script" }).focus();
      await page.keyboard.press("Enter");
      await person.question("Bash").waitFor();
      expect(await bench.focused()).toBe("Allow Bash?");
      for (let presses = 0; presses < 12; presses += 1) {
        await page.keyboard.press("Tab");
        expect(
          await page.evaluate(
            () => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null,
          ),
        ).toBe(true);
      }
      await page.keyboard.press("Escape");
      await person.conversation.getByText("I may not run the tests").waitFor();
      await bench.expectStates("Bash", ["Denied"]);
    });
  });
}

function countFrames(on: Page, wanted: number): Promise<number> {
  return on.evaluate(async (most) => {
    let frames = 0;
    while (frames < most) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      frames += 1;
    }
    return frames;
  }, wanted);
}
