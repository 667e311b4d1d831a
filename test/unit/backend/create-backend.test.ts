import { createBackend, createFileSystem, type Shell, type ShellGround } from "holdall";
import { memoryFileSystem } from "holdall/memory";
import { describe, expect, test } from "vitest";

const fs = createFileSystem(memoryFileSystem());

function shellThatCloses(close: () => Promise<void>): Shell {
  return {
    run: () => {
      throw new Error("it only closes");
    },
    close,
  };
}

describe("createBackend", () => {
  test("makes the shell over the files, and leaves out what there is not", () => {
    const grounds: ShellGround[] = [];
    const shell = shellThatCloses(async () => {});
    const make = (ground: ShellGround): Shell => {
      grounds.push(ground);
      return shell;
    };
    const backend = createBackend({ name: "mine", fs, cwd: "/work", home: "/home/ada", shell: make });
    expect({ ...backend, close: undefined }).toEqual({
      name: "mine",
      os: "posix",
      fs,
      cwd: "/work",
      home: "/home/ada",
      shell,
      close: undefined,
    });
    expect(grounds).toEqual([{ fs, cwd: "/work", home: "/home/ada" }]);
    expect(Object.keys(createBackend({ name: "bare", fs, cwd: "/", shell: false }))).toEqual([
      "name",
      "os",
      "fs",
      "cwd",
      "close",
    ]);
  });

  test("closes the shell before the files, and the files when the shell cannot be closed", async () => {
    const log: string[] = [];
    const close = (): void => void log.push("files");
    const good = shellThatCloses(async () => void log.push("shell"));
    await createBackend({ name: "a", fs, cwd: "/", shell: good, close }).close?.();
    const bad = shellThatCloses(async () => {
      throw new Error("stuck");
    });
    await expect(createBackend({ name: "b", fs, cwd: "/", shell: bad, close }).close?.()).rejects.toThrow("stuck");
    expect(log).toEqual(["shell", "files", "files"]);
  });
});
