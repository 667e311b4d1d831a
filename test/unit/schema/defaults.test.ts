import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json.ts";
import { fillDefaults, type ResolveRef } from "../../../src/schema/defaults.ts";
import { compileInput } from "../../../src/schema/input-schema.ts";
import { forAll, randomJson } from "../property.ts";

const noReference: ResolveRef = () => undefined;

function fill(schema: unknown, value: unknown, resolve: ResolveRef = noReference): unknown {
  return fillDefaults(schema, value, resolve);
}

const nested = {
  properties: {
    unit: { default: "c" },
    options: { properties: { deep: { default: true }, list: { default: [1] } } },
    steps: { items: { properties: { wait: { default: 0 } } } },
  },
};

describe("fillDefaults", () => {
  test.each<[what: string, schema: unknown, value: unknown, filled: unknown]>([
    ["what is missing", nested, {}, { unit: "c" }],
    ["what is undefined", nested, { unit: undefined }, { unit: "c" }],
    ["nothing over what is given", nested, { unit: "f" }, { unit: "f" }],
    ["nothing over null", nested, { unit: null }, { unit: null }],
    [
      "nested objects that are there",
      nested,
      { unit: "f", options: {} },
      { unit: "f", options: { deep: true, list: [1] } },
    ],
    ["items", nested, { unit: "f", steps: [{}, { wait: 5 }, 7] }, { unit: "f", steps: [{ wait: 0 }, { wait: 5 }, 7] }],
    [
      "a default, and the defaults within it",
      { properties: { options: { default: { x: 1 }, properties: { deep: { default: true } } } } },
      {},
      { options: { x: 1, deep: true } },
    ],
    [
      "false, zero, null and nothing at all",
      { properties: { a: { default: false }, b: { default: 0 }, c: { default: null }, d: { default: "" } } },
      {},
      { a: false, b: 0, c: null, d: "" },
    ],
    [
      "all parts that must hold",
      { allOf: [{ properties: { a: { default: 1 } } }, { properties: { b: { default: 2 } } }] },
      {},
      { a: 1, b: 2 },
    ],
    ["no alternatives", { anyOf: [{ properties: { a: { default: 1 } } }] }, {}, {}],
    [
      "names of Object.prototype",
      { properties: { constructor: { default: 1 }, toString: { default: 2 } } },
      {},
      { constructor: 1, toString: 2 },
    ],
    ["no __proto__", JSON.parse('{"properties":{"__proto__":{"default":{"x":1}}}}'), {}, {}],
    ["nothing into a list where an object should be", nested, { unit: "f", options: [] }, { unit: "f", options: [] }],
    ["nothing by a schema that is none", { properties: { a: true, b: null, c: 5 } }, {}, {}],
    ["nothing into a scalar", nested, "text", "text"],
  ])("fills %s", (_what, schema, value, filled) => {
    const before = structuredClone(value);
    expect(fill(schema, value)).toEqual(filled);
    expect(value).toEqual(before);
  });

  test("gives the very value when nothing is missing", () => {
    const value = { unit: "f", options: { deep: false, list: [] }, steps: [{ wait: 1 }] };
    expect(fill(nested, value)).toBe(value);
  });

  test("copies only what changes, and its defaults each time", () => {
    const value = { unit: "f", options: {}, steps: [{ wait: 1 }] };
    const [one, two] = [fill(nested, value), fill(nested, value)] as { options: { list: number[] }; steps: unknown }[];
    expect(one?.steps).toBe(value.steps);
    one?.options.list.push(2);
    expect(two?.options.list).toEqual([1]);
    expect(nested.properties.options.properties.list.default).toEqual([1]);
  });

  test("follows references with the value, not with its own defaults", () => {
    const node = { properties: { tag: { default: "x" }, next: { $ref: "#" } } };
    const resolve: ResolveRef = (schema) => (schema.$ref === "#" ? node : undefined);
    expect(fill(node, { next: { next: {} } }, resolve)).toEqual({ tag: "x", next: { tag: "x", next: { tag: "x" } } });
    const endless = { properties: { next: { $ref: "#", default: {} } } };
    expect(fill(endless, {}, () => endless)).toEqual({ next: {} });
  });

  test("ends with schemas that go round or multiply themselves", () => {
    const round: JsonObject = { $ref: "#" };
    expect(fill(round, { a: 1 }, () => round)).toEqual({ a: 1 });
    const twice: JsonObject = { allOf: [{ $ref: "#" }, { $ref: "#" }] };
    expect(fill(twice, { a: 1 }, () => twice)).toEqual({ a: 1 });
  });

  test("never changes a value, whatever it is", () =>
    forAll(200, (random) => {
      const value = randomJson(random);
      const before = structuredClone(value);
      fill({ properties: { a: { default: 1 }, items: { items: nested } }, items: nested }, value);
      expect(value).toEqual(before);
    }));
});

describe("the defaults of a raw schema", () => {
  const validate = (schema: JsonObject, value: unknown) => compileInput({ jsonSchema: schema }, "t").validate(value);

  test("are part of the validated value", async () => {
    const schema: JsonObject = {
      properties: { unit: { enum: ["c", "f"], default: "c" }, at: { $ref: "#/$defs/At" } },
      required: ["unit"],
      $defs: { At: { type: "object", properties: { zone: { type: "string", default: "UTC" } }, required: ["zone"] } },
    };
    const given = { at: {} };
    expect(await validate(schema, given)).toEqual({ ok: true, value: { unit: "c", at: { zone: "UTC" } } });
    expect(given).toEqual({ at: {} });
  });

  test.each<[what: string, property: JsonObject]>([
    ["null for a list", { type: "array", default: null }],
    ["text for a number", { type: "number", default: "5" }],
    ["a choice that is none", { enum: ["a"], default: "b" }],
    ["an object that lacks something", { type: "object", required: ["x"], default: {} }],
  ])("are left out where the schema itself refuses them: %s", async (_what, property) => {
    expect(await validate({ properties: { a: property } }, {})).toEqual({ ok: true, value: {} });
  });

  test("are taken where the defaults within them make them good", async () => {
    const inner: JsonObject = { type: "object", properties: { x: { default: 1 } }, required: ["x"], default: {} };
    expect(await validate({ properties: { a: inner } }, {})).toEqual({ ok: true, value: { a: { x: 1 } } });
  });
});
