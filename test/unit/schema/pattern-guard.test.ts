import { describe, expect, test } from "vitest";
import { compileInput } from "../../../src/schema/input-schema.ts";

/** Checks one text, or what is given whole, against a schema. */
async function accepts(schema: object, value: unknown): Promise<boolean> {
  return (await compileInput({ jsonSchema: JSON.parse(JSON.stringify(schema)) }, "t").validate({ a: value })).ok;
}

const forPattern = (pattern: string) => ({ properties: { a: { type: "string", pattern } } });

/** Patterns that servers have, each of which a text can keep an engine busy with for ages, with texts it takes and refuses. */
const dangerous: [pattern: string, taken: string, refused: string][] = [
  ["^(a+)+$", "a".repeat(5000), `${"a".repeat(5000)}!`],
  ["^(\\w+\\s?)*$", "some words ".repeat(300), `${"some words ".repeat(300)}!`],
  ["^\\s*[^,]+\\s*(,\\s*[^,]+\\s*)*$", "a, b , c".repeat(500), `${"a, b , c,".repeat(500)},`],
  [
    "^(https?:\\/\\/)?([\\da-z\\.-]+)\\.([a-z\\.]{2,6})([\\/\\w \\.-]*)*\\/?$",
    `https://example.com/${"some/long-path_".repeat(50)}`,
    `https://example.com/${"some/long-path_".repeat(50)}?`,
  ],
  // What is looked for ahead is matched by itself.
  ["^(?=.{1,999}$)(?!(?:x+)+y)([a-z]+)*$", "ab".repeat(400), `${"ab".repeat(400)}!`],
  ["^(?=.{1,999}$)(?!(?:x+)+y)([xyz]+)*$", "x".repeat(400), `${"x".repeat(400)}y`],
  ["^(?=.{1,999}$)(?!(?:x+)+y)([a-z]+)*$", "ab".repeat(400), "ab".repeat(500)],
  ["(.*,){5}x", `${"a,".repeat(2000)}x`, "a,".repeat(2000)],
  ["^(?:🦊+)+$", "🦊".repeat(1000), `${"🦊".repeat(1000)}é`],
];

describe("a pattern that could take for ever", () => {
  test.each(dangerous)("%s takes what it should, and comes back", async (pattern, taken, refused) => {
    expect([await accepts(forPattern(pattern), taken), await accepts(forPattern(pattern), refused)]).toEqual([
      true,
      false,
    ]);
  });

  test.each([
    ["^(a+)+$", "aaa", "aab"],
    ["^(a+)+$", "a".repeat(100), `a\n${"a".repeat(100)}`],
    ["(?:^b|c$)(a+)*", `b${"a".repeat(100)}`, `a\nb${"a".repeat(100)}c\n`],
    ["(a|a)*[b]$", `${"a".repeat(100)}b`, `${"a".repeat(100)}b\n`],
    ["^(\\b\\w+\\b[ -]?)*$", "one-two three ".repeat(20), "one--two ".repeat(20)],
  ])("%s reads %j as its engine would, and refuses %j", async (pattern, taken, refused) => {
    expect([await accepts(forPattern(pattern), taken), await accepts(forPattern(pattern), refused)]).toEqual([
      true,
      false,
    ]);
  });

  test("refuses what only an engine could match, when that is too long for one", async () => {
    const pattern = "^(?:(\\w+)\\s\\1\\s?)+$";
    expect([
      await accepts(forPattern(pattern), "ab ab "),
      await accepts(forPattern(pattern), "ab ab ".repeat(100)),
    ]).toEqual([true, false]);
  });

  test("is named as it is written", async () => {
    const { validate } = compileInput({ jsonSchema: JSON.parse(JSON.stringify(forPattern("^(a+)+$"))) }, "t");
    expect(await validate({ a: "b" })).toEqual({
      ok: false,
      issues: [{ path: "a", message: 'must match the pattern ^(a+)+$, got string "b"' }],
    });
  });

  test("refuses nothing because of a long text elsewhere", async () => {
    const schema = { properties: { a: { properties: { name: { pattern: "^(a+)+$" } } } } };
    const value = { content: "b".repeat(3_000_000), name: "a".repeat(50) };
    expect(await accepts(schema, value)).toBe(true);
  });

  test("counts for names of properties, and not as a rule for some of them", async () => {
    const long = "a".repeat(50);
    const names = { properties: { a: { propertyNames: { pattern: "^(a+)+$" } } } };
    expect([await accepts(names, { [long]: 1 }), await accepts(names, { [`${long}!`]: 1 })]).toEqual([true, false]);
    const some = {
      properties: { a: { patternProperties: { "^(a+)+$": false }, additionalProperties: { type: "number" } } },
    };
    expect([await accepts(some, { [`${long}!`]: 1 }), await accepts(some, { [`${long}!`]: "x" })]).toEqual([
      true,
      false,
    ]);
  });

  test("counts in the default of its schema", async () => {
    const schema = { properties: { a: { type: "string", pattern: "^(a+)+$", default: `${"a".repeat(50)}!` } } };
    const { validate } = compileInput({ jsonSchema: JSON.parse(JSON.stringify(schema)) }, "t");
    expect(await validate({})).toEqual({ ok: true, value: {} });
  });
});
