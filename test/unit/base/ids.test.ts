import { describe, expect, test } from "vitest";
import { makeId } from "../../../src/base/ids.ts";

describe("makeId", () => {
  test("makes ids that differ and are short and plain", () => {
    const ids = Array.from({ length: 10_000 }, makeId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9]{8}-[a-z0-9]{1,15}$/.test(id))).toEqual([]);
  });
});
