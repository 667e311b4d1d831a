/** Commands in the background, as nobody means them well: each call is answered, and no conversation reaches another's. */

import { createAgentState, outputText, restoreAgentState, type Shell, type ShellExit, type ShellOutput } from "holdall";
import {
  type BackgroundRunsOptions,
  MAX_BACKGROUND_RUNS,
  MAX_BACKGROUND_WAITING,
  MAX_ENDED_OUTPUTS,
} from "holdall/tools";
import { describe, expect, test } from "vitest";
import { isWellFormed } from "../../../src/base/text.ts";
import { createKept } from "../../../src/tools/bash-kept.ts";
import { forAll, split } from "../property.ts";
import { backgroundDesk } from "./background-desk.ts";
import { handShell, settle } from "./hand-shell.ts";

function open(options: BackgroundRunsOptions = {}) {
  const hand = handShell();
  return { hand, ...backgroundDesk(hand.shell, options) };
}

const ended: ShellExit = { code: 0, timedOut: false, truncated: false };

async function* prints(...texts: string[]): AsyncGenerator<ShellOutput, void, undefined> {
  for (const text of texts) yield { stream: "stdout", text };
}

/** A shell that gives the same run for every command, and remembers the signal of the last. */
function shellOf(print: () => AsyncIterable<ShellOutput>, exit: () => Promise<ShellExit>) {
  const seen: { signal: AbortSignal | undefined } = { signal: undefined };
  const shell: Shell = {
    run(_command, options) {
      seen.signal = options?.signal;
      return { [Symbol.asyncIterator]: () => print()[Symbol.asyncIterator](), exit: exit() };
    },
  };
  return { shell, seen };
}

describe("an id of a command in the background", () => {
  const ids = [
    "",
    " ",
    "bash_",
    "bash_0",
    "bash_2",
    "bash_01",
    "bash_1.0",
    "bash_-1",
    "bash_1e0",
    "BASH_1",
    "bash_1\0",
    "bash_1 bash_1",
    "s1.bash_1",
    "1",
    "*",
    ".*",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "bash_\u0661",
    "../bash_1",
    "x".repeat(100_000),
    "\ud83e",
  ];

  test.each(ids.map((id) => [id.slice(0, 40), id]))(
    "that does not exist is told of, with what there is: %j",
    async (_shown, id) => {
      const { hand, start, say, kill, background, state } = open();
      await start("mine");
      const before = JSON.stringify(state.extra);
      const shown = JSON.stringify(id.slice(0, 80));
      const expected = `error: No command in the background has the id ${shown}. There are:\n- bash_1 is running: mine`;
      expect([
        await say("BashOutput", { bash_id: id }),
        await kill(id),
        await say("BashOutput", { bash_id: id, filter: "a" }),
      ]).toEqual([expected, expected, expected]);
      expect([JSON.stringify(state.extra), hand.last().options.signal?.aborted]).toEqual([before, false]);
      await background.close();
    },
  );

  test.each<[what: string, input: object]>([
    ["a number", { bash_id: 1, shell_id: 1 }],
    ["a list", { bash_id: ["bash_1"], shell_id: ["bash_1"] }],
    ["nothing", {}],
    ["null", { bash_id: null, shell_id: null }],
    ["an object", { bash_id: { toString: "bash_1" }, shell_id: {} }],
  ])("that is %s is not taken", async (_what, input) => {
    const { hand, start, call, background } = open();
    await start();
    expect([(await call("BashOutput", input)).state, (await call("KillShell", input)).state]).toEqual([
      "error",
      "error",
    ]);
    expect(hand.last().options.signal?.aborted).toBe(false);
    await background.close();
  });

  test.each(["s2", "", "s1 ", "S1", "s1.bash_1", "__proto__", "constructor"])(
    "is not known to another conversation: %j",
    async (sessionId) => {
      const { hand, start, say, kill, background } = open();
      await start("mine");
      hand.last().print("secret\n");
      const other = { ...createAgentState(), sessionId };
      const nobody = 'error: No command in the background has the id "bash_1". None was started.';
      expect([
        await say("BashOutput", { bash_id: "bash_1" }, other),
        await kill("bash_1", other),
        background.reminder(other),
      ]).toEqual([nobody, nobody, undefined]);
      await start("theirs", other);
      await settle();
      expect(await say("BashOutput", { bash_id: "bash_1" }, other)).toBe(
        "success: (no new output)\n[bash_1 is running.]",
      );
      await background.stopAll(sessionId);
      expect(hand.runs.map(({ command, options }) => [command, options.signal?.aborted])).toEqual([
        ["mine", false],
        ["theirs", true],
      ]);
      await background.close();
    },
  );

  test("of another conversation cannot be had by writing it into the state", async () => {
    const { hand, start, say, kill, background, state } = open();
    await start("mine");
    hand.last().print("secret\n");
    await settle();
    const thief = createAgentState({ sessionId: "thief" });
    thief.extra = JSON.parse(JSON.stringify(state.extra));
    expect(await say("BashOutput", { bash_id: "bash_1" }, thief)).toBe(
      "success: (no new output)\n[bash_1 has been lost with the process it ran in, and what it printed with it.]",
    );
    expect(await kill("bash_1", thief)).toBe(
      "success: bash_1 has been lost with the process it ran in, and what it printed with it.",
    );
    expect([hand.last().options.signal?.aborted, await say("BashOutput", { bash_id: "bash_1" })]).toEqual([
      false,
      "success: secret\n[bash_1 is running.]",
    ]);
    await background.close();
  });
});

