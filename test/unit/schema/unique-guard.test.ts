/** Lists of unique items are checked in time that grows with their size. */

import { describe, expect, test } from "vitest";
import { compileInput } from "../../../src/schema/input-schema.ts";
import { forAll, randomJson } from "../property.ts";

async function issuesOf(schema: object, a: unknown): Promise<readonly string[]> {
  const jsonSchema = JSON.parse(JSON.stringify({ properties: { a: schema } }));
  const checked = await compileInput({ jsonSchema }, "t").validate({ a });
  return checked.ok ? [] : checked.issues.map(({ path, message }) => `${path}: ${message}`);
}

const unique = { type: "array", uniqueItems: true } as const;
const twice = ["a: must not have the same item twice"];
const many = Array.from({ length: 100_000 }, (_, index) => index);

describe("unique items", () => {
  test.each<[what: string, items: unknown, issues: readonly string[]]>([
    ["100,000 numbers", many, []],
    ["100,000 records", many.map((id) => ({ id, name: `n${id}` })), []],
    ["numbers and their texts", [1, "1", true, "true", null, "null", [], {}, "[]", "{}"], []],
    [
      "records whose names are in another order",
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      twice,
    ],
    [
      "lists",
      [
        [1, [2]],
        [1, [2]],
      ],
      twice,
    ],
    ["zeros", [0, -0], twice],
    ["a few among others", [...many.slice(0, 500), 7], twice],
    ["one in another list", [[1, 1], [2]], []],
  ])("%s are compared", async (_, items, issues) => {
    expect(await issuesOf(unique, items)).toEqual(issues);
  });

  test("a list so long that nobody can say where items are equal is refused as a whole", async () => {
    expect(await issuesOf(unique, [...many, 7])).toEqual([": is too large or nested too deep to be checked"]);
    expect(await issuesOf({ type: "array" }, [...many, 7])).toEqual([]);
  });

  test("what one list must be, another need not", async () => {
    const schema = { prefixItems: [unique, {}] };
    expect(
      await issuesOf(schema, [
        [1, 2],
        [3, 3],
      ]),
    ).toEqual([]);
    expect(
      await issuesOf(schema, [
        [1, 1],
        [3, 3],
      ]),
    ).toEqual(["a[0]: must not have the same item twice"]);
  });

  test("is what comparing each with each says", () =>
    forAll(300, async (random) => {
      const items = Array.from({ length: random.below(6) }, () => randomJson(random, 2));
      const texts = items.map((item) => JSON.stringify(sorted(item)));
      expect(await issuesOf(unique, items)).toEqual(new Set(texts).size < texts.length ? twice : []);
    }));
});

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value === 0 ? 0 : value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, child]) => ({ [name]: sorted(child) }))
    .concat({ "": "a record" });
}
