/** NotebookEdit on any backend: one cell changes, everything else stays as it is written. */

import { PermissionEngine, Toolkit } from "holdall";
import { notebookEditTool, readTool } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { type Ground, type OpenGround, openGroundDesk } from "../ground.ts";

const tools = ({ backend }: Ground) => [readTool({ backend }), notebookEditTool({ backend })];

/** Written as Jupyter writes, with a number that JSON would write differently, and a second kind of spaces. */
const notebook = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# Title\\n",
    "text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "calc",
   "metadata": {},
   "outputs": [{"output_type": "stream", "text": ["] } old\\n"]}],
   "source": "a = 1"
  }
 ],
 "metadata":   {"x": 1.0, "cells": []},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

const intro = notebook.slice(notebook.indexOf("  {"), notebook.indexOf(",\n  {"));
const calc = notebook.slice(notebook.indexOf(",\n  {") + 2, notebook.indexOf("\n ],"));
const [head = "", tail = ""] = [notebook.slice(0, notebook.indexOf("  {")), notebook.slice(notebook.indexOf("\n ],"))];
const join = (...cells: string[]): string => `${head}${cells.join(",\n")}${tail}`;

const newCalc = `  {
   "cell_type": "code",
   "execution_count": null,
   "id": "calc",
   "metadata": {},
   "outputs": [],
   "source": "b = 2\\nc = 3"
  }`;

const newIntro = `  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "one\\n",
    "two\\n"
   ]
  }`;

const inserted = `  {
   "cell_type": "code",
   "execution_count": null,
   "id": "cell-3",
   "metadata": {},
   "outputs": [],
   "source": [
    "new"
   ]
  }`;

const code = { edit_mode: "insert", cell_type: "code", new_source: "new" };

const changes: { name: string; file?: string; input: object; result: string; says: string }[] = [
  {
    name: "replaces code, and takes out what it has printed",
    input: { cell_id: "calc", new_source: "b = 2\nc = 3" },
    result: join(intro, newCalc),
    says: "Replaced cell 2",
  },
  {
    name: "replaces text, by position",
    input: { cell_id: "1", new_source: "one\ntwo\n" },
    result: join(newIntro, calc),
    says: "Replaced cell 1",
  },
  { name: "inserts first", input: code, result: join(inserted, intro, calc), says: "Inserted cell 1" },
  {
    name: "inserts in between",
    input: { ...code, cell_id: "intro" },
    result: join(intro, inserted, calc),
    says: "Inserted cell 2",
  },
  {
    name: "inserts last",
    input: { ...code, cell_id: "2" },
    result: join(intro, calc, inserted),
    says: "Inserted cell 3",
  },
  {
    name: "deletes the first",
    input: { cell_id: "intro", edit_mode: "delete" },
    result: join(calc),
    says: "Deleted cell 1",
  },
  {
    name: "deletes the last",
    input: { cell_id: "calc", edit_mode: "delete" },
    result: join(intro),
    says: "Deleted cell 2",
  },
  {
    name: "makes code of text",
    file: '{"cells":[{"cell_type":"markdown","metadata":{},"source":"x"}],"nbformat":4,"nbformat_minor":4}',
    input: { cell_id: "1", new_source: "y", cell_type: "code" },
    result:
      '{"cells":[{"cell_type":"code","metadata":{},"source":"y","outputs":[],"execution_count":null}],"nbformat":4,"nbformat_minor":4}',
    says: "Replaced cell 1",
  },
  {
    name: "makes text of code",
    file: '{"cells":[{"cell_type":"code","execution_count":1,"metadata":{},"outputs":[1],"source":["x"]}]}',
    input: { cell_id: "1", new_source: "y", cell_type: "markdown" },
    result: '{"cells":[{"cell_type":"markdown","metadata":{},"source":["y"]}]}',
    says: "Replaced cell 1",
  },
  {
    name: "inserts into an empty notebook on one line, without ids before 4.5",
    file: '{"nbformat":4,"nbformat_minor":4,"cells":[ ]}',
    input: { edit_mode: "insert", cell_type: "raw", new_source: "" },
    result: '{"nbformat":4,"nbformat_minor":4,"cells":[{"cell_type":"raw","metadata":{},"source":[]}]}',
    says: "Inserted cell 1",
  },
  {
    name: "inserts into an empty notebook with CRLF and tabs",
    file: '{\r\n\t"cells": [],\r\n\t"nbformat": 4\r\n}',
    input: { edit_mode: "insert", cell_type: "markdown", new_source: "a" },
    result:
      '{\r\n\t"cells": [\r\n\t\t{\r\n\t\t\t"cell_type": "markdown",\r\n\t\t\t"metadata": {},\r\n\t\t\t"source": [\r\n\t\t\t\t"a"\r\n\t\t\t]\r\n\t\t}\r\n\t],\r\n\t"nbformat": 4\r\n}',
    says: "Inserted cell 1",
  },
  {
    name: "deletes the only one",
    file: '\xef\xbb\xbf{"cells": [ {"source": "\\\\\\"]"} ], "x": 1e2}',
    input: { cell_id: "1", edit_mode: "delete" },
    result: '\xef\xbb\xbf{"cells": [], "x": 1e2}',
    says: "Deleted cell 1",
  },
];

