import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { HoldallError } from "../../../src/base/errors.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import { type CompiledInput, compileInput, type ToolInput } from "../../../src/schema/input-schema.ts";
import type { StandardSchema } from "../../../src/schema/standard-schema.ts";
import { formatPath } from "../../../src/schema/validated.ts";

function compile(input: unknown): CompiledInput {
  return compileInput(input as ToolInput, "weather");
}

function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

const valibotSchema = v.object({
  city: v.pipe(v.string(), v.description("City name")),
  unit: v.optional(v.picklist(["c", "f"]), "c"),
  days: v.optional(v.pipe(v.string(), v.transform(Number), v.number(), v.maxValue(9))),
  stops: v.optional(v.array(v.object({ name: v.string() }))),
});

const zodSchema = z.object({
  city: z.string().describe("City name"),
  unit: z.enum(["c", "f"]).default("c"),
  days: z
    .string()
    .transform(Number)
    .refine((days) => days <= 9, "too many days")
    .optional(),
  stops: z.array(z.object({ name: z.string() })).optional(),
});

describe.each<[library: string, schema: ToolInput]>([
  ["valibot", valibotSchema],
  ["zod", zodSchema],
])("a schema of %s", (_library, schema) => {
  const compiled = compile(schema);

  test("is described as the model writes it", () => {
    const { jsonSchema } = compiled;
    expect(jsonSchema).toMatchObject({
      type: "object",
      properties: {
        city: { type: "string", description: "City name" },
        unit: { enum: ["c", "f"], default: "c" },
        days: { type: "string" },
        stops: {
          type: "array",
          items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        },
      },
      required: ["city"],
    });
    expect(jsonSchema).not.toHaveProperty("$schema");
    expect(JSON.parse(JSON.stringify(jsonSchema))).toEqual(jsonSchema);
  });

  test("validates at once, and hands on defaults and what was transformed", () => {
    expect(compiled.validate({ city: "Paris", days: "3" })).toEqual({
      ok: true,
      value: { city: "Paris", unit: "c", days: 3 },
    });
  });

  test("tells where something is wrong", () => {
    const validated = compiled.validate({ city: 5, unit: "k", days: "12", stops: [{ name: "a" }, {}] });
    expect(validated).toMatchObject({ ok: false });
    const paths = "issues" in validated ? validated.issues.map(({ path }) => path) : [];
    expect(paths).toEqual(["city", "unit", "days", "stops[1].name"]);
  });
});

