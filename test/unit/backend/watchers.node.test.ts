import { createSharedWatchers } from "holdall";
import { describe, expect, test } from "vitest";

/** How many channels keep this process alive. */
function channels(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;
}

describe("shared watchers", () => {
  test("hold the process only once somebody watches or tells, and until they are closed", async () => {
    const before = channels();
    const watchers = createSharedWatchers("holdall-test-watchers");
    expect(channels()).toBe(before);
    watchers.tell([{ path: "/a", kind: "written" }]);
    expect(channels()).toBe(before + 1);
    watchers.close();
    watchers.tell([{ path: "/b", kind: "written" }]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(channels()).toBe(before);
  });
});
