import { describe, expect, test } from "vitest";
import { type SchemaDialect, toDialect, toDialects } from "../../../src/schema/dialect/dialect.ts";

const all: readonly SchemaDialect[] = ["openai", "openai_strict", "anthropic", "anthropic_strict", "gemini", "mcp"];
const object = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });
const keywordsLost = (schema: unknown, dialect: SchemaDialect): string[] =>
  toDialect(schema, dialect).losses.map((loss) => `${loss.path} ${loss.keyword}`);

describe("every form", () => {
  test.each([[true], [false], [{}], [null], ["x"], [[]], [{ properties: {} }], [undefined]])(
    "tells %j as an object without arguments",
    (schema) => {
      for (const dialect of all)
        expect(toDialect(schema, dialect).schema).toMatchObject({ type: "object", properties: {} });
    },
  );

  test("adds the type that is missing at the root", () => {
    for (const dialect of all)
      expect(toDialect({ properties: { a: { type: "string" } } }, dialect).schema).toMatchObject({
        type: "object",
        properties: { a: {} },
      });
  });

  test("has no alternatives at the root, except MCP", () => {
    const schema = {
      type: "object",
      properties: { c: {} },
      anyOf: [object({ a: { type: "string" } }, { required: ["a", "c"] }), object({ b: {} }, { required: ["b", "c"] })],
    };
    for (const dialect of ["openai", "anthropic", "gemini"] as const) {
      expect(toDialect(schema, dialect).schema).toEqual({
        type: "object",
        properties: { a: { type: "string" }, b: {}, c: {} },
        required: ["c"],
      });
    }
    expect(keywordsLost(schema, "openai")).toEqual([" anyOf"]);
    expect(toDialect(schema, "mcp").schema).toEqual(schema);
  });

  test("never fetches a reference, and follows local ones", () => {
    const schema = object(
      { p: { $ref: "#/$defs/P" }, far: { $ref: "https://x.test/y.json" }, none: { $ref: "#/$defs/None" } },
      { $defs: { P: { type: "string" } } },
    );
    for (const dialect of ["openai", "anthropic", "gemini"] as const) {
      expect(toDialect(schema, dialect).schema).toEqual({
        type: "object",
        properties: { p: { type: "string" }, far: {}, none: {} },
      });
    }
    expect(keywordsLost(schema, "openai")).toEqual(["/properties/far $ref", "/properties/none $ref"]);
  });

  test("cuts a schema that contains itself", () => {
    const schema = object({ child: { $ref: "#" }, name: { type: "string" } });
    for (const dialect of all.slice(0, 5))
      expect(JSON.stringify(toDialect(schema, dialect).schema).length).toBeLessThan(1000);
    expect(toDialect(schema, "openai_strict").strict).toBe(false);
    expect(toDialect(schema, "anthropic_strict").losses.at(-1)).toMatchObject({
      keyword: "strict",
      reason: expect.stringContaining("contains itself"),
    });
  });

  test("stays small whatever references multiply", () => {
    const $defs: Record<string, object> = { d30: { type: "string" } };
    for (let level = 0; level < 30; level += 1)
      $defs[`d${level}`] = object({ a: { $ref: `#/$defs/d${level + 1}` }, b: { $ref: `#/$defs/d${level + 1}` } });
    for (const dialect of all.slice(0, 5))
      expect(
        JSON.stringify(toDialect({ ...object({ x: { $ref: "#/$defs/d0" } }), $defs }, dialect).schema).length,
      ).toBeLessThan(3_000_000);
  });

  test("tidies what belongs to another type", () => {
    const schema = object({ d: { type: "string", properties: {}, required: [] }, l: { type: "array" }, v: true });
    for (const dialect of ["openai", "anthropic", "gemini"] as const) {
      expect(toDialect(schema, dialect).schema).toEqual({
        type: "object",
        properties: { d: { type: "string" }, l: { type: "array", items: {} }, v: {} },
      });
    }
  });

  test("merges allOf, and says where its parts differ", () => {
    const schema = object({
      a: {
        allOf: [
          { type: "string", minLength: 1 },
          { pattern: "x", minLength: 2 },
        ],
      },
    });
    expect(toDialect(schema, "openai").schema).toMatchObject({
      properties: { a: { type: "string", minLength: 1, pattern: "x" } },
    });
    expect(keywordsLost(schema, "openai")).toEqual(["/properties/a minLength"]);
  });

  test("never changes what it is given", () => {
    const schema = object(
      { a: { oneOf: [{ const: 1 }, { type: "null" }] } },
      { $defs: { A: {} }, additionalProperties: false },
    );
    const before = JSON.stringify(schema);
    for (const dialect of all) toDialect(schema, dialect);
    expect(JSON.stringify(schema)).toBe(before);
  });
});