describe("a stored list that lies", () => {
  const run = (more: object) => ({
    id: "bash_1",
    command: "c",
    status: "ended",
    ending: "ended",
    exitCode: 0,
    seen: true,
    startedAt: 1,
    ...more,
  });
  const sound = run({});

  test.each<[what: string, stored: unknown, listed: unknown[]]>([
    ["the same twice", { runs: [sound, run({ command: "d" })], nextId: 2 }, [run({ command: "d" })]],
    [
      "ids that none has",
      {
        runs: [run({ id: "bash_0" }), run({ id: "bash_01" }), run({ id: "bash_1e3" }), run({ id: "bash_1234567890" })],
      },
      [],
    ],
    ["states that there are not", { runs: [run({ status: "rooted" }), run({ status: "__proto__" })] }, []],
    [
      "a code that is no number",
      { runs: [run({ exitCode: Number.NaN }), run({ id: "bash_2", exitCode: "0" })] },
      [run({ exitCode: null }), run({ id: "bash_2", exitCode: null })],
    ],
    [
      "texts without end",
      { runs: [run({ command: "c".repeat(1e6), ending: "e".repeat(1e6) })] },
      [run({ command: "c".repeat(200), ending: "e".repeat(200) })],
    ],
    ["a prototype", JSON.parse('{"__proto__":{"runs":[{"id":"bash_1","status":"ended"}]}}'), []],
    [
      "one that runs, although nothing does",
      { runs: [run({ status: "running", ending: "", exitCode: null, seen: false })] },
      [
        run({
          status: "lost",
          ending: "been lost with the process it ran in, and what it printed with it",
          exitCode: null,
          seen: false,
        }),
      ],
    ],
  ])("with %s is read with care", (_what, stored, listed) => {
    const { background, state } = open();
    state.extra.background = stored as never;
    expect(background.list(state)).toEqual(listed);
  });

  test.each([Number.MAX_SAFE_INTEGER, 1e9, 1e300, Number.NaN, -1, 0.5, "9"])(
    "with %j for the next number gives ids that can be read again",
    async (nextId) => {
      const { start, state, background } = open();
      state.extra.background = { runs: [], nextId };
      expect(await start()).toMatch(/^success: Started in the background as bash_1\./);
      const restored = restoreAgentState(JSON.parse(JSON.stringify(state)));
      expect(background.list(restored).map(({ id, status }) => [id, status])).toEqual([["bash_1", "running"]]);
      await background.close();
    },
  );
});

