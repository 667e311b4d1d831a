import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json.ts";
import { compileInput } from "../../../src/schema/input-schema.ts";
import type { Validated } from "../../../src/schema/validated.ts";

type Schema = Record<string, unknown>;

async function check(schema: Schema, value: unknown): Promise<Validated> {
  return compileInput({ jsonSchema: schema as JsonObject }, "t").validate(value);
}

/** Checks one property and gives the issues as lines. */
async function issuesOf(property: Schema | boolean, value: unknown, more: Schema = {}): Promise<string[]> {
  const validated = await check({ properties: { a: property }, ...more }, value === undefined ? {} : { a: value });
  return validated.ok ? [] : validated.issues.map(({ path, message }) => `${path}: ${message}`);
}

const pet = {
  oneOf: [
    { type: "object", properties: { kind: { const: "cat" }, lives: { type: "integer" } }, required: ["kind", "lives"] },
    { type: "object", properties: { kind: { enum: ["dog", "wolf"] }, legs: { type: "integer" } }, required: ["kind"] },
  ],
};

describe("an issue of a raw schema", () => {
  test.each<[what: string, property: Schema | boolean, value: unknown, lines: string[]]>([
    ["of a wrong type", { type: "integer" }, "abc", ['a: must be integer, got string "abc"']],
    ["of a fraction", { type: "integer" }, 1.5, ["a: must be integer, got number 1.5"]],
    ["of several types", { type: ["string", "null"] }, [1], ["a: must be string or null, got array"]],
    ["of an object for text", { type: "string" }, { secret: 1 }, ["a: must be string, got object"]],
    ["of a long text", { type: "number" }, "x".repeat(99), [`a: must be number, got string "${"x".repeat(60)}"…`]],
    ["of a choice", { enum: ["c", "f", 1, null] }, "k", ['a: must be one of "c", "f", 1, null, got string "k"']],
    ["of a constant", { const: "c" }, true, ['a: must be "c", got boolean true']],
    ["of a small number", { minimum: 1 }, 0, ["a: must be at least 1, got number 0"]],
    ["of a large number", { maximum: 1 }, 2, ["a: must be at most 1, got number 2"]],
    ["of a number at the open low end", { exclusiveMinimum: 1 }, 1, ["a: must be greater than 1, got number 1"]],
    ["of a number at the open high end", { exclusiveMaximum: 1 }, 1, ["a: must be less than 1, got number 1"]],
    ["of a number between steps", { multipleOf: 5 }, 7, ["a: must be a multiple of 5, got number 7"]],
    ["of a short text", { minLength: 2 }, "🦊", ['a: must have at least 2 characters, got string "🦊"']],
    ["of a long text", { maxLength: 1 }, "🦊🦊", ["a: must have at most 1 character, got 2"]],
    ["of a pattern", { pattern: "^a+$" }, "b", ['a: must match the pattern ^a+$, got string "b"']],
    ["of a format", { format: "email" }, "b", ['a: must be a valid email, got string "b"']],
    ["of few items", { minItems: 1 }, [], ["a: must have at least 1 item, got 0"]],
    ["of many items", { maxItems: 1 }, [1, 2], ["a: must have at most 1 item, got 2"]],
    ["of repeated items", { uniqueItems: true }, [1, 1], ["a: must not have the same item twice"]],
    ["of items that must be there", { contains: { type: "number" } }, ["x"], ["a: must have an item that is number"]],
    [
      "of an item",
      { items: { type: "string" } },
      ["x", 1, null],
      ["a[1]: must be string, got number 1", "a[2]: must be string, got null"],
    ],
    [
      "of a tuple",
      { prefixItems: [{ type: "string" }], items: false },
      [1, 2],
      ["a[0]: must be string, got number 1", "a[1]: is one item too many"],
    ],
    ["of few names", { minProperties: 1 }, {}, ["a: must have at least 1 name"]],
    ["of many names", { maxProperties: 1 }, { x: 1, y: 1 }, ["a: must have at most 1 name"]],
    ["of a name", { propertyNames: { pattern: "^x" } }, { y: 1 }, ['a: must not have the name "y"']],
    ["of what is excluded", { not: { const: 1 } }, 1, ["a: must not be like that, got number 1"]],
    ["of a value where none may be", false, 1, ["a: is not accepted"]],
    [
      "of a missing property",
      { required: ["b"], properties: { b: { enum: ["x"] } } },
      {},
      ['a.b: is missing, must be "x"'],
    ],
    ["of a missing property without a type", { required: ['q"b'] }, {}, ['a["q\\"b"]: is missing']],
    [
      "of another property",
      { properties: { b: {}, c: {} }, additionalProperties: false },
      { x: 1 },
      ["a.x: is not accepted here, accepted: b, c"],
    ],
    [
      "of an unevaluated property",
      { properties: { b: {} }, unevaluatedProperties: false },
      { x: 1 },
      ["a.x: is not accepted here, accepted: b"],
    ],
    [
      "deep inside",
      { items: { properties: { "b.c": { items: { type: "string" } } } } },
      [{ "b.c": ["x", 1] }],
      ['a[0]["b.c"][1]: must be string, got number 1'],
    ],
    [
      "of alternatives",
      { anyOf: [{ type: "string" }, { type: "null" }, { enum: [1, 2] }] },
      true,
      ["a: must be string or null or one of 1, 2, got boolean true"],
    ],
    [
      "of the alternative that was meant",
      { anyOf: [{ type: "string", minLength: 3 }, { type: "null" }] },
      "ab",
      ['a: must have at least 3 characters, got string "ab"'],
    ],
    [
      "of the object that was meant",
      { anyOf: [{ type: "array" }, { type: "object", required: ["q"] }] },
      {},
      ["a.q: is missing"],
    ],
    ["of a known kind", pet, { kind: "cat" }, ["a.lives: is missing, must be integer"]],
    ["of an unknown kind", pet, { kind: "fish" }, ['a.kind: must be one of "cat", "dog", "wolf", got string "fish"']],
    ["of a missing kind", pet, {}, ['a.kind: must be one of "cat", "dog", "wolf", is missing']],
    ["of no kind at all", pet, 5, ["a: must be object with kind, lives or object with kind, got number 5"]],
    [
      "of two forms at once",
      { oneOf: [{ type: "number" }, { minimum: 1 }] },
      5,
      ["a: must match exactly one of the accepted forms, but matches 2"],
    ],
    [
      "of a condition",
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { type: "string" }, then: { minLength: 2 } },
      "x",
      ['a: must have at least 2 characters, got string "x"'],
    ],
    [
      "of all that must hold",
      { allOf: [{ type: "string" }, { minLength: 2 }] },
      "x",
      ['a: must have at least 2 characters, got string "x"'],
    ],
    [
      "of what one property asks for another",
      { dependentRequired: { x: ["y"] } },
      { x: 1 },
      ['a: Instance has "x" but does not have "y"'],
    ],
  ])("%s says where, what was given and what is accepted", async (_what, property, value, lines) => {
    expect(await issuesOf(property, value)).toEqual(lines);
  });

  test("of the whole names neither values nor accepted names, which may be hidden", async () => {
    const secret = { properties: { key: {} }, additionalProperties: false };
    expect(await check(secret, { key: "s3cret", x: 1 })).toEqual({
      ok: false,
      issues: [{ path: "x", message: "is not accepted here" }],
    });
    expect(await check({ anyOf: [{ required: ["key"] }, { required: ["b"] }] }, { c: "s3cret" })).toEqual({
      ok: false,
      issues: [{ path: "", message: "matches none of the accepted forms" }],
    });
  });

  test("of a value that is no object is one of the whole", async () => {
    expect(await check({}, "text")).toEqual({
      ok: false,
      issues: [{ path: "", message: 'must be object, got string "text"' }],
    });
  });

  test("stands once, and only so many of them", async () => {
    expect(await issuesOf({ allOf: [{ type: "string" }, { type: "string" }] }, 1)).toEqual([
      "a: must be string, got number 1",
    ]);
    expect(await issuesOf({ items: { type: "string" } }, Array(1000).fill(1))).toHaveLength(8);
  });
});