describe("OpenAI strict", () => {
  test("closes objects, requires everything and makes optional parameters nullable", () => {
    const schema = object(
      {
        city: { type: "string" },
        unit: { type: "string", enum: ["c", "f"], default: "c" },
        at: { anyOf: [{ type: "string" }, { type: "number" }] },
        deep: object({ x: { type: "integer" } }),
      },
      { required: ["city"] },
    );
    expect(toDialect(schema, "openai_strict")).toEqual({
      strict: true,
      losses: [],
      schema: {
        type: "object",
        properties: {
          city: { type: "string" },
          unit: { type: ["string", "null"], enum: ["c", "f", null] },
          at: { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
          deep: {
            type: ["object", "null"],
            properties: { x: { type: ["integer", "null"] } },
            required: ["x"],
            additionalProperties: false,
          },
        },
        required: ["city", "unit", "at", "deep"],
        additionalProperties: false,
      },
    });
  });

  test.each<[string, object]>([
    ["an object that takes any property", { map: { type: "object", additionalProperties: { type: "string" } } }],
    ["an object of which nothing is said", { map: { type: "object" } }],
    ["a value of which nothing is said", { any: {} }],
    [
      "too many levels",
      {
        a: Array.from({ length: 12 }).reduce<object>((inner) => object({ a: inner }, { required: ["a"] }), {
          type: "string",
        }),
      },
    ],
    ["too many choices", { a: { type: "string", enum: Array.from({ length: 1001 }, (_, index) => `c${index}`) } }],
  ])("falls back for %s", (_name, properties) => {
    const { strict, losses, schema } = toDialect(object(properties), "openai_strict");
    expect([strict, losses.at(-1)?.keyword]).toEqual([false, "strict"]);
    expect(schema).toEqual(toDialect(object(properties), "openai").schema);
  });

  test("reports what it cannot say", () => {
    expect(keywordsLost(object({ a: { type: "string", minLength: 2, not: { const: "x" } } }), "openai_strict")).toEqual(
      ["/properties/a minLength", "/properties/a not"],
    );
  });
});

describe("Anthropic strict", () => {
  test("keeps optional parameters optional and leaves out limits on values", () => {
    const schema = object(
      {
        a: { type: "string", minLength: 2, format: "regex" },
        b: { type: "array", items: { type: "number", minimum: 1 }, minItems: 3 },
      },
      { required: ["a"] },
    );
    expect(toDialect(schema, "anthropic_strict").schema).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "array", items: { type: "number" }, minItems: 1 } },
      required: ["a"],
      additionalProperties: false,
    });
    expect(keywordsLost(schema, "anthropic_strict")).toEqual([
      "/properties/a minLength",
      "/properties/a format",
      "/properties/b/items minimum",
      "/properties/b minItems",
    ]);
  });

  test("shares the limits of a request out to the first tools that fit", () => {
    const tool = (optional: number): { name: string; inputSchema: never; strict: true } => ({
      name: "t",
      strict: true,
      inputSchema: object(
        Object.fromEntries(Array.from({ length: optional }, (_, index) => [`p${index}`, { type: "string" }])),
      ) as never,
    });
    expect(toDialects([tool(20), tool(5), tool(4)], "anthropic").map((converted) => converted.strict)).toEqual([
      true,
      false,
      true,
    ]);
    expect(
      toDialects(
        Array.from({ length: 22 }, () => tool(0)),
        "anthropic",
      ).filter((converted) => converted.strict).length,
    ).toBe(20);
    expect(
      toDialects([tool(30), { ...tool(1), strict: undefined }], "openai").map((converted) => converted.strict),
    ).toEqual([true, false]);
  });
});

describe("Gemini", () => {
  test("has one type, null as a flag, choices of strings, and no unknown keywords", () => {
    const schema = object(
      {
        a: { type: ["string", "null"] },
        b: { anyOf: [{ type: "number" }, { type: "null" }] },
        c: { enum: [1, 2] },
        d: { const: "x" },
        e: { type: ["string", "number"] },
        f: { type: "number", exclusiveMinimum: 0 },
        g: { type: "string", enum: ["x", null] },
      },
      { additionalProperties: false, $schema: "http://json-schema.org/draft-07/schema#" },
    );
    expect(toDialect(schema, "gemini").schema).toEqual({
      type: "object",
      properties: {
        a: { type: "string", nullable: true },
        b: { type: "number", nullable: true },
        c: { type: "number", description: "One of 1, 2." },
        d: { type: "string", enum: ["x"] },
        e: { anyOf: [{ type: "string" }, { type: "number" }] },
        f: { type: "number" },
        g: { type: "string", enum: ["x"], nullable: true },
      },
    });
    expect(keywordsLost(schema, "gemini")).toEqual(["/properties/c enum", "/properties/f exclusiveMinimum"]);
  });
});