describe("output of a command in the background", () => {
  test.each<[what: string, pieces: string[], shown: string[]]>([
    ["with NULs", ["a\0", "\0b"], ["a\0", "\0b"]],
    ["with escapes, cut in the middle", ["\x1b[3", "1mred\x1b[0m"], ["\x1b[3", "1mred\x1b[0m"]],
    ["with a bell and a backspace", ["\x07\b", "\r"], ["\x07\b", "\r"]],
    ["with halves of a character", ["\ud83e", "\udd8a"], ["\ufffd", "\ufffd"]],
    ["with halves the wrong way round", ["\udd8a", "\ud83e"], ["\ufffd", "\ufffd"]],
    ["with what is no UTF-8", ["\ufffd\ufffd", "x"], ["\ufffd\ufffd", "x"]],
    ["with a CRLF, cut in the middle", ["a\r", "\nb"], ["a\r", "\nb"]],
    ["that is empty", ["", ""], ["(no new output)", "(no new output)"]],
    [
      "that looks like an answer",
      ["[bash_1 has ended with exit code 0.]", "error: no"],
      ["[bash_1 has ended with exit code 0.]", "error: no"],
    ],
  ])("%s is given as it is, piece by piece", async (_what, pieces, shown) => {
    const { hand, start, output, background } = open();
    await start();
    const said: string[] = [];
    for (const piece of pieces) {
      hand.last().print(piece);
      said.push(await output("bash_1"));
    }
    expect([said, said.every(isWellFormed)]).toEqual([
      shown.map((text) => `success: ${text}${text.endsWith("\n") ? "" : "\n"}[bash_1 is running.]`),
      true,
    ]);
    await background.close();
  });

  test("is filtered by whole lines, wherever they were cut", async () => {
    const text = "\x1b[31mred\x1b[0m\r\nplain\n\0nul red\n🦊 red\r\nre\ud83e\nred";
    await forAll(60, async (random) => {
      const { hand, start, state, background } = open();
      await start();
      const asked: string[] = [];
      const red = (line: string): boolean => {
        asked.push(line);
        return line.includes("red");
      };
      let got = "";
      for (const piece of split(text, random)) {
        hand.last().print(piece);
        await settle();
        if (random.once(2)) got += background.read(state, "bash_1", red).text;
      }
      hand.last().end();
      await settle();
      got += background.read(state, "bash_1", red).text;
      expect([got, asked]).toEqual([
        "\x1b[31mred\x1b[0m\r\n\0nul red\n🦊 red\r\nred",
        ["\x1b[31mred\x1b[0m", "plain", "\0nul red", "🦊 red", "re\ud83e", "red"],
      ]);
      await background.close();
    });
  });

  test("of millions of characters is kept and shown within bounds", async () => {
    const { hand, start, output, background } = open();
    await start();
    for (let index = 0; index < 20; index += 1) hand.last().print("🦊".repeat(MAX_BACKGROUND_WAITING / 8));
    const first = await output("bash_1");
    hand.last().print("x".repeat(3 * MAX_BACKGROUND_WAITING));
    const second = await output("bash_1");
    expect([first.length < 41_000, isWellFormed(first), second.length < 41_000, await output("bash_1")]).toEqual([
      true,
      true,
      true,
      "success: (no new output)\n[bash_1 is running.]",
    ]);
    await background.close();
  });

  test("that is one line without end is not kept without bound by being filtered", () => {
    const kept = createKept(1000, 3000);
    for (let index = 0; index < 100; index += 1) {
      kept.push("x".repeat(2000));
      expect(kept.take(true).replace(/\n\[… \d+ characters left out …\]\n/, "").length).toBeLessThanOrEqual(4000);
    }
    const rest = kept.take();
    expect([rest.length < 4100, rest.endsWith("x")]).toEqual([true, true]);
  });

  test("is given once, however many ask at the same time", async () => {
    const { hand, start, say, background } = open();
    await start();
    hand.last().print("once\n");
    await settle();
    const said = await Promise.all(Array.from({ length: 20 }, () => say("BashOutput", { bash_id: "bash_1" })));
    expect(said.sort()).toEqual([
      ...Array<string>(19).fill("success: (no new output)\n[bash_1 is running.]"),
      "success: once\n[bash_1 is running.]",
    ]);
    await background.close();
  });

  test.each(["(", "(a+)+$", "a{1,99999}{1,99999}", "\\", "[", "(?<n>a)\\k<n>", "(?=a)*+"])(
    "stays unread where the filter cannot be used or is hostile: %s",
    async (filter) => {
      const { hand, start, output, background } = open();
      await start();
      hand.last().print(`${"a".repeat(5000)}!\n`);
      const said = await output("bash_1", filter);
      const rest = await output("bash_1");
      // One that can be used after all has read the line.
      if (said.startsWith("error: ")) expect(rest).toBe(`success: ${"a".repeat(5000)}!\n[bash_1 is running.]`);
      else expect(rest).toBe("success: (no new output)\n[bash_1 is running.]");
      await background.close();
    },
  );
});

