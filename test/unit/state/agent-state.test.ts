import { describe, expect, test } from "vitest";
import { HoldallError } from "../../../src/base/errors.ts";
import {
  type AgentState,
  createAgentState,
  type DispatchRecord,
  MAX_DISPATCHES,
  MAX_READ_FILES,
  readVersion,
  recordDispatch,
  rememberRead,
  restoreAgentState,
} from "../../../src/state/agent-state.ts";
import { randomReply } from "../event/random-reply.ts";
import { forAll, randomJson, randomObject, randomRule } from "../property.ts";

/** A state in which every member holds something. */
function fullState(): AgentState {
  return createAgentState({
    sessionId: "session",
    messages: [
      { id: "u", role: "user", content: [{ type: "text", text: "hi" }] },
      {
        id: "a",
        role: "assistant",
        name: "Ada",
        createdAt: 1,
        finishedReason: "awaiting",
        usage: { inputTokens: 1, outputTokens: 2 },
        metadata: { x: 1 },
        content: [
          { type: "thinking", thinking: "hm", signature: "proof", id: "t" },
          { type: "hint", hint: "mind", source: "system", id: "h" },
          { type: "data", source: { type: "url", url: "https://a.example" }, name: "a.png", id: "d" },
          { type: "data", source: { type: "base64", mediaType: "image/png", data: "AAAA" } },
          {
            type: "tool_call",
            id: "c1",
            name: "Bash",
            input: "{}",
            state: "asking",
            suggestedRules: [{ tool: "Bash", content: "ls", behavior: "allow", source: "suggested" }],
          },
          {
            type: "tool_result",
            id: "c0",
            name: "Read",
            output: [{ type: "text", text: "a" }],
            state: "success",
            metadata: {},
          },
        ],
      },
    ],
    reply: { replyId: "a", iteration: 1 },
    permission: { mode: "explore", rules: [{ tool: "Bash", behavior: "deny" }], workingDirectories: ["/work"] },
    toolContext: { activeGroups: ["web"], readFiles: { "/a": { version: "1" } } },
    dispatches: [{ toolCallId: "c0", tool: "Read", decision: "dispatched", by: "rule", input: { a: 1 }, at: 5 }],
    extra: { mine: { deep: [1] } },
  });
}

function throughJson(state: AgentState): unknown {
  return JSON.parse(JSON.stringify(state));
}

/** A copy of the full state with one place changed. */
function changed(path: readonly (string | number)[], value: unknown): unknown {
  const copy = throughJson(fullState());
  let place = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) place = place[key] as Record<string | number, unknown>;
  place[path.at(-1) ?? ""] = value;
  return copy;
}

function failureOf(value: unknown): unknown {
  try {
    return restoreAgentState(value);
  } catch (error) {
    return error;
  }
}

describe("createAgentState", () => {
  test("starts empty, each with a session of its own", () => {
    const [one, two] = [createAgentState(), createAgentState()];
    expect(one).toEqual({
      version: 1,
      sessionId: expect.any(String),
      messages: [],
      reply: null,
      permission: { rules: [], workingDirectories: [] },
      toolContext: { activeGroups: null, readFiles: {} },
      dispatches: [],
      extra: {},
    });
    expect(one.sessionId).not.toBe(two.sessionId);
  });
});