const refused: { name: string; file: string; input: object; says: RegExp }[] = [
  {
    name: "an id that is not there",
    file: notebook,
    input: { cell_id: "none" },
    says: /no cell "none".*from 1 to 2\.$/,
  },
  { name: "position 0", file: notebook, input: { cell_id: "0" }, says: /no cell "0"/ },
  { name: "no cell to replace", file: notebook, input: { new_source: "x" }, says: /cell_id is missing/ },
  {
    name: "a new cell of no type",
    file: notebook,
    input: { edit_mode: "insert", new_source: "x" },
    says: /cell_type is missing/,
  },
  { name: "half a character", file: notebook, input: { cell_id: "1", new_source: "\ud83d" }, says: /surrogate pair/ },
  { name: "a list", file: "[]", input: { cell_id: "1" }, says: /is not a notebook/ },
  { name: "cells that are no list", file: '{"cells":{}}', input: { cell_id: "1" }, says: /is not a notebook/ },
  { name: "bytes that are no text", file: '{"cells":["\xff"]}', input: { cell_id: "1" }, says: /is not a notebook/ },
];

/** Adds the tests. */
export function notebookEditCases(open: OpenGround): void {
  describe("NotebookEdit", () => {
    test.each(changes)("$name", async ({ file = notebook, input, result, says }) => {
      const desk = await openGroundDesk(open, { "n.ipynb": file }, tools);
      await desk.say("Read", { file_path: "n.ipynb" });
      expect(await desk.say("NotebookEdit", { notebook_path: "n.ipynb", ...input })).toBe(
        `success: ${says} in ROOT/n.ipynb.`,
      );
      expect(await desk.raw("n.ipynb")).toBe(result);
      await desk.close();
    });

    test.each(refused)("refuses $name", async ({ file, input, says }) => {
      const desk = await openGroundDesk(open, { "n.ipynb": file }, tools);
      await desk.say("Read", { file_path: "n.ipynb" });
      const said = await desk.say("NotebookEdit", { notebook_path: "n.ipynb", ...input });
      expect(said).toMatch(/^error: /);
      expect(said).toMatch(says);
      expect(await desk.raw("n.ipynb")).toBe(file);
      await desk.close();
    });

    test("knows only what was read, and edits again without reading again", async () => {
      const desk = await openGroundDesk(open, { "n.ipynb": notebook }, tools);
      const edit = { notebook_path: "n.ipynb", cell_id: "calc", new_source: "b = 2\nc = 3" };
      expect(await desk.say("NotebookEdit", edit)).toMatch(/^error: .*has not been read/);
      await desk.say("Read", { file_path: "n.ipynb" });
      expect(await desk.say("NotebookEdit", edit)).toMatch(/^success/);
      expect(await desk.say("NotebookEdit", { ...edit, edit_mode: "delete" })).toMatch(/^success/);
      expect(await desk.raw("n.ipynb")).toBe(join(intro));
      await desk.put("n.ipynb", notebook);
      expect(await desk.say("NotebookEdit", edit)).toMatch(/^error: .*has changed since it was read/);
      await desk.close();
    });

    test("asks as Edit does", async () => {
      const desk = await openGroundDesk(open, { "n.ipynb": notebook }, tools);
      const toolkit = new Toolkit({ tools: tools(desk) });
      const states = ["default", "accept_edits", "explore"] as const;
      const input = { notebook_path: "n.ipynb", cell_id: "calc", new_source: "x" };
      const decided: string[] = [];
      for (const mode of states) {
        const permission = new PermissionEngine({ mode });
        decided.push((await toolkit.run({ name: "NotebookEdit", input }, { permission })).state);
      }
      expect(decided).toEqual(["suspended", "success", "denied"]);
      await desk.close();
    });
  });
}
