/** Calls side by side on one file: each finds what the ones before it left, however long the backend takes. */

import { type Backend, createAgentState } from "holdall";
import { memoryBackend } from "holdall/memory";
import { describe, expect, test } from "vitest";
import { nextTurn } from "../../../src/backend/breather.ts";
import { inTurn } from "../../../src/tools/turns.ts";
import { openDesk } from "./setup.ts";

/** A backend that tells of a write only when another turn of the loop is over. */
function slowBackend(files: Record<string, string>): Backend {
  const inner = memoryBackend({ files });
  const later = async <T>(result: Promise<T>): Promise<T> => {
    const value = await result;
    await nextTurn();
    return value;
  };
  const { fs } = inner;
  return {
    ...inner,
    fs: {
      ...fs,
      read: (path, options) => later(fs.read(path, options)),
      write: (path, bytes, options) => later(fs.write(path, bytes, options)),
    },
  };
}

describe("on a backend that takes its time", () => {
  test("edits of one file are all made", async () => {
    const desk = openDesk(slowBackend({ "/f.txt": "<0>\n<1>\n<2>\n<3>\n" }));
    await desk.say("Read", { file_path: "/f.txt" });
    const said = await Promise.all(
      [0, 1, 2, 3].map((index) =>
        desk.say("Edit", { file_path: "/f.txt", old_string: `<${index}>`, new_string: `done ${index}` }),
      ),
    );
    expect(new Set(said)).toEqual(new Set(["success: Replaced 1 occurrence in /f.txt."]));
    expect(await desk.raw("/f.txt")).toBe("done 0\ndone 1\ndone 2\ndone 3\n");
  });

  test("a Write and an Edit are made one after the other, whichever comes first", async () => {
    const desk = openDesk(slowBackend({ "/f.txt": "old\n" }));
    await desk.say("Read", { file_path: "/f.txt" });
    const said = await Promise.all([
      desk.say("Write", { file_path: "/f.txt", content: "new\n" }),
      desk.say("Edit", { file_path: "/f.txt", old_string: "new", new_string: "newer" }),
    ]);
    const [written, edited] = said;
    expect(written).toBe("success: Replaced the content of /f.txt (1 line).");
    expect([edited?.slice(0, 36), await desk.raw("/f.txt")]).toBeOneOf([
      ["success: Replaced 1 occurrence in /f", "newer\n"],
      ["error: old_string was not found in /", "new\n"],
    ]);
  });
});

describe("inTurn", () => {
  const never = new AbortController().signal;

  test("goes on after one that fails, in order, and lets other files pass", async () => {
    const state = createAgentState();
    const order: string[] = [];
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const first = inTurn(state, "/a", never, async () => {
      await gate;
      order.push("first");
      throw new Error("broken");
    });
    const second = inTurn(state, "/a", never, async () => order.push("second"));
    await inTurn(state, "/b", never, async () => order.push("other"));
    await inTurn(createAgentState(), "/a", never, async () => order.push("elsewhere"));
    open();
    await expect(first).rejects.toThrow("broken");
    await second;
    expect(order).toEqual(["other", "elsewhere", "first", "second"]);
  });

  test("goes on after one that was aborted and never ends", async () => {
    const state = createAgentState();
    const controller = new AbortController();
    const endless = new Promise<never>(() => {});
    const isStarted = new Promise<void>((resolve) => {
      void inTurn(state, "/a", controller.signal, () => {
        resolve();
        return endless;
      });
    });
    await isStarted;
    const second = inTurn(state, "/a", never, async () => "second");
    controller.abort(new Error("enough"));
    expect(await second).toBe("second");
  });

  test("waits no longer than its signal, and lets nobody pass by giving up", async () => {
    const state = createAgentState();
    const controller = new AbortController();
    const order: string[] = [];
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const first = inTurn(state, "/a", never, () => gate.then(() => order.push("first")));
    const second = inTurn(state, "/a", controller.signal, async () => order.push("second"));
    const third = inTurn(state, "/a", never, async () => order.push("third"));
    controller.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    open();
    await Promise.all([first, third]);
    expect(order).toEqual(["first", "third"]);
  });
});
