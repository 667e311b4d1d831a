import { describe, expect, test } from "vitest";
import { callChunk, chunk, DONE, entry, events, join, readText } from "./recorded.ts";

const end = [chunk({}, "tool_calls"), DONE];
const x = '{"q":"X"}';
const y = '{"q":"Y"}';

interface Case {
  what: string;
  chunks: object[];
  /** Id, name and arguments of each call. */
  calls: [string, string, string][];
  tools?: string[];
}

const usual: Case[] = [
  {
    what: "arguments in pieces",
    chunks: [
      callChunk(entry(0, "a", "search", "")),
      callChunk(entry(0, undefined, undefined, '{"q"')),
      callChunk(entry(0, undefined, null, ':"X"}')),
    ],
    calls: [["a", "search", x]],
  },
  {
    what: "two calls of one tool, one after the other",
    chunks: [
      callChunk(entry(0, "a", "search", "")),
      callChunk(entry(0, undefined, undefined, x)),
      callChunk(entry(1, "b", "search", "")),
      callChunk(entry(1, undefined, undefined, y)),
    ],
    calls: [
      ["a", "search", x],
      ["b", "search", y],
    ],
  },
  {
    what: "a second call that begins before the first ends",
    chunks: [
      callChunk(entry(0, "a", "search", '{"q"')),
      callChunk(entry(1, "b", "read", '{"p')),
      callChunk(entry(0, undefined, undefined, ':"X"}'), entry(1, undefined, undefined, '":1}')),
    ],
    calls: [
      ["a", "search", x],
      ["b", "read", '{"p":1}'],
    ],
  },
  {
    what: "whole calls in one chunk",
    chunks: [callChunk(entry(0, "a", "search", x), entry(1, "b", "search", y))],
    calls: [
      ["a", "search", x],
      ["b", "search", y],
    ],
  },
  { what: "no arguments", chunks: [callChunk(entry(0, "a", "read", ""))], calls: [["a", "read", ""]] },
  { what: "arguments of null", chunks: [callChunk(entry(0, "a", "read", null))], calls: [["a", "read", ""]] },
  {
    what: "arguments as an object",
    chunks: [callChunk(entry(0, "a", "search", { q: "X" }))],
    calls: [["a", "search", x]],
  },
  {
    what: "indexes that do not begin at zero or are out of order",
    chunks: [callChunk(entry(7, "a", "search", x)), callChunk(entry(3, "b", "search", y))],
    calls: [
      ["a", "search", x],
      ["b", "search", y],
    ],
  },
  {
    what: "the old function_call",
    chunks: [
      chunk({ function_call: { name: "search", arguments: "" } }),
      chunk({ function_call: { arguments: '{"q":' } }),
      chunk({ function_call: { arguments: '"X"}' } }),
    ],
    calls: [["id-1", "search", x]],
  },
  {
    what: "cut arguments, as they are",
    chunks: [callChunk(entry(0, "a", "search", '{"q":"X'))],
    calls: [["a", "search", '{"q":"X']],
  },
  {
    what: "entries that are no calls",
    chunks: [callChunk({ index: 0 }, { index: 1, function: {} }), chunk({ tool_calls: [null, 7, "x", []] })],
    calls: [],
  },
];

const ids: Case[] = [
  {
    what: "missing, empty and null ids",
    chunks: [callChunk(entry(0, undefined, "search", x), entry(1, "", "search", y), entry(2, null, "read", "{}"))],
    calls: [
      ["id-1", "search", x],
      ["id-2", "search", y],
      ["id-3", "read", "{}"],
    ],
  },
  {
    what: "an id that comes behind the arguments: one is made up before",
    chunks: [callChunk(entry(0, undefined, "search", '{"q":')), callChunk(entry(0, "late", undefined, '"X"}'))],
    calls: [["id-1", "search", x]],
  },
  { what: "an id that is a number", chunks: [callChunk(entry(0, 17, "search", x))], calls: [["17", "search", x]] },
  {
    what: "one id for two calls: the second is given another",
    chunks: [callChunk(entry(0, "a", "search", x), entry(1, "a", "search", y))],
    calls: [
      ["a", "search", x],
      ["id-1", "search", y],
    ],
  },
  {
    what: "an id that an earlier call of the conversation bears",
    chunks: [callChunk(entry(0, "old", "search", x))],
    calls: [["id-1", "search", x]],
  },
  {
    what: "another id in every chunk",
    chunks: [
      callChunk(entry(0, "a", "search", '{"q"')),
      callChunk(entry(0, "b", undefined, ':"')),
      callChunk(entry(0, "c", null, 'X"}')),
    ],
    calls: [["a", "search", x]],
  },
];

