/** Commands in the background: their output piece by piece, their end, and what is left of them. */

import { createAgentState, outputText, PermissionEngine, restoreAgentState, Toolkit } from "holdall";
import { memoryBackend } from "holdall/memory";
import {
  type BackgroundRunsOptions,
  backgroundRuns,
  backgroundTools,
  bashTool,
  codingTools,
  MAX_BACKGROUND_WAITING,
  MAX_ENDED_RUNS,
} from "holdall/tools";
import { describe, expect, test } from "vitest";
import { backgroundDesk } from "./background-desk.ts";
import { handShell, settle } from "./hand-shell.ts";

function open(options: BackgroundRunsOptions = {}) {
  const hand = handShell();
  return { hand, ...backgroundDesk(hand.shell, options) };
}

const started =
  "success: Started in the background as bash_1. Look at its output with BashOutput, stop it with KillShell.";

describe("Bash in the background", () => {
  test("comes back at once with an id, in a shell session of its own", async () => {
    const { hand, call, state } = open();
    const result = await call("Bash", { command: "npm run dev", run_in_background: true });
    expect([result.state, outputText(result.output), result.metadata]).toEqual([
      "success",
      started.slice("success: ".length),
      { bashId: "bash_1" },
    ]);
    const { signal: _, ...options } = hand.last().options;
    expect({ command: hand.last().command, options }).toEqual({
      command: "npm run dev",
      options: {
        session: "s1.bash_1",
        timeoutMs: 86_400_000,
        maxOutputBytes: 16 << 20,
        cwd: "/workspace",
        env: { CI: "1" },
      },
    });
    expect(state.extra.background).toEqual({
      runs: [
        {
          id: "bash_1",
          command: "npm run dev",
          status: "running",
          ending: "",
          exitCode: null,
          seen: false,
          startedAt: 5,
        },
      ],
      nextId: 2,
    });
  });

  test("starts where the shell session stands, and may be given a time", async () => {
    const { hand, call } = open();
    const moving = call("Bash", { command: "cd sub" });
    await hand.started();
    hand.last().end({ cwd: "/workspace/sub" });
    await moving;
    await call("Bash", { command: "sleep 9", run_in_background: true, timeout: 7 });
    expect([hand.last().options.cwd, hand.last().options.timeoutMs]).toEqual(["/workspace/sub", 7]);
  });

  test("gives what is new, and how it ended", async () => {
    const { hand, start, output } = open();
    await start("make");
    expect(await output("bash_1")).toBe("success: (no new output)\n[bash_1 is running.]");
    hand.last().print("one\n");
    hand.last().print("two\n", "stderr");
    expect(await output("bash_1")).toBe("success: one\ntwo\n[bash_1 is running.]");
    hand.last().print("three");
    hand.last().end({ code: 2 });
    expect(await output("bash_1")).toBe("success: three\n[bash_1 has ended with exit code 2.]");
    expect(await output(" bash_1 ")).toBe("success: (no new output)\n[bash_1 has ended with exit code 2.]");
  });

  test.each([
    { exit: { code: null, signal: "SIGSEGV" }, says: "been killed by SIGSEGV" },
    { exit: { code: 124, timedOut: true }, says: "run out of its time and was killed" },
  ])("tells $says", async ({ exit, says }) => {
    const { hand, start, output } = open();
    await start("x");
    hand.last().end(exit);
    expect(await output("bash_1")).toBe(`success: (no new output)\n[bash_1 has ${says}.]`);
  });

  test("tells that the shell broke, and that output was dropped", async () => {
    const { hand, start, output } = open();
    await start("x");
    hand.last().fail(new Error("no more processes"));
    expect(await output("bash_1")).toBe(
      "success: (no new output)\n[bash_1 has failed with the shell itself: no more processes.]",
    );
    await start("y");
    hand.last().end({ truncated: true });
    expect(await output("bash_2")).toBe(
      "success: \n[It printed more than 16 MiB; the rest was dropped.]\n[bash_2 has ended with exit code 0.]",
    );
  });

  test("filters whole lines, and leaves an unfinished one for later", async () => {
    const { hand, start, output } = open();
    await start("x");
    hand.last().print("info a\nerror b\r\ninfo c\nerr");
    expect(await output("bash_1", "^ERROR|^error")).toBe("success: error b\r\n[bash_1 is running.]");
    hand.last().print("or d\ninfo e\nerror f");
    expect(await output("bash_1", "^error \\w$")).toBe("success: error d\n[bash_1 is running.]");
    hand.last().end();
    expect(await output("bash_1", "(?i)ERROR")).toBe("success: error f\n[bash_1 has ended with exit code 0.]");
    expect(await output("bash_1", "error")).toBe(
      "success: (no new output that matches)\n[bash_1 has ended with exit code 0.]",
    );
  });

  test("refuses filters that are wrong or hostile, and then nothing counts as read", async () => {
    const { hand, start, output } = open();
    await start("x");
    hand.last().print("aaaa\n");
    expect(await output("bash_1", "(")).toMatch(/^error: The pattern "\(" cannot be used: /);
    expect(await output("bash_1", "(a+)+$")).toMatch(/^error: The pattern .* could take longer than anybody waits/);
    expect(await output("bash_1", "a")).toBe("success: aaaa\n[bash_1 is running.]");
  });

  test("gives a slow filter up, and then nothing counts as read", async () => {
    const hand = handShell();
    const background = backgroundRuns();
    let now = 0;
    const tools = [
      bashTool({ backend: memoryBackend({ shell: hand.shell }), background }),
      ...backgroundTools({ background, clock: () => (now += 400) }),
    ];
    const toolkit = new Toolkit({ tools });
    const say = async (name: string, input: object): Promise<string> =>
      outputText((await toolkit.run({ name, input })).output);
    await say("Bash", { command: "x", run_in_background: true });
    hand.last().print("1\n2\n3\n4\n5\nunfinished");
    await settle();
    expect(await say("BashOutput", { bash_id: "bash_1", filter: "z" })).toBe(
      "The filter takes too long. Use a simpler one; nothing was read.",
    );
    expect(await say("BashOutput", { bash_id: "bash_1" })).toBe("1\n2\n3\n4\n5\nunfinished\n[bash_1 is running.]");
  });

  test("keeps beginning and end of what nobody reads, and shows no more than fits", async () => {
    const { hand, start, call } = open();
    await start("x");
    hand.last().print("first\n");
    for (let index = 0; index < 40; index += 1) hand.last().print("x".repeat(MAX_BACKGROUND_WAITING / 8));
    hand.last().print("\nlast\n");
    await settle();
    const text = outputText((await call("BashOutput", { bash_id: "bash_1" })).output);
    expect([
      text.length < 41_000,
      text.startsWith("first\nxxx"),
      text.endsWith("xxx\nlast\n[bash_1 is running.]"),
    ]).toEqual([true, true, true]);
    expect(text).toContain("characters left out …]");
  });

  test("stops one, and what it printed can still be read", async () => {
    const { hand, start, say, output } = open();
    await start("x");
    hand.last().print("so far\n");
    await settle();
    expect(await say("KillShell", { shell_id: "bash_1" })).toBe("success: bash_1 has been stopped.");
    expect(hand.last().options.signal?.aborted).toBe(true);
    expect(await say("KillShell", { shell_id: "bash_1" })).toBe("success: bash_1 has been stopped.");
    expect(await output("bash_1")).toBe("success: so far\n[bash_1 has been stopped.]");
  });

  test("names what there is for an id that is not known", async () => {
    const { start, output, say } = open();
    expect(await output("bash_1")).toBe('error: No command in the background has the id "bash_1". None was started.');
    await start("sleep 1\nsleep 2");
    expect(await say("KillShell", { shell_id: "sleep" })).toBe(
      'error: No command in the background has the id "sleep". There are:\n- bash_1 is running: sleep 1 sleep 2',
    );
  });

  test("runs no more at one time than it may, for each conversation", async () => {
    const { hand, start } = open({ maxRuns: 2 });
    const other = createAgentState();
    await start("a");
    await start("b");
    expect(await start("c")).toBe(
      "error: 2 commands run in the background already, which is the most. Stop one with KillShell, or wait until one ends:\n- bash_1 is running: a\n- bash_2 is running: b",
    );
    expect(await start("c", other)).toBe(started);
    hand.runs[0]?.end();
    await settle();
    expect(await start("d")).toMatch(/^success: Started in the background as bash_3\./);
    expect(hand.runs.map(({ command }) => command)).toEqual(["a", "b", "c", "d"]);
  });

  test("keeps conversations apart", async () => {
    const { start, say, hand } = open();
    await start("mine");
    const other = createAgentState();
    expect(await say("KillShell", { shell_id: "bash_1" }, other)).toMatch(/^error: No command/);
    expect(hand.last().options.signal?.aborted).toBe(false);
  });

  test("reminds of an end that was not looked at, and of what runs besides", async () => {
    const { hand, background, state, start, output } = open();
    await start("npm test");
    await start("npm run dev");
    await settle();
    expect(background.reminder(state)).toBeUndefined();
    hand.runs[0]?.end({ code: 1 });
    await settle();
    const before = JSON.stringify(state);
    expect(background.reminder(state)).toBe(
      "A command in the background has ended, and you have not looked at it since:\n- bash_1 has ended with exit code 1: npm test\n- bash_2 is running: npm run dev\nSee what one printed with BashOutput, stop one that runs with KillShell.",
    );
    expect(JSON.stringify(state)).toBe(before);
    await output("bash_1");
    expect(background.reminder(state)).toBeUndefined();
  });

  test("knows in another process that those of the last one are lost", async () => {
    const first = open();
    await first.start("npm run dev");
    await first.start("make");
    first.hand.last().end();
    await first.output("bash_2");
    const state = restoreAgentState(JSON.parse(JSON.stringify(first.state)));
    const { say, start, background } = open();
    expect(background.reminder(state)).toContain("- bash_1 has been lost with the process it ran in");
    expect(await say("BashOutput", { bash_id: "bash_1" }, state)).toBe(
      "success: (no new output)\n[bash_1 has been lost with the process it ran in, and what it printed with it.]",
    );
    expect(background.reminder(state)).toBeUndefined();
    expect(await start("again", state)).toMatch(/^success: Started in the background as bash_3\./);
  });

  test("takes a restored state for the same conversation while the process lives", async () => {
    const { hand, start, say, state } = open();
    await start("x");
    const restored = restoreAgentState(JSON.parse(JSON.stringify(state)));
    hand.last().print("still here\n");
    await settle();
    expect(await say("BashOutput", { bash_id: "bash_1" }, restored)).toBe("success: still here\n[bash_1 is running.]");
  });

  test("reads a broken list in the state without harm", () => {
    const { background, state } = open();
    for (const broken of [5, null, [], { runs: 7 }, { runs: [null, { id: "x" }, { id: "bash_1" }], nextId: -1 }]) {
      state.extra.background = broken;
      expect(background.list(state)).toEqual([]);
    }
    state.extra.background = { runs: [{ id: "bash_7", status: "ended" }], nextId: 1 };
    expect(background.list(state)).toEqual([
      { id: "bash_7", command: "", status: "ended", ending: "ended", exitCode: null, seen: false, startedAt: 0 },
    ]);
  });

  test("remembers no more that have ended than it says", async () => {
    const { hand, start, output, background, state } = open();
    for (let index = 1; index <= MAX_ENDED_RUNS + 5; index += 1) {
      await start("x");
      hand.last().end();
      await output(`bash_${index}`);
    }
    await start("y");
    const stored = JSON.parse(JSON.stringify(state.extra.background));
    expect([stored.runs.length, stored.nextId, stored.runs.at(-1).id]).toEqual([
      MAX_ENDED_RUNS + 1,
      MAX_ENDED_RUNS + 7,
      `bash_${MAX_ENDED_RUNS + 6}`,
    ]);
    expect(background.list(state).at(-1)?.status).toBe("running");
  });

  test("stops all of one conversation, or all at its close or abort, for good", async () => {
    const controller = new AbortController();
    const { hand, background, start } = open({ signal: controller.signal });
    const other = createAgentState({ sessionId: "s2" });
    await start("a");
    await start("b");
    await start("c", other);
    const aborted = (): (boolean | undefined)[] => hand.runs.map(({ options }) => options.signal?.aborted);
    await background.stopAll("s1");
    expect(aborted()).toEqual([true, true, false]);
    controller.abort();
    await background.close();
    expect(aborted()).toEqual([true, true, true]);
    expect(await start("d")).toBe(
      "error: Nothing can run in the background any more. Run the command in the foreground.",
    );
    expect(hand.runs.length).toBe(3);
  });

  test("takes no number of commands that is none", () => {
    expect(() => backgroundRuns({ maxRuns: 0 })).toThrow("maxRuns cannot be 0. Give a whole number from 1.");
  });

  test("is not offered where nobody could look after it", async () => {
    const tools = codingTools({ backend: memoryBackend() });
    expect(tools.map(({ name }) => name)).toEqual(["Bash", "Read", "Write", "Edit", "Glob", "Grep"]);
    expect(JSON.stringify(new Toolkit({ tools }).schemas())).not.toContain("background");
  });

  test("asks as the foreground does; looking and stopping need no question", async () => {
    const { toolkit, background } = open();
    const engine = new PermissionEngine();
    const check = async (name: string, input: object): Promise<string> => {
      const result = await toolkit.run({ name, input }, { permission: engine });
      return result.state;
    };
    expect(await check("Bash", { command: "npm run dev", run_in_background: true })).toBe("suspended");
    expect(await check("BashOutput", { bash_id: "bash_1" })).toBe("error");
    expect(await check("KillShell", { shell_id: "bash_1" })).toBe("error");
    await background.close();
  });
});
