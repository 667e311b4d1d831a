/** What shells can do beside running programs, kind by kind: what hides there asks, and its harmless neighbours do not. */

import { judgeBash } from "holdall/bash";
import { describe, expect, test } from "vitest";
import cases from "./cases/shell-features.json";

const place = { cwd: "/work", home: "/home/me", workingDirectories: ["/work"] };

describe.each(Object.entries(cases.asks))("%s", (_kind, commands) => {
  test.each(commands)("%j asks", (command) => {
    expect(judgeBash(command, place).silent).toBe(false);
  });
});

test.each(cases.harmless)("%j does not ask", (command) => {
  const { silent, mustAsk } = judgeBash(command, place);
  expect([silent, mustAsk]).toEqual([true, []]);
});
