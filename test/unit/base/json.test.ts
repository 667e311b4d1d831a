import { describe, expect, test } from "vitest";
import { describeJson, isRecord, MAX_JSON_DEPTH, MAX_JSON_VALUES, toJsonValue } from "../../../src/base/json.ts";
import { parseArguments } from "../../../src/base/mend-json.ts";
import { forAll, randomObject, randomText } from "../property.ts";

describe("parseArguments", () => {
  test.each<[what: string, text: string | null | undefined, value: object, repaired: boolean]>([
    ["an object", '{"a":1}', { a: 1 }, false],
    ["white space around an object", ' \n{"a":1}\t', { a: 1 }, false],
    ["a byte order mark", '\ufeff{"a":1}', { a: 1 }, false],
    ["nothing", "", {}, false],
    ["white space only", "   ", {}, false],
    ["undefined", undefined, {}, false],
    ["null", null, {}, false],
    ["the word null", "null", {}, true],
    ["an empty string in quotes", '""', {}, true],
    ["an object encoded twice", '"{\\"a\\":1}"', { a: 1 }, true],
    ["a string field that holds JSON", '{"content":"[\\"a\\"]"}', { content: '["a"]' }, false],
    ["a fence", '```json\n{"a":1}\n```', { a: 1 }, true],
    ["a fence without a language", '```\n{"a":1}```', { a: 1 }, true],
    ["a fence that was not closed", '```JSON\n{"a":1}', { a: 1 }, true],
    ["a fence within a string", '{"a":"```js\\n```"}', { a: "```js\n```" }, false],
    ["trailing commas", '{"a":[1,2, ],}', { a: [1, 2] }, true],
    ["commas that only look trailing", '{"a":",}",}', { a: ",}" }, true],
    ["an open object behind a string", '{"a":"b"', { a: "b" }, true],
    ["an open object behind a word", '{"a":{"b":[true', { a: { b: [true] } }, true],
    ["an open object behind a comma", '{"a":12,', { a: 12 }, true],
    ["an open object behind white space", '{"a":12 ,\n', { a: 12 }, true],
    ["nothing but an opening bracket's end", '{"a":[]', { a: [] }, true],
    ["a constructor key", '{"constructor":{"prototype":1}}', { constructor: { prototype: 1 } }, false],
    ["a lone surrogate", '{"a":"\\ud83d","b\\udd8a":1}', { a: "\ufffd", "b\ufffd": 1 }, false],
    ["a lone surrogate that is not escaped", '{"a":"x\ud83d"}', { a: "x\ufffd" }, false],
    ["an escaped pair", '{"a":"\\ud83e\\udd8a"}', { a: "🦊" }, false],
  ])("reads %s", (_what, text, value, repaired) => {
    expect(parseArguments(text)).toEqual({ ok: true, value, repaired });
  });

  test.each<[what: string, text: string]>([
    ["a string that was cut", '{"q": "tru'],
    ["a string cut behind a backslash", '{"q": "a\\'],
    ["a number that may go on", '{"n": 12'],
    ["a fraction that may go on", '{"n": 1.'],
    ["a word that was cut", '{"b": tru'],
    ["a key without its value", '{"a":1,"b"'],
    ["a key with a colon", '{"a":1,"b":'],
    ["an opening bracket", "{"],
    ["a comma behind a bracket", '{"a":[,'],
    ["two commas", '{"a":[1,,]}'],
    ["brackets that do not match", '{"a":[1}'],
    ["more closing brackets than open ones", '{"a":1}}'],
    ["two objects", '{"a":1}{"b":2}'],
    ["words that are not JSON", '{"a":NaN}'],
    ["single quotes", "{'a':1}"],
    ["prose", "I will call the tool"],
    ["a fence without anything", "```json\n```"],
  ])("does not guess at %s", (_what, text) => {
    expect(parseArguments(text)).toEqual({ ok: false, error: expect.any(String) });
  });

  test.each([
    ["array", "[1,2]"],
    ["number", "5"],
    ["string", '"just text"'],
    ["string", '"[1]"'],
    ["boolean", "true"],
  ])("says that it got %s instead of an object", (type, text) => {
    expect(parseArguments(text)).toEqual({ ok: false, error: `expected a JSON object, got ${type}` });
  });

  test("drops __proto__ keys at every level and pollutes nothing", () => {
    const read = parseArguments('{"__proto__":{"x":1},"a":[{"\\u005f_proto__":{"x":1},"b":1}]}');
    expect(read).toEqual({ ok: true, value: { a: [{ b: 1 }] }, repaired: false });
    expect(read.ok && Object.hasOwn(read.value, "__proto__")).toBe(false);
    expect("x" in {}).toBe(false);
  });

  test("reads the deepest nesting and refuses one more level", () => {
    const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
    expect(parseArguments(nested(MAX_JSON_DEPTH))).toMatchObject({ ok: true });
    expect(parseArguments(nested(MAX_JSON_DEPTH + 1))).toEqual({
      ok: false,
      error: `nested deeper than ${MAX_JSON_DEPTH} levels`,
    });
  });

  test.each([
    ["open arrays", (size: number) => "[".repeat(size)],
    ["open objects", (size: number) => '{"a":'.repeat(size)],
    ["closed arrays with trailing commas", (size: number) => `${"[1,".repeat(size)}${"],".repeat(size)}`],
    ["commas", (size: number) => `{"a":[${",".repeat(size)}`],
    ["white space", (size: number) => `{"a":1,${" ".repeat(size)}x`],
    ["an open fence", (size: number) => `\`\`\`json${" ".repeat(size)}x`],
    ["backslashes", (size: number) => `{"a":"${"\\".repeat(size)}`],
  ])("takes masses of %s without blowing up", (_what, make) => {
    expect(parseArguments(make(200_000)).ok).toBe(false);
  });

  test("gives back any object that was written as JSON", () =>
    forAll(500, (random) => {
      const value = randomObject(random);
      expect(parseArguments(JSON.stringify(value))).toEqual({ ok: true, value, repaired: false });
      expect(parseArguments(JSON.stringify(value, null, 2))).toEqual({ ok: true, value, repaired: false });
      expect(parseArguments(JSON.stringify(JSON.stringify(value)))).toEqual({ ok: true, value, repaired: true });
    }));

  test("never gives a value that was cut, wherever the text ends", () =>
    forAll(100, (random) => {
      const whole = randomObject(random);
      const text = `${random.once(3) ? "```json\n" : ""}${JSON.stringify(whole, null, random.below(3))}`;
      for (let end = 0; end < text.length; end += 1) {
        const read = parseArguments(text.slice(0, end));
        if (read.ok) expectPart(read.value, whole);
      }
    }));

  test("never throws, whatever the text", () =>
    forAll(500, (random) => {
      expect(["boolean"]).toContain(typeof parseArguments(randomText(random, 30)).ok);
    }));
});

