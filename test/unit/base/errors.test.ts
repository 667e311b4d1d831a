import { describe, expect, test } from "vitest";
import { errorText, HoldallError } from "../../../src/base/errors.ts";

describe("HoldallError", () => {
  test("carries code, sentence, facts, cause and whether a retry may help", () => {
    const cause = new Error("disk");
    const error = new HoldallError("FS_IO", "it failed. Try again.", { data: { path: "/a" }, cause, retryable: true });
    expect({ ...error, message: error.message, cause: error.cause, string: String(error) }).toEqual({
      name: "HoldallError",
      code: "FS_IO",
      data: { path: "/a" },
      retryable: true,
      message: "FS_IO: it failed. Try again.",
      cause,
      string: "HoldallError: FS_IO: it failed. Try again.",
    });
  });

  test("has no cause and no facts unless given", () => {
    const error = new HoldallError("X", "y");
    expect(["cause" in error, error.data, error.retryable]).toEqual([false, {}, false]);
  });

  test("is known by its brand and its code, not by its class", () => {
    class Sub extends HoldallError {}
    const other = Object.assign(new Error("FS_IO: x"), { code: "FS_IO", [Symbol.for("holdall.error")]: true });
    const values = [
      new HoldallError("FS_IO", "x"),
      new Sub("FS_IO", "x"),
      other,
      new Error("x"),
      { code: "FS_IO" },
      null,
    ];
    expect(values.map((value) => HoldallError.is(value))).toEqual([true, true, true, false, false, false]);
    expect(values.map((value) => HoldallError.is(value, "FS_IO"))).toEqual([true, true, true, false, false, false]);
    expect(values.map((value) => HoldallError.is(value, "OTHER"))).toEqual(Array(6).fill(false));
  });
});

describe("errorText", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;

  test.each<[what: string, error: unknown, text: string]>([
    ["an error of this package", new HoldallError("FS_IO", "it failed. Try again."), "it failed. Try again."],
    ["an error", new TypeError("no"), "no"],
    ["an error without words", new RangeError(), "RangeError"],
    ["a string", "plain", "plain"],
    ["an object", { a: 1 }, '{"a":1}'],
    ["undefined", undefined, "undefined"],
    ["null", null, "null"],
    ["a cycle", cycle, "[object Object]"],
    ["a bigint", 1n, "1"],
    ["an object without anything", Object.create(null), "{}"],
  ])("reads %s", (_what, error, text) => {
    expect(errorText(error)).toBe(text);
  });

  test("does not throw over a value that cannot even be made a string", () => {
    const hostile: Record<string, unknown> = Object.create(null);
    hostile.self = hostile;
    expect(errorText(hostile)).toBe("an error that cannot be shown");
  });
});
