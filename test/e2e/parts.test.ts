/** Parts of the playground that can be told right from wrong without a page. */
import type { AgentEvent, JsonObject } from "holdall";
import { describe, expect, test } from "vitest";
import { compareTexts, type Hunk, readUnifiedDiff } from "../../demo/app/diff/hunks.ts";
import { openSession } from "../../demo/app/drive/session.ts";
import { toContent } from "../../demo/app/editor/document.ts";
import { fieldsOf } from "../../demo/app/form/fields.ts";
import { readForm } from "../../demo/app/form/values.ts";
import { createStore, type Store } from "../../demo/app/store/store.ts";
import { addEvents, MAX_ENTRIES } from "../../demo/app/timeline/entries.ts";
import { groupEntries } from "../../demo/app/timeline/groups.ts";
import { collectFiles, type PickedFile } from "../../demo/app/workspace/collect-files.ts";
import { visibleRows } from "../../demo/app/workspace/tree.ts";
import { zip } from "../../demo/app/workspace/zip.ts";
import { readZip } from "./zip.ts";

describe("compareTexts", () => {
  test.each([
    ["a new file", "", "a\nb\n", ["+1 a", "+2 b"]],
    ["a file that is gone", "a\nb\n", "", ["-1 a", "-2 b"]],
    ["a changed line", "a\nb\nc\n", "a\nB\nc\n", [" 1 a", "-2 b", "+2 B", " 3 c"]],
    ["a line at the end", "a\n", "a\nb\n", [" 1 a", "+2 b"]],
    ["a line at the start", "b\n", "a\nb\n", ["+1 a", " 2 b"]],
    ["nothing", "a\n", "a\n", []],
    [
      "far changes",
      numbered(30),
      numbered(30, { 2: "x", 25: "y" }),
      [
        ...[" 1 1", "-2 2", "+2 x", " 3 3", " 4 4", " 5 5"],
        ...[" 22 22", " 23 23", " 24 24", "-25 25", "+25 y", " 26 26", " 27 27", " 28 28"],
      ],
    ],
  ])("shows %s", (_what, before, after, lines) => {
    expect(compareTexts(before, after).flat().map(show)).toEqual(lines);
  });

  test("starts a hunk for each far change", () => {
    expect(compareTexts(numbered(30), numbered(30, { 2: "x", 25: "y" })).map((hunk) => hunk.length)).toEqual([6, 8]);
  });
});

test("readUnifiedDiff reads what tools write, and nothing else", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -2,3 +2,3 @@\n a\n-b\n+B\n c\n\\ No newline at end of file\n";
  expect(readUnifiedDiff(diff)?.flat().map(show)).toEqual([" 2 a", "-3 b", "+3 B", " 4 c"]);
  expect(readUnifiedDiff("Replaced 1 occurrence.")).toBeUndefined();
});

test.each([
  ["text", "a\nb\n", "text", "\n"],
  ["text of Windows", "a\r\nb\r\n", "text", "\r\n"],
  ["text of both kinds", "a\r\nb\n", "text", "\n"],
  ["zeros", "a\0b", "binary", undefined],
  ["no UTF-8", Uint8Array.of(0x61, 0xff), "binary", undefined],
])("toContent takes %s for what it is", (_what, file, kind, lineBreak) => {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const content = toContent("/x.txt", bytes);
  expect([content.kind, content.kind === "text" ? content.lineBreak : undefined]).toEqual([kind, lineBreak]);
});