/** Every leaf of the part must be the same leaf of the whole. */
function expectPart(part: unknown, whole: unknown): void {
  if (!isRecord(part) && !Array.isArray(part)) {
    expect(part).toEqual(whole);
    return;
  }
  expect(Array.isArray(part)).toBe(Array.isArray(whole));
  const rest = new Map(Object.entries(whole as object));
  for (const [key, value] of Object.entries(part)) {
    expect(rest.has(key)).toBe(true);
    expectPart(value, rest.get(key));
  }
}

describe("describeJson", () => {
  test.each([
    [null, "null"],
    [[], "array"],
    [{}, "object"],
    ["", "string"],
    [0, "number"],
    [true, "boolean"],
  ])("names %j %s", (value, name) => {
    expect(describeJson(value)).toBe(name);
  });
});

describe("toJsonValue", () => {
  const cycle: Record<string, unknown> = { a: 1 };
  cycle.self = { list: [cycle] };
  const twice = { x: 1 };
  const map = new Map<unknown, unknown>([
    ["a", 1],
    [2, "b"],
  ]);
  map.set("self", map);

  test.each<[what: string, value: unknown, json: unknown]>([
    ["null", null, null],
    ["undefined", undefined, null],
    ["numbers that JSON lacks", [Number.NaN, Number.POSITIVE_INFINITY, -0], ["NaN", "Infinity", -0]],
    ["bigints", { n: 12345678901234567890n }, { n: "12345678901234567890" }],
    ["functions", [() => 1, { f: () => 1 }], ["[function]", {}]],
    ["symbols", Symbol("s"), "Symbol(s)"],
    ["errors", new TypeError("no"), { name: "TypeError", message: "no" }],
    ["dates", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["dates that are none", new Date(Number.NaN), null],
    ["addresses", new URL("https://a.example/b"), "https://a.example/b"],
    ["their own JSON form", { toJSON: () => ({ a: 1n }) }, { a: "1" }],
    ["maps", map, { a: 1, 2: "b", self: "[circular]" }],
    ["sets", new Set([1, new Set()]), [1, []]],
    ["bytes", [new Uint8Array(3), new ArrayBuffer(2)], ["[3 bytes]", "[2 bytes]"]],
    ["cycles", cycle, { a: 1, self: { list: ["[circular]"] } }],
    ["the same object twice", [twice, twice], [{ x: 1 }, { x: 1 }]],
    ["missing values", { a: undefined, b: [undefined] }, { b: [null] }],
    ["gaps", Array(2), [null, null]],
  ])("copies %s", (_what, value, json) => {
    const copy = toJsonValue(value);
    expect(copy).toEqual(json);
    expect(JSON.parse(JSON.stringify(copy))).toEqual(JSON.parse(JSON.stringify(json)));
  });

  test("names what cannot be read instead of throwing", () => {
    const hostile = {
      get boom() {
        throw new Error("no");
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const badJson = {
      toJSON() {
        throw new Error("no");
      },
    };
    expect(toJsonValue({ a: 1, hostile, badJson, list: [proxy] })).toEqual({
      a: 1,
      hostile: "[unreadable]",
      badJson: "[unreadable]",
      list: ["[unreadable]"],
    });
  });

  test("cuts what is nested too deep, a form that wraps itself included", () => {
    let deep: unknown = "core";
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    const text = JSON.stringify(toJsonValue(deep));
    expect(text).toBe(`${"[".repeat(MAX_JSON_DEPTH)}"[too deep]"${"]".repeat(MAX_JSON_DEPTH)}`);
    const endless = { toJSON: () => ({ ...endless }) };
    expect(toJsonValue(endless)).toBe("[too deep]");
  });

  test("stops at the limit of values where sharing would multiply them", () => {
    let bomb: unknown = "x";
    for (let level = 0; level < 40; level += 1) bomb = [bomb, bomb];
    const count = (value: unknown): number =>
      Array.isArray(value) ? value.reduce<number>((sum, child) => sum + count(child), 1) : 1;
    expect(count(toJsonValue(bomb))).toBeLessThan(MAX_JSON_VALUES * 1.1);
  });

  test("drops __proto__ keys", () => {
    const copy = toJsonValue(JSON.parse('{"__proto__":{"x":1},"a":1}'));
    expect(Object.entries(copy as object)).toEqual([["a", 1]]);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  test("copies any JSON value as it is", () =>
    forAll(300, (random) => {
      const value = randomObject(random);
      const copy = toJsonValue(value);
      expect(copy).toEqual(value);
      expect(copy).not.toBe(value);
    }));
});