describe("restoreAgentState", () => {
  test("brings any state back from JSON", () =>
    forAll(100, (random) => {
      const state = createAgentState({
        ...(random.once(2) ? fullState() : {}),
        messages: [randomReply(random).message, randomReply(random).message],
        permission: { rules: [randomRule(random)], workingDirectories: [] },
        extra: randomObject(random),
      });
      expect(restoreAgentState(throughJson(state))).toEqual(state);
    }));

  test("brings a state back in which every member holds something", () => {
    expect(restoreAgentState(throughJson(fullState()))).toEqual(fullState());
  });

  test("starts what is missing as in a new state, and drops what it does not know", () => {
    expect(restoreAgentState({ version: 1, sessionId: "s", messages: [], later: true })).toEqual(
      createAgentState({ sessionId: "s" }),
    );
  });

  test.each<[fault: string, path: (string | number)[], value: unknown]>([
    ["it is of version 2, and only 1 is known", ["version"], 2],
    ["sessionId is not a name", ["sessionId"], ""],
    ["messages is not a list", ["messages"], {}],
    ["messages[0] is not an object", ["messages", 0], null],
    ["messages[0].id is not text", ["messages", 0, "id"], 5],
    ["messages[0].role is not one of system, user, assistant", ["messages", 0, "role"], "tool"],
    ["messages[0].content is not a list", ["messages", 0, "content"], "hi"],
    ["messages[0].content[0].text is not text", ["messages", 0, "content", 0, "text"], { a: 1 }],
    [
      "messages[0].content[0] is not of type text, data, thinking, hint, tool_call, tool_result",
      ["messages", 0, "content", 0, "type"],
      "video",
    ],
    ["messages[1].createdAt is not a number", ["messages", 1, "createdAt"], "now"],
    [
      "messages[1].finishedReason is not one of completed, awaiting, interrupted, exceed_max_iters, error",
      ["messages", 1, "finishedReason"],
      "done",
    ],
    ["messages[1].usage.inputTokens is not a number", ["messages", 1, "usage"], {}],
    ["messages[1].content[2].source.url is not text", ["messages", 1, "content", 2, "source", "url"], 1],
    ["messages[1].content[2].source is not of type base64, url", ["messages", 1, "content", 2, "source"], "https://a"],
    ["messages[1].content[4].input is not text", ["messages", 1, "content", 4, "input"], {}],
    [
      "messages[1].content[4].state is not one of pending, asking, allowed, submitted, finished",
      ["messages", 1, "content", 4, "state"],
      "running",
    ],
    [
      "messages[1].content[4].suggestedRules[0].behavior is not one of allow, deny, ask",
      ["messages", 1, "content", 4, "suggestedRules", 0, "behavior"],
      "passthrough",
    ],
    ["messages[1].content[5].output is not a list", ["messages", 1, "content", 5, "output"], "a"],
    [
      "messages[1].content[5].output[0] is not of type text, data",
      ["messages", 1, "content", 5, "output", 0, "type"],
      "thinking",
    ],
    ["messages[1].content[5].metadata is not an object", ["messages", 1, "content", 5, "metadata"], []],
    ["reply.iteration is not a number", ["reply", "iteration"], "1"],
    ["permission.mode is not one of default, accept_edits, explore, bypass, dont_ask", ["permission", "mode"], "yolo"],
    ["permission.rules is not a list", ["permission", "rules"], { Bash: [] }],
    ["permission.rules[0].tool is not a name", ["permission", "rules", 0, "tool"], ""],
    ["permission.rules[0].content is not text", ["permission", "rules", 0, "content"], null],
    ["permission.workingDirectories[0] is not text", ["permission", "workingDirectories", 0], 1],
    ["toolContext.activeGroups[0] is not text", ["toolContext", "activeGroups", 0], {}],
    ["toolContext.activeGroups is not a list", ["toolContext", "activeGroups"], "web"],
    ['toolContext.readFiles["/a"].version is not text', ["toolContext", "readFiles", "/a", "version"], 1],
    ["toolContext.readFiles is not an object", ["toolContext", "readFiles"], []],
    ["dispatches[0].decision is not one of dispatched, denied", ["dispatches", 0, "decision"], "allowed"],
    ["dispatches[0].at is not a number", ["dispatches", 0, "at"], null],
    ["extra is not an object", ["extra"], 5],
  ])("refuses a state in which %s", (fault, path, value) => {
    const failure = failureOf(changed(path, value));
    expect(HoldallError.is(failure, "STATE_INVALID")).toBe(true);
    expect((failure as Error).message).toBe(
      `STATE_INVALID: the stored state cannot be used: ${fault}. Start a new conversation with createAgentState().`,
    );
  });

  test.each([[null], [undefined], ["{}"], [[]], [{}], [5]])("refuses %j, which is no state", (value) => {
    expect(HoldallError.is(failureOf(value), "STATE_INVALID")).toBe(true);
  });

  test("either restores or throws its own error, whatever stands anywhere", () =>
    forAll(300, (random) => {
      const state = throughJson(fullState()) as Record<string, unknown>;
      let place = state;
      for (let depth = random.below(5); depth > 0; depth -= 1) {
        const children = Object.values(place).filter((child) => typeof child === "object" && child !== null);
        place = (children[random.below(children.length)] ?? place) as Record<string, unknown>;
      }
      const keys = Object.keys(place);
      place[keys[random.below(keys.length)] ?? "x"] = randomJson(random);
      const outcome = failureOf(state);
      if (outcome instanceof Error) expect(HoldallError.is(outcome, "STATE_INVALID")).toBe(true);
      else expect(outcome).toMatchObject({ version: 1 });
    }));

  test("is not polluted by keys of Object.prototype", () => {
    const state = restoreAgentState(
      JSON.parse('{"version":1,"sessionId":"s","messages":[],"__proto__":{"polluted":true},"extra":{"__proto__":{}}}'),
    );
    expect([Object.hasOwn(state, "__proto__"), "polluted" in state, "polluted" in {}]).toEqual([false, false, false]);
  });
});

describe("files that were read", () => {
  test("are known by their newest version, and by own names only", () => {
    const state = createAgentState();
    rememberRead(state, "/a", "1");
    rememberRead(state, "/a", "2");
    expect([readVersion(state, "/a"), readVersion(state, "/b"), readVersion(state, "constructor")]).toEqual([
      "2",
      undefined,
      undefined,
    ]);
  });

  test("are forgotten in the order in which they were last read", () => {
    const state = createAgentState();
    for (let index = 0; index < MAX_READ_FILES; index += 1) rememberRead(state, `/${index}`, "1");
    rememberRead(state, "/0", "2");
    rememberRead(state, "/new", "1");
    expect([readVersion(state, "/0"), readVersion(state, "/1"), readVersion(state, "/new")]).toEqual([
      "2",
      undefined,
      "1",
    ]);
    expect(Object.keys(state.toolContext.readFiles)).toHaveLength(MAX_READ_FILES);
  });
});

describe("dispatch records", () => {
  test("are kept up to a limit, the newest ones", () => {
    const state = createAgentState();
    const record = (at: number): DispatchRecord => ({
      toolCallId: "c",
      tool: "Read",
      decision: "dispatched",
      by: "rule",
      at,
    });
    for (let at = 0; at < MAX_DISPATCHES + 5; at += 1) recordDispatch(state, record(at));
    expect([state.dispatches.length, state.dispatches[0], state.dispatches.at(-1)]).toEqual([
      MAX_DISPATCHES,
      record(5),
      record(MAX_DISPATCHES + 4),
    ]);
  });
});
