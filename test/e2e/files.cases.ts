/** The person's own files: in, through all tools, and out again. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { root } from "../support/sources.ts";
import type { Bench } from "./bench.ts";
import { readZip } from "./zip.ts";

/** Adds the tests. */
export function filesCases(bench: Bench): void {
  describe("real files", () => {
    const folder = `${root}node_modules/eventsource-parser/src`;

    test("are opened as a folder, searched, read, edited by hand and by the person, and taken away as a ZIP", async () => {
      const { page, person } = bench;
      const source = await readFile(`${folder}/parse.ts`, "utf8");
      await person.pick("Folder…", folder);
      await page.getByRole("heading", { name: "src", exact: true }).waitFor();
      await person.file("parse.ts").waitFor();

      await person.call("Grep", { pattern: "export function createParser", output_mode: "content" });
      await person.calls("Grep").getByText("/workspace/parse.ts:").waitFor();
      await person.call("Edit", { file_path: "/workspace/parse.ts", old_string: "createParser", new_string: "x" });
      await person.calls("Edit").getByText("has not been read").waitFor();
      await person.call("Read", { file_path: "/workspace/parse.ts", limit: "5" });
      await person.calls("Read").getByText("Done").waitFor();
      const [old, fresh] = ["export function createParser(", "export function makeParser("];
      await person.call("Edit", { file_path: "/workspace/parse.ts", old_string: old, new_string: fresh });
      await person.answer("Edit", "Allow once");
      await person
        .calls("Edit")
        .nth(1)
        .getByRole("table", { name: "Changes of parse.ts: 1 added, 1 removed" })
        .waitFor();

      await person.file("stream.ts").click();
      await person.editor.getByText("EventSourceParserStream").first().waitFor();
      await person.editor.press("Control+Home");
      await person.editor.pressSequentially("// mine\n");
      await person.file("stream.ts changed").waitFor();

      const zip = await bench.download("Download all files as a ZIP");
      const files = readZip(zip.bytes);
      expect(zip.name).toBe("src.zip");
      expect(files.get("parse.ts")?.toString()).toBe(source.replace(old, fresh));
      expect(files.get("stream.ts")?.toString()).toBe(`// mine\n${await readFile(`${folder}/stream.ts`, "utf8")}`);
      expect(files.get("types.ts")).toEqual(await readFile(`${folder}/types.ts`));
    });

    test("get the script for any files", async () => {
      const { page, person } = bench;
      await person.pick("Folder…", folder);
      await page.getByText("It was written for the sample").waitFor();
      await page.getByLabel("Permission mode").selectOption("Accept edits");
      await page.getByRole("button", { name: "Run the script" }).click();
      await person.conversation.getByText("Done: the note is in").waitFor();
      await person.file("NOTE-OF-THE-SCRIPT.md new").click();
      await person.editor.getByText("Files:").waitFor();
    });

    test("may be of any kind; what is left out is said", async () => {
      const { page, person } = bench;
      const picture = Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "base64",
      );
      const file = (name: string, buffer: Buffer) => ({ name, mimeType: "application/octet-stream", buffer });
      await person.pick("Files…", [
        file("dot.png", picture),
        file("bytes.bin", Buffer.from([0, 1, 2, 255])),
        file("windows.txt", Buffer.from("\uFEFFone\r\ntwo\r\n")),
        file("large.log", Buffer.alloc(5_000_001, 0x61)),
      ]);
      await page.getByText("Opened 3 files").waitFor();
      await page.getByText("Which, and why").click();
      await page.getByText("large.log: larger than 5 MB").waitFor();
      await person.file("dot.png").click();
      await page.getByRole("img", { name: "/workspace/dot.png" }).waitFor();
      await person.file("bytes.bin").click();
      await page.getByText("This file is not text (4 B)").waitFor();

      // Byte order mark and line ends survive the person's edit.
      await person.file("windows.txt").click();
      await person.editor.getByText("two").click();
      await person.editor.press("End");
      await person.editor.pressSequentially("!");
      await person.file("windows.txt changed").waitFor();
      expect((await bench.download("Download this file")).bytes.toString()).toBe("\uFEFFone\r\ntwo!\r\n");
    });

    test("are added to those that are open, or replace them, as the person says", async () => {
      const { page, person } = bench;
      const file = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(`${name}\n`) });
      await person.pick("Files…", file("one.txt"));
      await person.file("one.txt").waitFor();
      await person.pick("Files…", file("two.txt"));
      await page.getByRole("dialog", { name: "Open 1 file" }).getByRole("button", { name: "Add to it" }).click();
      await person.file("two.txt").waitFor();
      expect(await person.tree.getByRole("treeitem").allTextContents()).toEqual(["one.txt", "two.txt"]);
      await drop(page, { "three.txt": "dropped" });
      await page.getByRole("dialog", { name: "Open 1 file" }).getByRole("button", { name: "Replace it" }).click();
      await person.file("three.txt").waitFor();
      expect(await person.tree.getByRole("treeitem").allTextContents()).toEqual(["three.txt"]);
      await page.getByRole("button", { name: "Sample" }).click();
      await page.getByRole("dialog", { name: "Open the sample" }).getByRole("button", { name: "Replace it" }).click();
      await person.file("README.md").waitFor();
    });
  });
}
async function drop(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  const transfer = await page.evaluateHandle((given) => {
    const data = new DataTransfer();
    for (const [name, text] of Object.entries(given)) data.items.add(new File([text], name));
    return data;
  }, files);
  await page.getByRole("main").dispatchEvent("dragover", { dataTransfer: transfer });
  await page.getByText("Drop files or a folder to open them here").waitFor();
  await page.getByRole("main").dispatchEvent("drop", { dataTransfer: transfer });
}