describe("a raw schema", () => {
  test("hands on the very value when there is nothing to fill in", async () => {
    const value = { a: 1 };
    const validated = await check({ properties: { a: { type: "number" } } }, value);
    expect(validated.ok && validated.value).toBe(value);
  });

  test("waits for its validator once, also when calls come together, and then answers at once", async () => {
    const { validate } = compileInput({ jsonSchema: { properties: { a: { type: "number" } } } }, "t");
    const first = [validate({ a: 1 }), validate({ a: "x" })];
    expect(first.every((answer) => answer instanceof Promise)).toBe(true);
    expect(await Promise.all(first)).toMatchObject([{ ok: true }, { ok: false }]);
    expect(validate({ a: 1 })).toEqual({ ok: true, value: { a: 1 } });
  });

  test.each<[what: string, schema: Schema]>([
    ["draft-07 definitions", { definitions: { P: { type: "string" } }, $ref: "#/definitions/P" }],
    ["2020-12 definitions", { $defs: { P: { type: "string" } }, $ref: "#/$defs/P" }],
    ["an escaped pointer", { $defs: { "a/b c": { type: "string" } }, $ref: "#/$defs/a~1b%20c" }],
    ["an anchor", { $defs: { P: { $anchor: "p", type: "string" } }, $ref: "#p" }],
    ["an address of its own", { $id: "https://a.example/s", $defs: { P: { type: "string" } }, $ref: "s#/$defs/P" }],
  ])("follows references by %s", async (_what, { $ref, ...root }) => {
    const schema = { ...root, properties: { a: { $ref } } };
    expect(await check(schema, { a: "x" })).toMatchObject({ ok: true });
    expect(await check(schema, { a: 1 })).toMatchObject({
      ok: false,
      issues: [{ path: "a", message: "must be string, got number 1" }],
    });
  });

  test("ignores what stands beside a reference in draft-07 only", async () => {
    const schema = {
      definitions: { P: { type: "string" } },
      properties: { a: { $ref: "#/definitions/P", maxLength: 1 } },
    };
    expect(await check({ ...schema, $schema: "http://json-schema.org/draft-07/schema#" }, { a: "xy" })).toMatchObject({
      ok: true,
    });
    expect(await check(schema, { a: "xy" })).toMatchObject({ ok: false });
  });

  test("reads the exclusive limits of draft-04", async () => {
    const schema = { properties: { a: { minimum: 1, exclusiveMinimum: true } } };
    const draft = { $schema: "http://json-schema.org/draft-04/schema#", ...schema };
    expect(await check(draft, { a: 1 })).toMatchObject({ ok: false });
    expect(await check(draft, { a: 2 })).toMatchObject({ ok: true });
  });

  test("checks a recursive type at every level", async () => {
    const tree = { properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } } };
    expect(await check(tree, { name: "a", children: [{ name: "b", children: [] }] })).toMatchObject({ ok: true });
    expect(await check(tree, { name: "a", children: [{ children: [{ name: 5 }] }] })).toEqual({
      ok: false,
      issues: [{ path: "children[0].children[0].name", message: "must be string, got number 5" }],
    });
  });

  test.each([
    ["far away", "https://schemas.example/y.json"],
    ["in a file", "file:///etc/passwd"],
    ["beside it", "other.json#/x"],
    ["to nowhere", "#/$defs/Missing"],
    ["without sense", "::::"],
  ])("never fetches a reference %s, and takes anything there", async (_what, $ref) => {
    const { fetch } = globalThis;
    const asked: unknown[] = [];
    globalThis.fetch = async (input) => {
      asked.push(input);
      throw new Error("offline");
    };
    try {
      const schema = { properties: { a: { $ref }, b: { type: "string" } } };
      expect(await check(schema, { a: 1, b: "x" })).toMatchObject({ ok: true });
      expect(await check(schema, { a: 1, b: 1 })).toMatchObject({ ok: false });
    } finally {
      globalThis.fetch = fetch;
    }
    expect(asked).toEqual([]);
  });

  test.each<[what: string, property: Schema, good: unknown, bad: unknown]>([
    ["needless escapes", { pattern: "^[\\w\\-\\_\\@]+$" }, "a-b", "a b"],
    [
      "needless escapes in a name",
      { patternProperties: { "^x\\-": { type: "number" } } },
      { "x-a": 1 },
      { "x-a": "y" },
    ],
  ])("takes patterns with %s", async (_what, property, good, bad) => {
    expect(await issuesOf(property, good)).toEqual([]);
    expect(await issuesOf(property, bad)).toHaveLength(1);
  });

  test("leaves a pattern of another dialect unchecked", async () => {
    expect(await issuesOf({ type: "string", pattern: "(?P<year>\\d+)\\Z" }, "x")).toEqual([]);
    expect(await issuesOf({ patternProperties: { "(?i)[": { type: "number" } } }, { x: "y" })).toEqual([]);
  });

  test.each<[what: string, schema: Schema]>([
    ["two parts of one address", { $defs: { A: { $id: "https://a.example/x" }, B: { $id: "https://a.example/x" } } }],
    ["an address that is none", { $id: "http://[" }],
    ["required: true", { properties: { a: { type: "string", required: true } } }],
  ])("lives with %s", async (_what, schema) => {
    const whole = { ...schema, properties: { a: { type: "string" }, ...(schema.properties as object) } };
    expect(await check(whole, { a: "x" })).toMatchObject({ ok: true });
    expect(await check(whole, { a: 1 })).toMatchObject({ ok: false });
  });
});

