import { describe, expect, test } from "vitest";
import { appendBlock, appendData, createAccumulator, nextState } from "../../../src/message/accumulate.ts";
import type { DataBlock, OutputBlock, ToolChunk, ToolResultState } from "../../../src/message/blocks.ts";
import { forAll, randomText, split } from "../property.ts";

function text(words: string, id?: string): OutputBlock {
  return id === undefined ? { type: "text", text: words } : { type: "text", text: words, id };
}

function data(base64: string, id?: string, more: { name?: string; mediaType?: string } = {}): DataBlock {
  const { mediaType = "image/png", name } = more;
  const source = { type: "base64", mediaType, data: base64 } as const;
  return { type: "data", source, ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) };
}

function link(url: string, id?: string): DataBlock {
  return { type: "data", source: { type: "url", url }, ...(id === undefined ? {} : { id }) };
}

describe("appendBlock", () => {
  test.each<[what: string, pieces: OutputBlock[], output: OutputBlock[]]>([
    ["joins neighbouring text", [text("a"), text("b")], [text("ab")]],
    ["joins neighbouring text of other ids under the first", [text("a", "1"), text("b", "2")], [text("ab", "1")]],
    ["goes on with the id that was swallowed", [text("a", "1"), text("b", "2"), text("c", "2")], [text("abc", "1")]],
    [
      "keeps text apart that has data between",
      [text("a"), data("AAAA"), text("b")],
      [text("a"), data("AAAA"), text("b")],
    ],
    [
      "appends to an earlier text of the same id",
      [text("a", "1"), data("AAAA"), text("b", "1")],
      [text("ab", "1"), data("AAAA")],
    ],
    [
      "joins base64 of the same id, whatever is between",
      [data("AAAA", "1"), data("BBBB", "2"), data("CCCC", "1")],
      [data("AAAACCCC", "1"), data("BBBB", "2")],
    ],
    ["joins padded base64 by bytes", [data("YQ==", "1"), data("YmM=", "1")], [data("YWJj", "1")]],
    ["never joins data without an id", [data("AAAA"), data("BBBB")], [data("AAAA"), data("BBBB")]],
    [
      "takes the newest name and media type",
      [data("AAAA", "1", { name: "a" }), data("BBBB", "1", { name: "b", mediaType: "image/gif" })],
      [data("AAAABBBB", "1", { name: "b", mediaType: "image/gif" })],
    ],
    [
      "keeps name and media type where the newer ones are empty",
      [data("AAAA", "1", { name: "a" }), data("BBBB", "1", { name: "", mediaType: "" })],
      [data("AAAABBBB", "1", { name: "a" })],
    ],
    [
      "starts anew with another kind of the same id",
      [text("a", "1"), data("AAAA", "1")],
      [text("a", "1"), data("AAAA")],
    ],
    ["starts anew with text of a data block's id", [data("AAAA", "1"), text("a", "1")], [data("AAAA", "1"), text("a")]],
    [
      "does not join links",
      [link("https://a", "1"), link("https://b", "1")],
      [link("https://a", "1"), link("https://b")],
    ],
    [
      "does not join bytes and links",
      [data("AAAA", "1"), link("https://a", "1"), data("BBBB", "1")],
      [data("AAAABBBB", "1"), link("https://a")],
    ],
  ])("%s", (_what, pieces, output) => {
    const before = structuredClone(pieces);
    const joined: OutputBlock[] = [];
    for (const piece of pieces) appendBlock(joined, piece);
    expect(joined).toEqual(output);
    expect(pieces).toEqual(before);
  });
});

describe("appendData", () => {
  test("joins in place and tells where it cannot", () => {
    const block = data("YQ==", "1");
    expect(appendData(block, { type: "base64", mediaType: "", data: "YmM=" }, "letters")).toBe(true);
    expect(block).toEqual(data("YWJj", "1", { name: "letters" }));
    expect(appendData(block, { type: "url", url: "https://a" })).toBe(false);
    expect(appendData(link("https://a"), data("AAAA").source)).toBe(false);
  });

  test("notices that somebody else has changed the block", () => {
    const block = data("YQ==");
    const more = data("Yg==").source;
    appendData(block, more);
    block.source = data("eA==").source;
    appendData(block, more);
    expect(block.source).toMatchObject({ data: "eGI=" });
    Object.assign(block.source, { data: "AAAAeA==" });
    appendData(block, more);
    expect(block.source).toMatchObject({ data: "AAAAeGI=" });
  });
});

describe("nextState", () => {
  test.each<[before: ToolResultState, said: ToolResultState | undefined, after: ToolResultState]>([
    ["success", undefined, "success"],
    ["success", "running", "success"],
    ["success", "error", "error"],
    ["success", "denied", "denied"],
    ["denied", "interrupted", "interrupted"],
    ["interrupted", "denied", "denied"],
    ["interrupted", "success", "interrupted"],
    ["denied", "error", "error"],
    ["error", "denied", "error"],
    ["error", "interrupted", "error"],
    ["error", "success", "error"],
    ["error", "running", "error"],
  ])("makes of %s and %s %s", (before, said, after) => {
    expect(nextState(before, said)).toBe(after);
  });
});

describe("createAccumulator", () => {
  test("is an empty success at first", () => {
    const { output, state, metadata } = createAccumulator();
    expect({ output, state, metadata }).toEqual({ output: [], state: "success", metadata: {} });
  });

  test("collects blocks, the state and the newest metadata, and leaves the chunks as they were", () => {
    const chunks: ToolChunk[] = [
      { content: [text("a", "1")], state: "running", metadata: { a: 1, nested: { x: 1 } } },
      { content: [], state: "error" },
      { content: [text("b", "1"), data("YQ==", "2")], metadata: { nested: { y: 2 } } },
      { content: [data("YQ==", "2")], state: "success" },
    ];
    const before = structuredClone(chunks);
    const { add, ...result } = collect(chunks);
    expect(result).toEqual({
      output: [text("ab", "1"), data("YWE=", "2")],
      state: "error",
      metadata: { a: 1, nested: { y: 2 } },
    });
    expect(chunks).toEqual(before);
  });

  test("gives the same text, however it was split into chunks", () =>
    forAll(200, (random) => {
      const whole = randomText(random, 40);
      const id = random.once(2) ? "1" : undefined;
      const pieces = split(whole, random).map((piece) => text(piece, id));
      const chunks: ToolChunk[] = [];
      while (pieces.length > 0) chunks.push({ content: pieces.splice(0, 1 + random.below(3)) });
      const { output } = collect(chunks);
      expect(output).toEqual(whole === "" ? [] : [text(whole, id)]);
    }));

  test("takes 10,000 chunks in time that grows with them only", () => {
    const { output } = collect(
      Array.from({ length: 10_000 }, (_, index) => ({ content: [text(`${index % 10}`, "1")] })),
    );
    expect(output).toEqual([text("0123456789".repeat(1000), "1")]);
  });
});

function collect(chunks: readonly ToolChunk[]) {
  const accumulator = createAccumulator();
  for (const chunk of chunks) accumulator.add(chunk);
  const { add, output, state, metadata } = accumulator;
  return { add, output, state, metadata };
}
