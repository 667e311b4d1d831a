import { describe, expect, test } from "vitest";
import { HoldallError } from "../../../src/base/errors.ts";
import {
  baseName,
  childPath,
  extension,
  isInside,
  joinPath,
  MAX_PATH_LENGTH,
  parentPath,
  relativePath,
  resolvePath,
} from "../../../src/base/path.ts";

describe("resolvePath", () => {
  test.each([
    ["/a/b", "/", "/a/b"],
    ["a/b", "/w", "/w/a/b"],
    ["a", "/", "/a"],
    [".", "/w", "/w"],
    ["..", "/w/x", "/w"],
    ["../../../..", "/w/x", "/"],
    ["/../../etc/passwd", "/w", "/etc/passwd"],
    ["/a/./b/../c//d/", "/", "/a/c/d"],
    ["/", "/w", "/"],
    ["//", "/w", "/"],
    ["/a/b/.", "/", "/a/b"],
    ["/a/b/..", "/", "/a"],
    ["b", "/w/../x/", "/x/b"],
    ["/a/.b/..c/d..", "/", "/a/.b/..c/d.."],
    ["/a/...", "/", "/a/..."],
    ["/a/..b", "/", "/a/..b"],
    [" a", "/w", "/w/ a"],
    ["a\\b", "/w", "/w/a\\b"],
    ["line\nbreak", "/w", "/w/line\nbreak"],
    ["/😀/é", "/", "/😀/é"],
    ["~/x", "/w", "/w/~/x"],
  ])("resolves %j from %j to %j", (path, cwd, expected) => {
    expect(resolvePath(path, cwd)).toBe(expected);
  });

  test.each([[""], ["a\0b"], ["\0"], ["/a\ud800b"], ["\udc00"], [`/${"a".repeat(MAX_PATH_LENGTH)}`]])(
    "refuses %j",
    (path) => {
      const failure = ((): unknown => {
        try {
          return resolvePath(path, "/w");
        } catch (error) {
          return error;
        }
      })();
      expect(HoldallError.is(failure, "FS_INVALID_PATH")).toBe(true);
      expect((failure as HoldallError).data).toEqual({ path });
    },
  );

  test("takes a path of exactly the limit", () => {
    const path = `/${"a".repeat(MAX_PATH_LENGTH - 1)}`;
    expect(resolvePath(path)).toBe(path);
  });
});

describe("joinPath", () => {
  test.each([
    ["/w", "a", "/w/a"],
    ["/w", "", "/w"],
    ["/w", "/a", "/w/a"],
    ["/w", "../..", "/"],
    ["/", "a/b/", "/a/b"],
  ])("joins %j and %j to %j", (folder, relative, expected) => {
    expect(joinPath(folder, relative)).toBe(expected);
  });
});

test.each([
  ["/", "a", "/a"],
  ["/w", "a/b", "/w/a/b"],
  ["/w", "..", "/w/.."],
  ["/w", "", "/w/"],
  ["/", "", "/"],
])("childPath puts %j and %j together as they are: %j", (folder, name, expected) => {
  expect(childPath(folder, name)).toBe(expected);
});

describe("parts of a path", () => {
  test.each([
    ["/a/b.TS", "/a", "b.TS", ".ts"],
    ["/a", "/", "a", ""],
    ["/", "/", "", ""],
    ["/.env", "/", ".env", ""],
    ["/.env.local", "/", ".env.local", ".local"],
    ["/a.b/c", "/a.b", "c", ""],
    ["/a/x.tar.gz", "/a", "x.tar.gz", ".gz"],
  ])("takes %j apart", (path, parent, name, suffix) => {
    expect([parentPath(path), baseName(path), extension(path)]).toEqual([parent, name, suffix]);
  });
});

describe("containment", () => {
  test.each([
    ["/w", "/w", true, "."],
    ["/w/a", "/w", true, "a"],
    ["/w/a/b", "/w", true, "a/b"],
    ["/wa", "/w", false, "/wa"],
    ["/", "/w", false, "/"],
    ["/a", "/", true, "a"],
    ["/", "/", true, "."],
  ])("places %j relative to %j", (path, folder, inside, relative) => {
    expect([isInside(path, folder), relativePath(path, folder)]).toEqual([inside, relative]);
  });
});
