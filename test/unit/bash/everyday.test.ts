import { describe, expect, test } from "vitest";
import { judgeBash } from "../../../src/bash/index.ts";
import everyday from "./cases/everyday.json";
import field from "./cases/field.json";

describe("everyday commands", () => {
  test.each(Object.entries(everyday))("%s: none asks", (_kind, commands) => {
    const asked = commands.map((command) => ({ command, ...judgeBash(command) })).filter(({ silent }) => !silent);
    expect(asked.map(({ command, mustAsk, analysis }) => [command, mustAsk, analysis.units])).toEqual([]);
  });

  const harmless = field.filter(({ group, readOnly, mustAsk }) => group === "benign" && readOnly && !mustAsk);
  const all = [...harmless.map(({ input }) => input), ...Object.values(everyday).flat()];
  const prompts = all.filter((command) => !judgeBash(command).silent);

  test(`prompts over ${all.length} harmless commands: ${((100 * prompts.length) / all.length).toFixed(1)} %`, () => {
    expect(prompts).toEqual([]);
  });

  test("are the same with a workspace and a home around them", () => {
    const options = { cwd: "/home/ada/work/app", home: "/home/ada", workingDirectories: ["/home/ada/work"] };
    expect(all.filter((command) => !judgeBash(command, options).silent)).toEqual([]);
  });
});