describe("a hostile schema", () => {
  test.each<[what: string, schema: Schema]>([
    ["that is itself", { $ref: "#" }],
    [
      "whose parts are each other",
      { properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } } },
    ],
    ["that must be itself", { allOf: [{ $ref: "#" }, { $ref: "#" }] }],
    ["that may be itself", { anyOf: [{ $ref: "#" }, { $ref: "#" }] }],
  ])("%s is refused, not followed for ever", async (_what, schema) => {
    expect(await check(schema, { a: 1 })).toEqual({
      ok: false,
      issues: [{ path: "", message: "is too large or nested too deep to be checked" }],
    });
  });

  test("that doubles the work at every level of a value is stopped", async () => {
    const next = { properties: { n: { $ref: "#" } }, required: ["n"] };
    let value: object = { n: 1 };
    for (let level = 0; level < 200; level += 1) value = { n: value };
    expect(await check({ anyOf: [next, next] }, value)).toEqual({
      ok: false,
      issues: [{ path: "", message: "is too large or nested too deep to be checked" }],
    });
  });

  test("does not stop a large value that each part of takes a few steps", async () => {
    const schema = { properties: { list: { items: { anyOf: [{ type: "string" }, { properties: { a: {} } }] } } } };
    expect(await check(schema, { list: Array(20_000).fill({ a: 1 }) })).toMatchObject({ ok: true });
  });

  test("whose defaults hold themselves is filled in once", async () => {
    expect(await check({ properties: { n: { $ref: "#", default: {} } } }, {})).toEqual({ ok: true, value: { n: {} } });
  });

  test("that says nonsense is a fault of the call, not a crash", async () => {
    expect(await check({ properties: { a: { enum: 5 } } }, { a: 1 })).toMatchObject({
      ok: false,
      issues: [{ path: "", message: expect.stringMatching(/^cannot be checked: /) }],
    });
  });
});

