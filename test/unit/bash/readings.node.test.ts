import { afterAll, describe, expect, test } from "vitest";
import { judgeBash } from "../../../src/bash/index.ts";
import { forAll } from "../property.ts";
import facts from "./cases/agentscope.json";
import attacks from "./cases/attacks.json";
import everyday from "./cases/everyday.json";
import field from "./cases/field.json";
import { randomText } from "./commands.ts";
import { openJustBashReader, type Reading, readWithUnbash, unknown } from "./readings.ts";

const known = new Set([field, facts].flatMap((list) => list.map((one) => ("input" in one ? one.input : one.command))));
const lines = [...known, ...Object.values(attacks).flat(), ...Object.values(everyday).flat()];

const reader = openJustBashReader();
afterAll(() => reader.close());

/** Whether the shell in the browser would run something else than what was judged; what it cannot read it does not run. */
async function differs(line: string): Promise<boolean> {
  const other = await reader.read(line);
  if (other === undefined || other === null) return false;
  const own = readWithUnbash(line);
  return JSON.stringify(own) !== JSON.stringify(other) && !covers(own, other);
}

/** Whether a reading knows no more of the same commands: a word that is not known was judged as any. */
function covers(own: Reading, other: Reading): boolean {
  if (own === undefined || own.length !== other?.length) return false;
  return own.every((command, index) => {
    const words = command.split(unknown).map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    const matches = new RegExp(`^${words.join(".*")}$`, "s").test(other[index] ?? "");
    return matches || withoutStarts(command) === withoutStarts(other[index]);
  });
}

/** Leaves out the known beginnings of words that are not known. */
function withoutStarts(command: string | undefined): string | undefined {
  return command?.replace(/[^ ]+\u2026/g, unknown);
}

describe("where two parsers read a line differently, it asks", () => {
  test("known lines", async () => {
    const different: string[] = [];
    for (const line of lines) if (await differs(line)) different.push(line);
    expect(different.length).toBeGreaterThan(10);
    expect(different.filter((line) => judgeBash(line).silent)).toEqual([]);
  });

  test("random lines", { timeout: 120_000 }, async () => {
    let read = 0;
    const silent: unknown[] = [];
    await forAll(16_000, async (random) => {
      const line = randomText(random, lines);
      if (!judgeBash(line).silent) return;
      // Only what would run unasked has to be read alike.
      read += 1;
      if (await differs(line)) silent.push([line, readWithUnbash(line), await reader.read(line)]);
    });
    expect(silent).toEqual([]);
    expect(read).toBeGreaterThan(500);
  });
});