describe("compileInput", () => {
  test("takes no input for no arguments", async () => {
    const { jsonSchema, validate } = compileInput(undefined, "weather");
    expect(jsonSchema).toEqual({ type: "object", properties: {} });
    expect(await validate({})).toEqual({ ok: true, value: {} });
  });

  test.each<[what: string, jsonSchema: unknown, described: object]>([
    ["true", true, { type: "object", properties: {} }],
    ["an empty schema", {}, { type: "object", properties: {} }],
    [
      "a schema without a type",
      { properties: { a: { type: "string" } } },
      { type: "object", properties: { a: { type: "string" } } },
    ],
    ["an object or null", { type: ["object", "null"] }, { type: "object", properties: {} }],
    [
      "its draft, which only the check needs",
      { $schema: "http://json-schema.org/draft-07/schema#", type: "object", additionalProperties: false },
      { type: "object", properties: {}, additionalProperties: false },
    ],
    ["a required that is no list", { type: "object", required: null }, { type: "object", properties: {} }],
    [
      "a root that refers to its definition",
      {
        $ref: "#/$defs/Node",
        description: "A tree",
        $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } }, required: ["next"] } },
      },
      {
        type: "object",
        properties: { next: { $ref: "#/$defs/Node" } },
        required: ["next"],
        description: "A tree",
        $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } }, required: ["next"] } },
      },
    ],
  ])("makes an object schema of %s", (_what, jsonSchema, described) => {
    expect(compile({ jsonSchema }).jsonSchema).toEqual(described);
  });

  test("keeps its own copy of a raw schema, and does not change the given one", async () => {
    const jsonSchema = { type: "object", properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: { type: "string" } } };
    const before = structuredClone(jsonSchema);
    const compiled = compile({ jsonSchema });
    expect(await compiled.validate({ a: 5 })).toMatchObject({ ok: false });
    expect(jsonSchema).toEqual(before);
    expect(Reflect.ownKeys(jsonSchema.properties.a)).toEqual(["$ref"]);
    jsonSchema.$defs.A.type = "number";
    expect(compiled.jsonSchema.$defs).toEqual({ A: { type: "string" } });
    expect(await compiled.validate({ a: 5 })).toMatchObject({ ok: false });
  });

  const cyclic: JsonObject = { type: "object" };
  cyclic.properties = { self: cyclic };
  let deep: JsonObject = { type: "string" };
  for (let level = 0; level < 300; level += 1) deep = { type: "array", items: deep };
  const noObject: unknown = v.string();
  const noJson = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } };
  const throwing = {
    "~standard": {
      version: 1,
      vendor: "own",
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input: () => {
          throw new Error("no JSON form");
        },
      },
    },
  };

  test.each<[what: string, input: unknown, message: string]>([
    ["null", null, "neither a Standard Schema nor { jsonSchema }"],
    ["text", "string", "neither a Standard Schema nor { jsonSchema }"],
    ["a schema that is not wrapped", { type: "object" }, "neither a Standard Schema nor { jsonSchema }"],
    ["false", { jsonSchema: false }, "neither a Standard Schema nor { jsonSchema }"],
    ["a list", { jsonSchema: [] }, "neither a Standard Schema nor { jsonSchema }"],
    ["a string schema", { jsonSchema: { type: "string" } }, 'of type "string", not object'],
    ["several types", { jsonSchema: { type: ["string", "null"] } }, 'of type ["string","null"], not object'],
    ["a valibot string", noObject, 'of type "string", not object'],
    ["properties that are none", { jsonSchema: { properties: [] } }, "properties of its input are not an object"],
    ["a circle", { jsonSchema: cyclic }, "not plain JSON"],
    ["a bigint", { jsonSchema: { type: "object", maxProperties: 5n } }, "not plain JSON"],
    ["bottomless nesting", { jsonSchema: { type: "object", properties: { deep } } }, "nested deeper than 256 levels"],
    ["a schema that only validates", noJson, "cannot describe its input as JSON Schema; give { schema, jsonSchema }"],
    ["a schema that fails to describe itself", throwing, "own could not describe its input"],
    ["a zod type without a JSON form", z.object({ at: z.date() }), "zod could not describe its input"],
    ["an empty Standard Schema", { "~standard": {} }, "has no ~standard.validate"],
    ["no schema beside the JSON Schema", { schema: undefined, jsonSchema: {} }, "has no ~standard.validate"],
  ])("refuses %s when the tool is made", (_what, input, message) => {
    const failure = failureOf(() => compile(input));
    expect(HoldallError.is(failure, "SCHEMA_INVALID")).toBe(true);
    expect((failure as Error).message).toContain(`the tool weather cannot be used: `);
    expect((failure as Error).message).toContain(message);
  });

  test("takes a schema that only validates together with its JSON Schema", () => {
    const { jsonSchema, validate } = compile({ schema: noJson, jsonSchema: { properties: { a: {} } } });
    expect(jsonSchema).toEqual({ type: "object", properties: { a: {} } });
    expect(validate({ a: 1 })).toEqual({ ok: true, value: { a: 1 } });
  });

  test("checks by the JSON Schema where a library only describes", async () => {
    const describing = {
      "~standard": {
        version: 1,
        vendor: "own",
        jsonSchema: { input: () => ({ type: "object", properties: { a: { type: "string" } } }) },
      },
    };
    const { validate } = compile(describing);
    expect(await validate({ a: 1 })).toEqual({
      ok: false,
      issues: [{ path: "a", message: "must be string, got number 1" }],
    });
  });

  test("takes a schema that is a function", () => {
    const { "~standard": standard } = valibotSchema;
    const callable = Object.assign(() => {}, { "~standard": { ...standard, jsonSchema: { input: () => ({}) } } });
    expect(compile(callable).validate({ city: "a" })).toMatchObject({ ok: true });
  });

  test("waits for a schema that validates later", async () => {
    const later: StandardSchema<unknown, unknown> = {
      "~standard": {
        version: 1,
        vendor: "own",
        validate: async (value) =>
          value === 1 ? { value: "one" } : { issues: [{ message: "no", path: ["a", { key: 0 }] }] },
      },
    };
    const { validate } = compile({ schema: later, jsonSchema: true });
    expect(await validate(1)).toEqual({ ok: true, value: "one" });
    expect(await validate(2)).toEqual({ ok: false, issues: [{ path: "a[0]", message: "no" }] });
  });

  test("reports no more issues than a model can use", () => {
    const many = compile(v.object({ list: v.array(v.string()) })).validate({ list: Array(100).fill(1) });
    expect("issues" in many && many.issues.length).toBe(8);
  });
});

describe("formatPath", () => {
  test.each<[keys: PropertyKey[], path: string]>([
    [[], ""],
    [["a"], "a"],
    [["a.b"], "a.b"],
    [["items", 2, "name"], "items[2].name"],
    [["a", "b-c", "$d", "ключ"], "a.b-c.$d.ключ"],
    [["a", "b.c", ""], 'a["b.c"][""]'],
    [[0, "a"], "0.a"],
    [["a", Symbol.for("s")], 'a["Symbol(s)"]'],
  ])("writes %j", (keys, path) => {
    expect(formatPath(keys)).toBe(path);
  });
});