const names: Case[] = [
  {
    what: "id and name in every chunk",
    chunks: [
      callChunk(entry(0, "a", "search", "")),
      callChunk(entry(0, "a", "search", '{"q"')),
      callChunk(entry(0, "a", "search", ':"X"}')),
      callChunk(entry(0, "a", "search", "")),
    ],
    calls: [["a", "search", x]],
  },
  {
    what: "the name in every chunk, without ids",
    chunks: [callChunk(entry(0, "", "search", '{"q"')), callChunk(entry(0, "", "search", ':"X"}'))],
    calls: [["id-1", "search", x]],
  },
  {
    what: "an unknown name in every chunk",
    chunks: [callChunk(entry(0, "a", "seek", "")), callChunk(entry(0, "a", "seek", "{}"))],
    calls: [["a", "seek", "{}"]],
  },
  {
    what: "the name behind the arguments",
    chunks: [
      callChunk(entry(0, "a", undefined, '{"q":')),
      callChunk(entry(0, undefined, "", '"X"}')),
      callChunk(entry(0, undefined, "search", "")),
    ],
    calls: [["a", "search", x]],
  },
  {
    what: "a split name",
    chunks: [
      callChunk(entry(0, "a", "sea", "")),
      callChunk(entry(0, undefined, "rch", '{"q":')),
      callChunk(entry(0, undefined, undefined, '"X"}')),
    ],
    calls: [["a", "search", x]],
  },
  {
    what: "a split name whose first part is a tool too",
    chunks: [callChunk(entry(0, "a", "read", "")), callChunk(entry(0, undefined, "_all", x))],
    calls: [["a", "read_all", x]],
    tools: ["read", "read_all"],
  },
  {
    what: "a name of two equal halves",
    chunks: [callChunk(entry(0, "a", "tom", "")), callChunk(entry(0, undefined, "tom", x))],
    calls: [["a", "tomtom", x]],
    tools: ["tomtom"],
  },
  {
    what: "the shorter of two names that begin alike",
    chunks: [callChunk(entry(0, "a", "read", "")), callChunk(entry(0, undefined, undefined, x))],
    calls: [["a", "read", x]],
    tools: ["read", "read_all"],
  },
  { what: "no name at all", chunks: [callChunk(entry(0, "a", undefined, x))], calls: [["a", "", x]] },
  {
    what: "the real name of a tool whose name no provider takes",
    chunks: [callChunk(entry(0, "a", "fs_read_8bef9c8c", x))],
    calls: [["a", "fs.read", x]],
    tools: ["fs.read"],
  },
];