describe("a shell under a command in the background that", () => {
  test.each<[what: string, print: () => AsyncIterable<ShellOutput>, exit: () => Promise<ShellExit>, says: string]>([
    [
      "breaks while it prints",
      async function* () {
        yield* prints("begun\n");
        throw new Error("gone");
      },
      () => new Promise(() => {}),
      "begun\n[bash_1 has failed with the shell itself: gone.]",
    ],
    [
      "prints what is no text",
      async function* () {
        yield { stream: "stdout", text: 7 as never };
      },
      () => new Promise(() => {}),
      "(no new output)\n[bash_1 has failed with the shell itself: ",
    ],
    [
      "loses how it ended",
      () => prints("begun\n"),
      () => Promise.reject(new Error("gone\0")),
      "begun\n[bash_1 has failed with the shell itself: gone",
    ],
    [
      "tells nothing of its end",
      () => prints(),
      async () => undefined as never,
      "(no new output)\n[bash_1 has failed with the shell itself: ",
    ],
  ])("%s is stopped, and told of", async (_what, print, exit, says) => {
    const { shell, seen } = shellOf(print, exit);
    const { start, output, background } = backgroundDesk(shell);
    await start();
    const said = await output("bash_1");
    expect([said.slice(0, "success: ".length + says.length), seen.signal?.aborted]).toEqual([`success: ${says}`, true]);
    await background.close();
  });

  test.each<[what: string, exit: Partial<ShellExit>, says: string, code: number | undefined]>([
    ["no code", { code: null }, "ended without an exit code", undefined],
    ["a code that is none", { code: Number.NaN }, "ended without an exit code", undefined],
    ["a broken code", { code: 0.5 }, "ended without an exit code", undefined],
    ["a code below all", { code: -1 }, "ended with exit code -1", -1],
    [
      "a signal without end",
      { code: null, signal: "SIG".repeat(10_000) },
      `been killed by ${"SIG".repeat(20).slice(0, 40)}`,
      undefined,
    ],
  ])("ends with %s leaves a state that survives JSON", async (_what, exit, says, code) => {
    const { hand, start, call, state, background } = open();
    await start();
    hand.last().end(exit);
    await settle();
    const { output, metadata } = await call("BashOutput", { bash_id: "bash_1" });
    expect([outputText(output), metadata]).toEqual([
      `(no new output)\n[bash_1 has ${says}.]`,
      { bashId: "bash_1", status: "ended", ...(code === undefined ? {} : { exitCode: code }) },
    ]);
    expect(JSON.parse(JSON.stringify(state.extra))).toEqual(state.extra);
    await background.close();
  });

  test("breaks before it begins starts nothing", async () => {
    const shell: Shell = {
      run: () => {
        throw new Error("gone");
      },
    };
    const { call, state, background } = backgroundDesk(shell);
    const { state: result } = await call("Bash", { command: "x", run_in_background: true });
    expect([result, background.list(state), state.extra]).toEqual(["error", [], {}]);
    await background.close();
  });

  test("is waited for when it stops late, unless the waiting is aborted; then it is known when it has", async () => {
    let stop = (_exit: ShellExit): void => {};
    const exit = new Promise<ShellExit>((resolve) => {
      stop = resolve;
    });
    const { shell, seen } = shellOf(
      () => prints("out\n"),
      () => exit,
    );
    const { toolkit, state, start, output, background } = backgroundDesk(shell);
    await start();
    const controller = new AbortController();
    const killing = toolkit.run(
      { name: "KillShell", input: { shell_id: "bash_1" } },
      { state, signal: controller.signal },
    );
    await settle();
    controller.abort(new Error("enough"));
    expect([(await killing).state, seen.signal?.aborted]).toEqual(["interrupted", true]);
    expect(await output("bash_1")).toBe("success: out\n[bash_1 is running.]");
    stop(ended);
    expect(await output("bash_1")).toBe("success: (no new output)\n[bash_1 has been stopped.]");
    await background.close();
  });
});