describe("a form", () => {
  const schema: JsonObject = {
    type: "object",
    properties: {
      note: { type: "string", description: "A note." },
      content: { type: "string" },
      count: { type: "integer", minimum: 1 },
      ratio: { anyOf: [{ type: "number" }, { type: "null" }] },
      deep: { type: "boolean", default: true },
      mode: { enum: ["a", 2] },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["content", "count"],
  };

  test("has a field for each property, required ones first", () => {
    expect(fieldsOf(schema).map(({ name, kind, isRequired }) => `${name} ${kind}${isRequired ? " *" : ""}`)).toEqual([
      "content long-text *",
      "count integer *",
      "note text",
      "ratio number",
      "deep boolean",
      "mode choice",
      "tags json",
    ]);
  });

  test.each([
    ["the least", { count: "1" }, { content: "", count: 1 }, []],
    [
      "everything",
      { note: "n", content: "a\nb", count: "2", ratio: "0.5", deep: false, mode: "2", tags: '["x"]' },
      { note: "n", content: "a\nb", count: 2, ratio: 0.5, deep: false, mode: 2, tags: ["x"] },
      [],
    ],
    ["a missing number", {}, { content: "" }, ["count"]],
    ["a number out of bounds, and broken JSON", { count: "0", tags: "[" }, { content: "" }, ["count", "tags"]],
  ])("gives %s", (_what, values, input, wrong) => {
    const filled = readForm(fieldsOf(schema), values);
    expect([filled.input, Object.keys(filled.problems)]).toEqual([input, wrong]);
  });
});

describe("the list of events", () => {
  const event = (id: number, body: object) => ({ id: String(id), createdAt: id, replyId: "r", ...body }) as AgentEvent;

  test("joins the pieces of a block and groups what belongs to a call", () => {
    const entries = addEvents(
      [],
      [
        event(1, { type: "TEXT_BLOCK_DELTA", blockId: "t", delta: "Hel" }),
        event(2, { type: "TEXT_BLOCK_DELTA", blockId: "t", delta: "lo" }),
        event(3, { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "Read" }),
        event(4, { type: "MODEL_CALL_END", modelName: "m" }),
        event(5, { type: "TOOL_RESULT_END", toolCallId: "c", state: "success", metadata: {} }),
      ],
    );
    expect(entries.map(({ type, pieces, text }) => [type, pieces, text])).toEqual([
      ["TEXT_BLOCK_DELTA", 2, "Hello"],
      ["TOOL_CALL_START", 1, ""],
      ["MODEL_CALL_END", 1, ""],
      ["TOOL_RESULT_END", 1, ""],
    ]);
    const items = groupEntries(entries, { hidden: new Set(["model"]), text: "" });
    expect(
      items.map((item) => (item.kind === "call" ? [item.name, item.state, item.entries.length] : item.entry.type)),
    ).toEqual(["TEXT_BLOCK_DELTA", ["Read", "success", 2]]);
  });

  test("forgets the oldest", () => {
    const many = Array.from({ length: MAX_ENTRIES + 2 }, (_, id) => event(id, { type: "USER_INTERRUPT" }));
    const entries = addEvents([], many);
    expect([entries.length, entries[0]?.key]).toEqual([MAX_ENTRIES, "2"]);
  });
});

describe("collectFiles", () => {
  const picked = (path: string, size = 1): PickedFile => ({ path, file: () => new File([new Uint8Array(size)], "x") });

  test("names the workspace after the one folder, and says what it leaves out", async () => {
    const unreadable: PickedFile = { path: "p/gone.txt", file: () => Promise.reject(new Error("it is gone")) };
    const all = [
      picked("p/a.txt", 3),
      picked("p/node_modules/x/i.js"),
      picked("p/big", 5_000_001),
      picked("p/b\0"),
      unreadable,
    ];
    const { name, files, skipped, bytes } = await collectFiles(all);
    expect([name, [...files.keys()], bytes]).toEqual(["p", ["a.txt"], 3]);
    expect(skipped.map(({ path, reason }) => `${path}: ${reason.slice(0, 20)}`)).toEqual([
      "p/node_modules/x/i.js: in node_modules",
      "p/big: larger than 5 MB",
      'p/b\0: cannot be read ("p/b',
      "p/gone.txt: cannot be read (it i",
    ]);
  });

  test("ends at the most files", async () => {
    const { files, skipped } = await collectFiles(Array.from({ length: 2003 }, (_, index) => picked(`f${index}`)));
    expect([files.size, skipped.length, skipped[0]?.reason]).toEqual([2000, 3, "more than 2,000 files"]);
  });
});

test("visibleRows puts folders first, hides what is folded, and marks folders with changes", () => {
  const entries = ["/workspace/z.txt", "/workspace/a", "/workspace/a/x.txt", "/workspace/b", "/workspace/b/y.txt"].map(
    (path) => ({ path, kind: path.endsWith(".txt") ? ("file" as const) : ("directory" as const), size: 0 }),
  );
  const rows = visibleRows(entries, new Set(["/workspace/b"]), new Map([["/workspace/a/x.txt", "changed"]]));
  expect(rows.map(({ name, level, position, siblings, status }) => [name, level, position, siblings, status])).toEqual([
    ["a", 1, 1, 3, "changed"],
    ["b", 1, 2, 3, "same"],
    ["y.txt", 2, 1, 1, "same"],
    ["z.txt", 1, 3, 3, "same"],
  ]);
});

test("zip keeps every byte and every name", async () => {
  const files = new Map([
    ["empty", new Uint8Array()],
    ["ä/long.txt", new TextEncoder().encode("again and ".repeat(1000))],
    ["short.bin", Uint8Array.of(0, 255, 1)],
  ]);
  const archive = Buffer.from(await (await zip(files, new Date(2026, 0, 2, 3, 4, 5))).arrayBuffer());
  expect([...readZip(archive)].map(([name, bytes]) => [name, new Uint8Array(bytes)])).toEqual([...files]);
});

describe("the keeper of the open file", () => {
  async function openFile(text: string) {
    const told: { store?: Store } = {};
    const files = new Map([["a.txt", new TextEncoder().encode(text)]]);
    const session = openSession(
      { name: "test", files },
      { onChange: ({ path }) => told.store?.keeper.changed(path), onTree: () => {} },
    );
    const store = createStore(session);
    told.store = store;
    await store.keeper.open("/workspace/a.txt");
    const { fs } = session.workspace;
    const read = async () => new TextDecoder().decode((await fs.read("/workspace/a.txt")).bytes);
    const write = (now: string) => fs.write("/workspace/a.txt", new TextEncoder().encode(now));
    return { store, read, write };
  }

  test("saves what the person typed", async () => {
    const { store, read } = await openFile("one\n");
    store.keeper.edited("two\n");
    expect([store.saving.value, await read()]).toEqual(["editing", "one\n"]);
    await store.keeper.flush();
    expect([store.saving.value, await read()]).toEqual(["saved", "two\n"]);
  });

  test("shows what somebody else wrote", async () => {
    const { store, write } = await openFile("one\n");
    await write("theirs\n");
    await store.keeper.flush();
    expect(store.document.value?.loaded?.text).toBe("theirs\n");
  });

  test.each([
    ["mine", "mine\n"],
    ["theirs", "theirs\n"],
  ] as const)("lets the person keep %s when both changed the file", async (choice, outcome) => {
    const { store, read, write } = await openFile("one\n");
    store.keeper.edited("mine\n");
    await write("theirs\n");
    await store.keeper.flush();
    expect([store.saving.value, await read()]).toEqual(["conflict", "theirs\n"]);
    // Another file is not opened over a conflict: the text would be lost.
    await store.keeper.open("/workspace/b.txt");
    expect(store.document.value?.path).toBe("/workspace/a.txt");
    await store.keeper.settle(choice);
    expect([store.saving.value, await read()]).toEqual(["saved", outcome]);
  });
});

function numbered(count: number, changes: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: count }, (_, index) => `${changes[index + 1] ?? index + 1}\n`).join("");
}

function show({ kind, text, oldLine, newLine }: Hunk[number]): string {
  return `${{ same: " ", added: "+", removed: "-" }[kind]}${newLine ?? oldLine} ${text}`;
}
