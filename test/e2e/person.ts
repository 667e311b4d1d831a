/** What a person does on the playground, in the words of its labels. */
import type { Locator, Page } from "playwright";
import { expect } from "vitest";

/** Hands that know the page. */
export interface Person {
  tree: Locator;
  conversation: Locator;
  editor: Locator;
  events: Locator;
  /** A row of the tree. */
  file(name: string): Locator;
  /** The cards of a tool's calls, oldest first. */
  calls(tool: string): Locator;
  /** The question about a tool. */
  question(tool: string): Locator;
  /** Waits for the question about a tool and answers it with the button of that name. */
  answer(tool: string, button: string | RegExp): Promise<void>;
  /** Fills in the form of a tool and calls it. */
  call(tool: string, input: Readonly<Record<string, string>>): Promise<void>;
  /** Gives files or a folder of this machine to one of the two pickers. */
  pick(picker: "Files…" | "Folder…", files: Parameters<Locator["setInputFiles"]>[0]): Promise<void>;
}

/** Gives the hands for a page. */
export function personAt(page: Page): Person {
  const tree = page.getByRole("tree");
  const conversation = page.getByRole("log", { name: "Conversation" });
  const question = (tool: string): Locator => page.getByRole("dialog", { name: `Allow ${tool}?` });
  return {
    tree,
    conversation,
    editor: page.getByRole("textbox", { name: "Text of" }),
    events: page.getByRole("region", { name: "List of events" }),
    question,
    file: (name) => tree.getByRole("treeitem", { name }),
    calls: (tool) => conversation.getByRole("article", { name: `Call of ${tool}` }),
    async answer(tool, button) {
      await question(tool).waitFor();
      const asked = await question(tool).allTextContents();
      await question(tool).getByRole("button", { name: button }).click();
      // The next question about the same tool may be there before anybody sees that this one has gone.
      await expect.poll(() => question(tool).allTextContents()).not.toEqual(asked);
    },
    async call(tool, input) {
      await page.getByRole("tab", { name: "You" }).click();
      const form = page.getByRole("tabpanel", { name: "You" });
      await form.getByLabel("You are the model").selectOption(tool);
      for (const [name, value] of Object.entries(input)) await fillIn(form.locator(`[name="${name}"]`), value);
      await form.getByRole("button", { name: `Call ${tool}` }).click();
    },
    pick: (picker, files) => page.getByLabel(picker, { exact: true }).setInputFiles(files),
  };
}

async function fillIn(field: Locator, value: string): Promise<void> {
  const tag = await field.evaluate((element) => element.tagName);
  if (tag === "SELECT") await field.selectOption(value);
  else await field.fill(value);
}