describe("a hostile value", () => {
  const tree = { properties: { n: { $ref: "#" } } };

  test("that is nested too deep for the schema is refused", async () => {
    let value: object = {};
    for (let level = 0; level < 200_000; level += 1) value = { n: value };
    expect(await check(tree, value)).toEqual({
      ok: false,
      issues: [{ path: "", message: "is too large or nested too deep to be checked" }],
    });
  });

  test("that is a circle is refused", async () => {
    const value: Record<string, unknown> = {};
    value.n = value;
    expect(await check(tree, value)).toMatchObject({ ok: false });
  });

  test("with masses of faults gives the first ones", async () => {
    const lines = await issuesOf({ items: { type: "string" } }, Array(80_000).fill(1));
    expect(lines[0]).toBe("a[0]: must be string, got number 1");
  });

  test("with keys of Object.prototype is checked by its own keys only", async () => {
    const schema = { properties: { toString: { type: "string" }, a: {} }, required: ["constructor"] };
    expect(await check(schema, { a: 1 })).toEqual({
      ok: false,
      issues: [{ path: "constructor", message: "is missing" }],
    });
    const value = JSON.parse('{"constructor":1,"__proto__":{"x":1}}');
    const validated = await check({ ...schema, additionalProperties: { type: ["number", "object"] } }, value);
    expect(validated).toMatchObject({ ok: true });
    expect("x" in {}).toBe(false);
  });

  test("with a lone surrogate in a name does not break the check", async () => {
    const validated = await check({ additionalProperties: { type: "string" } }, { "\ud83d": 1 });
    expect(validated).toMatchObject({ ok: false });
  });

  test("that JSON has no form for is checked as its JSON form, or refused", async () => {
    const schema = { properties: { a: { type: "string" }, n: {} } };
    expect(await check(schema, { a: "x", n: undefined })).toEqual({ ok: true, value: { a: "x" } });
    expect(await check(schema, { a: "x", n: () => 1 })).toEqual({ ok: true, value: { a: "x" } });
    expect(await check(schema, { a: undefined })).toEqual({ ok: true, value: {} });
    expect(await check(schema, { n: 1n })).toMatchObject({
      ok: false,
      issues: [{ path: "", message: expect.stringMatching(/^cannot be checked: /) }],
    });
  });
});