const indexes: Case[] = [
  {
    what: "no index, whole calls in one chunk",
    chunks: [callChunk(entry(undefined, "a", "search", x), entry(undefined, "b", "search", y))],
    calls: [
      ["a", "search", x],
      ["b", "search", y],
    ],
  },
  {
    what: "no index and no id, whole calls in one chunk, even equal ones",
    chunks: [callChunk(entry(undefined, undefined, "search", x), entry(undefined, undefined, "search", x))],
    calls: [
      ["id-1", "search", x],
      ["id-2", "search", x],
    ],
  },
  {
    what: "no index and no id, whole calls in chunks of their own",
    chunks: [callChunk(entry(undefined, undefined, "search", x)), callChunk(entry(undefined, undefined, "search", y))],
    calls: [
      ["id-1", "search", x],
      ["id-2", "search", y],
    ],
  },
  {
    what: "no index and no arguments, calls of different tools",
    chunks: [callChunk(entry(undefined, undefined, "search", "")), callChunk(entry(undefined, undefined, "read", ""))],
    calls: [
      ["id-1", "search", ""],
      ["id-2", "read", ""],
    ],
  },
  {
    what: "no index, one call in pieces",
    chunks: [
      callChunk(entry(undefined, "a", "search", '{"q"')),
      callChunk(entry(undefined, undefined, undefined, ':"X"}')),
    ],
    calls: [["a", "search", x]],
  },
  {
    what: "no index, but the id in every chunk of interleaved calls",
    chunks: [
      callChunk(entry(undefined, "a", "search", '{"q"')),
      callChunk(entry(undefined, "b", "search", '{"q":')),
      callChunk(entry(undefined, "a", undefined, ':"X"}')),
      callChunk(entry(undefined, "b", undefined, '"Y"}')),
    ],
    calls: [
      ["a", "search", x],
      ["b", "search", y],
    ],
  },
  {
    what: "no index, two calls in pieces side by side",
    chunks: [
      callChunk(entry(undefined, "a", "search", ""), entry(undefined, "b", "search", "")),
      callChunk(entry(undefined, undefined, undefined, x), entry(undefined, undefined, undefined, y)),
    ],
    calls: [
      ["a", "search", x],
      ["b", "search", y],
    ],
  },
  {
    what: "an index that comes later",
    chunks: [callChunk(entry(undefined, "a", "search", '{"q"')), callChunk(entry(0, undefined, undefined, ':"X"}'))],
    calls: [["a", "search", x]],
  },
  {
    what: "index 0 for every call, ids differ",
    chunks: [
      callChunk(entry(0, "a", "search", x)),
      callChunk(entry(0, "b", "search", y)),
      callChunk(entry(0, "c", "read", "")),
    ],
    calls: [
      ["a", "search", x],
      ["b", "search", y],
      ["c", "read", ""],
    ],
  },
  {
    what: "index 0 for every call, in pieces",
    chunks: [
      callChunk(entry(0, "a", "search", '{"q"')),
      callChunk(entry(0, undefined, undefined, ':"X"}')),
      callChunk(entry(0, "b", "search", "")),
      callChunk(entry(0, undefined, undefined, y)),
    ],
    calls: [
      ["a", "search", x],
      ["b", "search", y],
    ],
  },
  {
    what: "index 0 for every call, no ids",
    chunks: [callChunk(entry(0, undefined, "search", x)), callChunk(entry(0, undefined, "search", y))],
    calls: [
      ["id-1", "search", x],
      ["id-2", "search", y],
    ],
  },
  {
    what: "several argument objects under one index, id and name",
    chunks: [callChunk(entry(0, "a", "search", x)), callChunk(entry(0, undefined, undefined, y))],
    calls: [
      ["a", "search", x],
      ["id-1", "search", y],
    ],
  },
  {
    what: "the whole arguments said again",
    chunks: [
      callChunk(entry(0, "a", "search", "")),
      callChunk(entry(0, undefined, undefined, '{"q":')),
      callChunk(entry(0, undefined, undefined, '"X"}')),
      callChunk(entry(0, "a", "search", x)),
    ],
    calls: [["a", "search", x]],
  },
  {
    what: "a bracket too many: it stays with its call",
    chunks: [callChunk(entry(0, "a", "search", x)), callChunk(entry(0, undefined, undefined, "}"))],
    calls: [["a", "search", `${x}}`]],
  },
  {
    what: "brackets inside strings",
    chunks: [callChunk(entry(0, "a", "search", '{"q":"}\\"}')), callChunk(entry(0, undefined, undefined, '{"}'))],
    calls: [["a", "search", '{"q":"}\\"}{"}']],
  },
];

for (const [title, cases] of Object.entries({ usual, ids, names, indexes })) {
  describe(`tool calls of an answer: ${title}`, () => {
    for (const one of cases) {
      test(one.what, () => {
        const options = { takenIds: ["old"], ...(one.tools && { tools: one.tools }) };
        expect(join(readText(events(...one.chunks, ...end), options)).calls).toEqual(
          one.calls.map(([id, name, input]) => ({ id, name, input })),
        );
      });
    }
  });
}

describe("tool calls of an answer", () => {
  test("are announced as soon as the name is sure, and end in order when the answer does", () => {
    const body = events(
      callChunk(entry(0, "a", "search", "")),
      callChunk(entry(1, "b", "read", "")),
      callChunk(entry(1, undefined, undefined, "{}")),
      callChunk(entry(0, undefined, undefined, x)),
      ...end,
    );
    expect(readText(body)).toEqual([
      { type: "tool_call_start", id: "a", name: "search" },
      { type: "tool_call_start", id: "b", name: "read" },
      { type: "tool_call_delta", id: "b", delta: "{}" },
      { type: "tool_call_delta", id: "a", delta: x },
      { type: "tool_call_end", id: "a" },
      { type: "tool_call_end", id: "b" },
      { type: "finish", reason: "tool_calls" },
    ]);
  });

  test("begin a new text block behind them, but do not cut one that runs", () => {
    const body = events(
      chunk({ content: "a" }),
      callChunk(entry(0, "a", "search", '{"q"')),
      chunk({ content: "b" }),
      callChunk(entry(0, undefined, undefined, ':"X"}')),
      chunk({ content: "c" }),
      ...end,
    );
    expect(join(readText(body)).blocks).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "bc" },
    ]);
  });
});
