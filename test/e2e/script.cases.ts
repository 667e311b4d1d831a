/** The playground's script: what it does, and what the person may say to it. */
import { describe, expect, test } from "vitest";
import type { Bench } from "./bench.ts";

/** Adds the tests. */
export function scriptCases(bench: Bench): void {
  describe("the script on the sample", () => {
    test("mends the failing test, asks before it acts, and shows what it changed", async () => {
      const { page, person } = bench;
      await page.getByRole("button", { name: "Run the script" }).click();
      await person.question("Bash").getByText("bash test/run.sh", { exact: true }).waitFor();
      await person.answer("Bash", /^Allow and remember/);
      await person.answer("Edit", "Allow once");
      // The rule that was remembered lets the tests run a second time, so the next question is about the changelog.
      await person.question("Edit").getByText("CHANGELOG.md").waitFor();
      await person.question("Edit").getByPlaceholder("What to do instead").fill("no changelog, please");
      await person.answer("Edit", "Deny");
      await person.conversation.getByText("now it is <=.").waitFor();

      await bench.expectStates("Bash", ["Failed", "Done"]);
      await bench.expectStates("Edit", ["Done", "Denied"]);
      await person.calls("Edit").nth(1).getByText("no changelog, please").waitFor();
      const diff = person
        .calls("Edit")
        .first()
        .getByRole("table", { name: "Changes of src/stock.sh: 1 added, 1 removed" });
      expect(await diff.getByRole("row").filter({ hasText: "added" }).textContent()).toContain("$4 <= limit");
      expect(await diff.getByRole("row").filter({ hasText: "removed" }).textContent()).toContain("$4 < limit");

      await person.file("stock.sh changed").click();
      await person.editor.getByText("$4 <= limit").waitFor();
      await page.getByRole("button", { name: "Changes" }).click();
      await page.getByRole("table", { name: "Changes of /workspace/src/stock.sh: 1 added, 1 removed" }).waitFor();
      expect(await person.file("CHANGELOG.md changed").count()).toBe(0);
    });

    test("forgets a remembered rule when it is told to", async () => {
      const { page, person } = bench;
      await person.call("Bash", { command: "mkdir -p out" });
      await person.answer("Bash", /^Allow and remember/);
      await person.calls("Bash").getByText("Done").waitFor();
      await page.getByText("1 remembered rule").click();
      await page.getByRole("button", { name: /^Forget the rule/ }).click();
      await page.getByText("1 remembered rule").waitFor({ state: "detached" });
      await person.call("Bash", { command: "mkdir -p out" });
      await person.answer("Bash", "Allow once");
      await bench.expectStates("Bash", ["Done", "Done"]);
    });

    test("lets the person change an input before it is allowed", async () => {
      const { page, person } = bench;
      await person.call("Bash", { command: "mkdir -p one", description: "Say it" });
      await person.question("Bash").getByText("Say it").waitFor();
      await page.getByText("Change the input first").click();
      await page.getByLabel("Input as JSON").fill('{"command": "mkdir -p two && echo two"}');
      await person.answer("Bash", "Allow once");
      await bench.expectStates("Bash", ["Done"]);
      await person.calls("Bash").getByText("two", { exact: true }).waitFor();
      await person.calls("Bash").getByText("mkdir -p two && echo two").first().waitFor();
    });

    test("stops in the middle, and starts anew in a new conversation", async () => {
      const { page, person } = bench;
      // With its pauses, and without questions, there is a middle to stop in.
      await page.emulateMedia({ reducedMotion: "no-preference" });
      await page.getByLabel("Permission mode").selectOption("Allow everything");
      await page.getByRole("button", { name: "Run the script" }).click();
      await page.getByRole("button", { name: "Stop", exact: true }).click();
      await person.conversation.getByText("Stopped.", { exact: true }).waitFor();
      await page.getByRole("button", { name: "New conversation" }).click();
      await person.conversation.getByText("Nothing was said yet").waitFor();
      await page.getByLabel("Permission mode").selectOption("Ask first");
      await page.getByRole("button", { name: "Run the script" }).click();
      await person.question("Bash").getByRole("button", { name: "Stop the whole reply" }).click();
      await person.conversation.getByText("Stopped.", { exact: true }).waitFor();
      await bench.expectStates("Bash", ["Stopped"]);
    });

    test("obeys the mode", async () => {
      const { page, person } = bench;
      await page.getByLabel("Permission mode").selectOption("Look only");
      await page.getByRole("button", { name: "Run the script" }).click();
      await person.conversation.getByText("The change was not made").waitFor();
      await bench.expectStates("Bash", ["Denied"]);
      await bench.expectStates("Edit", ["Denied"]);
      await page.getByRole("button", { name: "New conversation" }).click();
      await page.getByLabel("Permission mode").selectOption("Allow everything");
      await page.getByRole("button", { name: "Run the script" }).click();
      await person.conversation.getByText("It is in the changelog, too.").waitFor();
      await bench.expectStates("Bash", ["Failed", "Done"]);
      await bench.expectStates("Edit", ["Done", "Done"]);
    });
  });
}