describe("starting, stopping and closing", () => {
  test("a command that is empty or has a NUL is not started", async () => {
    const { hand, start, state, background } = open();
    expect([
      (await start("")).slice(0, 6),
      (await start(" \n")).slice(0, 6),
      (await start("a\0b")).slice(0, 6),
    ]).toEqual(["error:", "error:", "error:"]);
    expect([hand.runs.length, background.list(state), state.extra]).toEqual([0, [], {}]);
  });

  test.each([
    { run_in_background: "yes" },
    { run_in_background: 1 },
    { run_in_background: true, timeout: 0 },
    { run_in_background: true, timeout: 1e12 },
  ])("%j is not taken", async (more) => {
    const { hand, call } = open();
    expect([(await call("Bash", { command: "x", ...more })).state, hand.runs.length]).toEqual(["error", 0]);
  });

  test("an aborted call starts nothing; an abort later stops nothing", async () => {
    const { hand, toolkit, state, background } = open();
    const input = { command: "x", run_in_background: true };
    const controller = new AbortController();
    const before = await toolkit.run({ name: "Bash", input }, { state, signal: AbortSignal.abort(new Error("no")) });
    const { state: result } = await toolkit.run({ name: "Bash", input }, { state, signal: controller.signal });
    controller.abort(new Error("the turn is over"));
    await settle();
    expect([before.state, result, hand.runs.length, hand.last().options.signal?.aborted]).toEqual([
      "interrupted",
      "success",
      1,
      false,
    ]);
    await background.close();
  });

  test("more at one time than there may be are refused, also when asked for all at once", async () => {
    const { hand, start, state, background } = open();
    const said = await Promise.all(Array.from({ length: 30 }, (_, index) => start(`c${index}`)));
    const states = said.map((text) => text.slice(0, text.indexOf(":")));
    expect([
      hand.runs.length,
      states.filter((each) => each === "success").length,
      states.filter((each) => each === "error").length,
    ]).toEqual([MAX_BACKGROUND_RUNS, MAX_BACKGROUND_RUNS, 30 - MAX_BACKGROUND_RUNS]);
    expect(background.list(state).map(({ id }) => id)).toEqual(
      Array.from({ length: MAX_BACKGROUND_RUNS }, (_, index) => `bash_${index + 1}`),
    );
    await background.close();
  });

  test("a command that has ended by itself is not stopped, and stays as it ended", async () => {
    const { hand, start, kill, output, background } = open();
    await start();
    hand.last().end({ code: 3 });
    await settle();
    const says = "bash_1 has ended with exit code 3.";
    expect([await kill("bash_1"), await kill("bash_1"), await output("bash_1")]).toEqual([
      `success: ${says}`,
      `success: ${says}`,
      `success: (no new output)\n[${says}]`,
    ]);
    expect(hand.last().options.signal?.aborted).toBe(false);
    await background.close();
  });

  test("stopping one from many sides at once ends it once", async () => {
    const { hand, start, kill, background, state } = open();
    await start();
    const [killed, again] = await Promise.all([
      kill("bash_1"),
      kill(" bash_1\n"),
      background.stopAll("s1"),
      background.close(),
    ]);
    expect([killed, again, hand.runs.length, hand.last().options.signal?.aborted]).toEqual([
      "success: bash_1 has been stopped.",
      "success: bash_1 has been stopped.",
      1,
      true,
    ]);
    expect(background.list(state).map(({ id, status }) => [id, status])).toEqual([["bash_1", "stopped"]]);
  });

  test("closing while commands run stops all, and whatever is asked afterwards is answered", async () => {
    const { hand, start, output, kill, background, state } = open();
    for (const command of ["a", "b", "c"]) await start(command);
    hand.last().print("late\n");
    await background.close();
    await background.close();
    expect(hand.runs.map(({ options }) => options.signal?.aborted)).toEqual([true, true, true]);
    expect([
      (await output("bash_1")).slice(0, 8),
      (await kill("bash_3")).slice(0, 8),
      (await start("d")).slice(0, 6),
    ]).toEqual(["success:", "success:", "error:"]);
    expect([hand.runs.length, background.list(state).some(({ status }) => status === "running")]).toEqual([3, false]);
  });

  test("a command that prints after it was stopped is not heard", async () => {
    const { hand, start, kill, output, background } = open();
    await start();
    hand.last().print("before\n");
    await settle();
    await kill("bash_1");
    hand.last().print("after\n");
    expect(await output("bash_1")).toBe("success: before\n[bash_1 has been stopped.]");
    expect(await output("bash_1")).toBe("success: (no new output)\n[bash_1 has been stopped.]");
    await background.close();
  });

  test("of very many that have ended, the latest can still be read; the others are told of", async () => {
    const { hand, background, say, start } = open();
    const states = Array.from({ length: MAX_ENDED_OUTPUTS + 5 }, (_, index) =>
      createAgentState({ sessionId: `m${index}` }),
    );
    for (const each of states) {
      await start("x", each);
      hand.last().print("out\n");
      hand.last().end();
      await settle();
    }
    const said = await Promise.all(states.map((each) => say("BashOutput", { bash_id: "bash_1" }, each)));
    expect([
      said.slice(0, 5).every((text) => text.startsWith("success: (no new output)")),
      new Set(said.slice(5)),
    ]).toEqual([true, new Set(["success: out\n[bash_1 has ended with exit code 0.]"])]);
    await background.close();
  });

  test("a command that ends of a conversation which is closed meanwhile is forgotten without harm", async () => {
    const { hand, start, background, state, output } = open();
    await start();
    const closing = background.stopAll("s1");
    hand.last().end({ code: 1 });
    await closing;
    expect(await output("bash_1")).toMatch(/^success: \(no new output\)\n\[bash_1 has been /);
    expect(await start("again")).toMatch(/^success: Started in the background as bash_2\./);
    expect(background.list(state).map(({ id }) => id)).toEqual(["bash_1", "bash_2"]);
    await background.close();
  });
});
