import { createToolNames } from "holdall/model";
import { describe, expect, test } from "vitest";
import { seeded } from "./recorded.ts";

const legal = /^[A-Za-z0-9_-]{1,64}$/;

describe("createToolNames", () => {
  test("keeps a legal name", () => {
    const names = createToolNames(["Read", "mcp__git__log", "a-b", "x".repeat(64)]);
    expect(["Read", "mcp__git__log", "a-b", "x".repeat(64)].map(names.toWire)).toEqual([
      "Read",
      "mcp__git__log",
      "a-b",
      "x".repeat(64),
    ]);
  });

  const illegal: [string, string][] = [
    ["a dot", "fs.read"],
    ["a space", "read file"],
    ["nothing", ""],
    ["65 characters", "x".repeat(65)],
    ["characters that are all illegal", "天気"],
    ["half a character", "a\ud800"],
    ["a line break at the end", "read\n"],
    ["a name of the prototype", "__proto__.x"],
  ];
  for (const [what, name] of illegal) {
    test(`makes ${what} legal and finds the way back`, () => {
      const names = createToolNames([name, "Read"]);
      const wire = names.toWire(name);
      expect(wire).toMatch(legal);
      expect(names.fromWire(wire)).toBe(name);
      expect(names.offered).toEqual(new Set([wire, "Read"]));
    });
  }

  test("gives a name the same wire name whatever else is offered and in any order", () => {
    const wire = createToolNames(["fs.read"]).toWire("fs.read");
    expect(wire).toBe("fs_read_8bef9c8c");
    expect(createToolNames(["b.c", "fs.read", "a"]).toWire("fs.read")).toBe(wire);
    expect(createToolNames([]).toWire("fs.read")).toBe(wire);
  });

  test("keeps names apart that look alike when made legal", () => {
    const all = ["fs.read", "fs/read", "fs read", "fs_read"];
    const names = createToolNames(all);
    const wires = all.map(names.toWire);
    expect(new Set(wires).size).toBe(4);
    expect(wires.map(names.fromWire)).toEqual(all);
  });

  test("lets no tool take the hashed name of another", () => {
    const squatted = createToolNames(["fs.read"]).toWire("fs.read");
    const names = createToolNames(["fs.read", squatted]);
    expect(names.toWire(squatted)).toBe(squatted);
    expect(names.toWire("fs.read")).not.toBe(squatted);
    expect(names.fromWire(names.toWire("fs.read"))).toBe("fs.read");
  });

  test("keeps a name from the history apart from a wire name in use", () => {
    const names = createToolNames(["fs.read"]);
    const wire = names.toWire("fs.read");
    const other = names.toWire(wire);
    expect(other).not.toBe(wire);
    expect(names.fromWire(other)).toBe(wire);
    expect(names.offered).toEqual(new Set([wire]));
  });

  test("hands back a name nobody was given", () => {
    expect(createToolNames(["Read"]).fromWire("raed")).toBe("raed");
  });

  test("keeps to another length", () => {
    const names = createToolNames(["a".repeat(40)], 32);
    expect(names.toWire("a".repeat(40))).toHaveLength(32);
  });

  test("never gives two names one wire name", () => {
    const seed = 20261129;
    const random = seeded(seed);
    const alphabet = ["a", "b", "_", ".", "/", "-", "é", " "];
    for (let round = 0; round < 300; round += 1) {
      const all = Array.from({ length: 12 }, () =>
        Array.from({ length: Math.floor(random() * 80) }, () => alphabet[Math.floor(random() * 8)]).join(""),
      );
      const names = createToolNames(all.slice(0, 8));
      for (const name of all) {
        const wire = names.toWire(name);
        if (!legal.test(wire) || names.fromWire(wire) !== name) {
          throw new Error(`seed ${seed}, round ${round}: ${JSON.stringify(name)} became ${JSON.stringify(wire)}`);
        }
      }
    }
  });
});
