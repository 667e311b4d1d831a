import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineTool } from "../../src/tool/define-tool.ts";
import { Toolkit } from "../../src/toolkit/toolkit.ts";

const facts = { name: "order", description: "Orders.", readOnly: true };

/** One tool in every library, and as raw JSON Schema of two drafts. */
const tools = {
  valibot: defineTool({
    ...facts,
    input: v.object({
      item: v.pipe(v.string(), v.minLength(2)),
      count: v.optional(v.pipe(v.number(), v.integer()), 1),
      to: v.object({ city: v.string() }),
    }),
    execute: ({ item, count, to }) => `${count} ${item} to ${to.city}`,
  }),
  zod: defineTool({
    ...facts,
    input: z.object({
      item: z.string().min(2),
      count: z.number().int().default(1),
      to: z.object({ city: z.string() }),
    }),
    execute: ({ item, count, to }) => `${count} ${item} to ${to.city}`,
  }),
  arktype: defineTool({
    ...facts,
    input: type({ item: "string >= 2", count: "number.integer = 1", to: { city: "string" } }),
    execute: ({ item, count, to }) => `${count} ${item} to ${to.city}`,
  }),
  "JSON Schema 2020-12": defineTool({
    ...facts,
    input: {
      jsonSchema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: {
          item: { type: "string", minLength: 2 },
          count: { type: "integer", default: 1 },
          to: { $ref: "#/$defs/place" },
        },
        required: ["item", "to"],
        $defs: { place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
      },
    },
    execute: ({ item, count, to }) => `${count} ${item} to ${(to as { city: string }).city}`,
  }),
  "JSON Schema draft-07": defineTool({
    ...facts,
    input: {
      jsonSchema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        properties: {
          item: { type: "string", minLength: 2 },
          count: { type: "integer", default: 1 },
          to: { $ref: "#/definitions/place" },
        },
        required: ["item", "to"],
        definitions: { place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
      },
    },
    execute: ({ item, count, to }) => `${count} ${item} to ${(to as { city: string }).city}`,
  }),
};

describe.each(Object.entries(tools))("a tool whose input is %s", (_name, tool) => {
  const toolkit = new Toolkit({ tools: [tool] });
  const run = async (input: object): Promise<[string, string]> => {
    const { state, output } = await toolkit.run({ name: "order", input });
    return [state, output[0]?.type === "text" ? output[0].text : ""];
  };

  test("describes itself as JSON Schema", () => {
    expect(toolkit.schemas()[0]?.inputSchema).toMatchObject({
      type: "object",
      properties: { item: { type: "string", minLength: 2 }, count: { type: "integer" } },
      required: expect.arrayContaining(["item", "to"]),
    });
  });

  test("hands on the validated value, defaults filled in", async () => {
    expect(await run({ item: "tea", to: { city: "Rome" } })).toEqual(["success", "1 tea to Rome"]);
  });

  test("mends numbers written as text", async () => {
    expect(await run({ item: "tea", count: "3", to: { city: "Rome" } })).toEqual(["success", "3 tea to Rome"]);
  });

  test.each([
    ["a nested parameter that is missing", { item: "tea", to: {} }, "to"],
    ["a nested parameter of another type", { item: "tea", to: { city: 5 } }, "to.city"],
    ["a parameter that is too short", { item: "t", to: { city: "Rome" } }, "item"],
  ])("names %s", async (_case, input, path) => {
    const [state, text] = await run(input);
    expect(state).toBe("error");
    expect(text).toContain(path);
    expect(text).toContain("item (string, required)");
  });
});

test("a library that only validates needs a JSON Schema beside it", async () => {
  const schema = {
    "~standard": {
      version: 1 as const,
      vendor: "mine",
      validate: (value: unknown) => ({ value: { doubled: 2 * (value as { n: number }).n } }),
    },
  };
  expect(() => defineTool({ ...facts, input: schema, execute: () => "" })).toThrow("SCHEMA_INVALID");
  const tool = defineTool({
    ...facts,
    input: { schema, jsonSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } },
    execute: ({ doubled }) => String(doubled),
  });
  expect((await new Toolkit({ tools: [tool] }).run({ name: "order", input: { n: 4 } })).output).toEqual([
    { type: "text", text: "8" },
  ]);
});

test("a recursive schema is checked at every depth", async () => {
  const jsonSchema = {
    type: "object",
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
    required: ["name"],
  };
  const toolkit = new Toolkit({
    tools: [defineTool({ ...facts, input: { jsonSchema }, execute: (input) => JSON.stringify(input) })],
  });
  const tree = { name: "a", children: [{ name: "b", children: [{ name: "c" }] }] };
  expect((await toolkit.run({ name: "order", input: tree })).state).toBe("success");
  const broken = await toolkit.run({
    name: "order",
    input: { name: "a", children: [{ name: "b", children: [{ nam: "c" }] }] },
  });
  expect([broken.state, JSON.stringify(broken.output)]).toEqual([
    "error",
    expect.stringContaining("children[0].children[0]"),
  ]);
});
