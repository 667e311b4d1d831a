import { describe, expect, test } from "vitest";
import { hostKind, hostPaths } from "../../adapters/node/paths/host-paths.ts";

const windows = hostPaths("windows");

describe("hostPaths of Windows", () => {
  test.each<[path: string, host: string]>([
    ["/C:/Users/me", "\\\\?\\C:\\Users\\me"],
    ["/c:/x", "\\\\?\\C:\\x"],
    ["/c/Users/me", "\\\\?\\C:\\Users\\me"],
    ["/C:", "\\\\?\\C:\\"],
    ["/D:/a b/c.txt", "\\\\?\\D:\\a b\\c.txt"],
    ["/C:/.config/...x", "\\\\?\\C:\\.config\\...x"],
    ["/C:/console/auxiliary/com", "\\\\?\\C:\\console\\auxiliary\\com"],
  ])("writes %s as %s", (path, host) => {
    expect(windows.toHost(path)).toBe(host);
  });

  test.each([
    ["no drive", "/"],
    ["no drive", "/Users/me"],
    ["no drive", "/CC:/x"],
    ["a drive that is relative", "/C:x"],
    ["a second drive", "/C:/work/D:/x"],
    ["a device", "/C:/work/NUL"],
    ["a device in any case", "/C:/work/con"],
    ["a device with an extension", "/C:/aux.txt"],
    ["a device with a space", "/C:/prn .txt"],
    ["a device with a digit", "/C:/COM1"],
    ["a device with a raised digit", "/C:/lpt²"],
    ["the console", "/C:/CONIN$"],
    ["a folder named like a device", "/C:/nul/x"],
    ["a dot at the end", "/C:/secret."],
    ["a space at the end", "/C:/secret "],
    ["dots at the end of a folder", "/C:/work.../x"],
    ["a stream", "/C:/file:stream"],
    ["the main stream", "/C:/file::$DATA"],
    ["a backslash", "/C:/a\\..\\b"],
    ["a wildcard", "/C:/a*"],
    ["a control character", "/C:/a\u0001"],
    ["quotes", '/C:/a"b'],
    ["a pipe", "/C:/a|b"],
  ])("refuses %s: %j", (_what, path) => {
    expect(() => windows.toHost(path)).toThrow("FS_INVALID_PATH");
  });

  test.each<[host: string, path: string]>([
    ["C:\\Users\\me", "/C:/Users/me"],
    ["c:\\", "/C:"],
    ["\\\\?\\D:\\x\\y", "/D:/x/y"],
    ["D:/mixed\\slashes", "/D:/mixed/slashes"],
  ])("reads %s as %s", (host, path) => {
    expect(windows.fromHost(host)).toBe(path);
  });

  test.each(["\\\\server\\share\\x", "\\\\?\\UNC\\server\\x", "\\\\.\\pipe\\x", "relative\\x"])(
    "refuses %s of the host",
    (host) => {
      expect(() => windows.fromHost(host)).toThrow("FS_INVALID_PATH");
    },
  );

  test("goes there and back", () => {
    for (const path of ["/C:", "/D:/a/b c/ü", "/Z:/🦊"]) expect(windows.fromHost(windows.toHost(path))).toBe(path);
  });

  test("writes links of both kinds, and reads them", () => {
    expect([windows.toLink("../a/b"), windows.toLink("/C:/x")]).toEqual(["..\\a\\b", "\\\\?\\C:\\x"]);
    expect([windows.fromLink("..\\a\\b"), windows.fromLink("C:\\x")]).toEqual(["../a/b", "/C:/x"]);
    expect(() => windows.toLink("../nul")).toThrow("FS_INVALID_PATH");
  });

  test("speaks to a shell as shells there do", () => {
    expect(["/C:/a b", "/c/x", "/D:"].map(windows.toShell)).toEqual(["/c/a b", "/c/x", "/d"]);
    expect(["/c/a b", "/D:/x", "/usr/bin"].map(windows.fromShell)).toEqual(["/C:/a b", "/D:/x", "/usr/bin"]);
  });

  test("takes names that differ in case or in the form of their accents for one", () => {
    expect(windows.key("/C:/CAF\u00c9")).toBe(windows.key("/C:/cafe\u0301"));
    expect(windows.foldsCase).toBe(true);
  });
});

describe("hostPaths of others", () => {
  test("leaves paths as they are", () => {
    for (const kind of ["linux", "macos", "other"] as const) {
      const paths = hostPaths(kind);
      for (const path of ["/", "/a/b", "/NUL", "/a.", "/a:b", "/back\\slash"])
        expect([paths.toHost(path), paths.fromShell(path), paths.fromHost(path), paths.toShell(path)]).toEqual([
          path,
          path,
          path,
          path,
        ]);
    }
  });

  test("compares names as the host does", () => {
    expect(hostPaths("linux").key("/A")).toBe("/A");
    expect(hostPaths("macos").key("/A\u0301")).toBe(hostPaths("macos").key("/\u00e1"));
  });
});

describe("hostKind", () => {
  test("knows the platforms of Node", () => {
    expect((["linux", "android", "darwin", "win32", "freebsd"] as const).map(hostKind)).toEqual([
      "linux",
      "linux",
      "macos",
      "windows",
      "other",
    ]);
  });
});
