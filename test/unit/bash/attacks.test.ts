import { describe, expect, test } from "vitest";
import { judgeBash } from "../../../src/bash/index.ts";
import attacks from "./cases/attacks.json";
import { decide } from "./decide.ts";

describe("attacks", () => {
  test.each(Object.entries(attacks))("%s: none runs without a question", (_kind, commands) => {
    expect(commands.filter((command) => judgeBash(command).silent)).toEqual([]);
  });

  test.each(Object.entries(attacks))("%s: exploring refuses them, whatever they are", (_kind, commands) => {
    expect(commands.filter((command) => decide(command, { mode: "explore" }) !== "deny")).toEqual([]);
  });

  test("there are more than fifteen hundred of them", () => {
    expect(new Set(Object.values(attacks).flat()).size).toBeGreaterThan(1500);
  });
});
