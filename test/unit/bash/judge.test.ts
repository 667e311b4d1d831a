import { describe, expect, test } from "vitest";
import { analyzeBash, judgeBash } from "../../../src/bash/index.ts";

describe("judgeBash", () => {
  const options = { cwd: "/work/app", home: "/home/ada", workingDirectories: ["/work/app"] };

  test.each<[string, boolean, boolean, string[], string[]]>([
    ["ls", true, true, [], []],
    ["touch a", false, false, [], []],
    ["cat .env", true, false, ["secret"], ["secret"]],
    ["cat /srv/a", true, false, ["outside"], []],
    ["cat /usr/include/stdio.h /etc/hosts /dev/null", true, true, [], []],
    ["cp /srv/a b", false, false, ["outside"], []],
    ["ls ..", true, false, ["outside"], []],
    ["[ -e /srv/a ] && stat /srv/a", true, true, [], []],
    ["rm -rf a", false, false, ["recursive-removal"], ["recursive-removal"]],
    ["$X", false, false, ["dynamic-command"], ["dynamic-command"]],
    ["ls 'a", false, false, ["syntax"], ["syntax"]],
    ["git status; cat ~/a", true, false, ["outside"], []],
  ])("%j: read-only %j, silent %j, asks for %j", (command, readOnly, silent, mustAsk, immune) => {
    const judged = judgeBash(command, options);
    const codes = (list: { code: string }[]): string[] => list.map(({ code }) => code);
    expect([judged.readOnly, judged.silent, codes(judged.mustAsk), codes(judged.immune)]).toEqual([
      readOnly,
      silent,
      mustAsk,
      immune,
    ]);
  });

  test("takes a reading that was made before", () => {
    const analysis = analyzeBash("cat .env", options);
    expect(judgeBash(analysis)).toEqual(judgeBash("cat .env", options));
    expect(judgeBash(analysis).analysis).toBe(analysis);
  });
});

describe("the workspace", () => {
  const inside = (command: string, cwd: string, workingDirectories?: string[]): boolean =>
    judgeBash(command, { cwd, workingDirectories }).silent;

  test("is the folder it starts in and the working directories", () => {
    expect(inside("cat a /work/lib/b", "/work/app", ["/work/lib"])).toBe(true);
    expect(inside("cat /work/library/b", "/work/app", ["/work/lib"])).toBe(false);
    expect(inside("cat /work/app/../b", "/work/app")).toBe(false);
    expect(inside("cat ./../app/b", "/work/app")).toBe(true);
    expect(inside("cat /anything", "/")).toBe(true);
  });

  test("is where cd goes back to", () => {
    expect(inside("cd src && cat ../a", "/work/app")).toBe(true);
    expect(inside("cd src && cat ../../a", "/work/app")).toBe(false);
    expect(inside("cd src; cat ../a", "/work/app")).toBe(false);
    expect(inside("(cd src); cat a", "/work/app")).toBe(true);
    expect(inside("cd src && cd .. && cat a", "/work/app")).toBe(true);
    expect(inside("cd /srv && cd /work/app && cat a", "/work/app")).toBe(false);
    expect(inside("cd /work/app && git log", "/work/app")).toBe(true);
  });

  test("is what programs that read their settings from a folder may run in", () => {
    const readOnly = (command: string): boolean => judgeBash(command, { cwd: "/work/app" }).readOnly;
    expect(["git log", "cd src && git log", "git -C src log"].map(readOnly)).toEqual([true, true, true]);
    expect(["cd /srv/x && git log", "git -C /srv/x log", "cd $X && git log", "cd ..; npm ls"].map(readOnly)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
