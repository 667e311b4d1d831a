import { describe, expect, test } from "vitest";
import { judgeBash } from "../../../src/bash/index.ts";
import { forAll } from "../property.ts";
import facts from "./cases/agentscope.json";
import attacks from "./cases/attacks.json";
import everyday from "./cases/everyday.json";
import field from "./cases/field.json";
import { randomText } from "./commands.ts";
import { readWithJustBash, readWithUnbash } from "./readings.ts";

const known = new Set([field, facts].flatMap((list) => list.map((one) => ("input" in one ? one.input : one.command))));
const lines = [...known, ...Object.values(attacks).flat(), ...Object.values(everyday).flat()];

/** Whether the shell in the browser would run something else than what was judged; what it refuses it does not run. */
function differs(line: string): boolean {
  const other = readWithJustBash(line);
  return other !== undefined && JSON.stringify(readWithUnbash(line)) !== JSON.stringify(other);
}

describe("where two parsers read a line differently, it asks", () => {
  test("known lines", () => {
    const different = lines.filter(differs);
    expect(different.length).toBeGreaterThan(10);
    expect(different.filter((line) => judgeBash(line).silent)).toEqual([]);
  });

  test("random lines", async () => {
    let different = 0;
    const silent: unknown[] = [];
    await forAll(6000, (random) => {
      const line = randomText(random, lines);
      // On some broken arithmetic the other parser does not come to an end.
      if (/\(\(|\$\[/.test(line) || !differs(line)) return;
      different += 1;
      if (judgeBash(line).silent) silent.push([line, readWithUnbash(line), readWithJustBash(line)]);
    });
    expect(silent).toEqual([]);
    expect(different).toBeGreaterThan(50);
  });
});
