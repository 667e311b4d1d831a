import { describe, expect, test } from "vitest";
import { HoldallError } from "../../../src/base/errors.ts";
import type { PermissionMode, PermissionRule, PermissionSettings } from "../../../src/message/permission-data.ts";
import type { PermissionDecision, TraceStep } from "../../../src/permission/decision.ts";
import { PermissionEngine } from "../../../src/permission/engine.ts";
import type { PermissionCheck, PermissionSubject, ToolOpinion } from "../../../src/permission/subject.ts";

const modes = ["default", "accept_edits", "explore", "bypass", "dont_ask"] as const;

function rule(behavior: PermissionRule["behavior"], content?: string): PermissionRule {
  return { tool: "Write", behavior, ...(content === undefined ? {} : { content }) };
}

function tool(more: Partial<PermissionSubject> = {}): PermissionSubject {
  return { name: "Write", ...more };
}

function says(opinion: unknown): PermissionSubject {
  return tool({ checkPermissions: () => opinion as ToolOpinion });
}

const throws = (): never => {
  throw new Error("broken");
};

function check(
  subject: PermissionSubject,
  mode: PermissionMode,
  rules: readonly PermissionRule[] = [],
  confirmed = false,
) {
  return new PermissionEngine({ mode, rules }).check(subject, { file_path: "/a" }, { confirmed });
}

function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

const suggestion: PermissionRule = { tool: "Write", behavior: "allow", source: "suggested" };

/** What decides, with the outcome per mode in the order of `modes`; `+` marks suggestions, `!` immunity. */
type Row = [
  what: string,
  subject: PermissionSubject,
  rules: PermissionRule[],
  outcomes: [normal: string, acceptEdits: string, explore: string, bypass: string, dontAsk: string],
];

const table: Row[] = [
  ["nothing", tool(), [], ["ask+", "ask+", "deny", "allow", "deny"]],
  ["a deny rule", tool(), [rule("deny")], ["deny", "deny", "deny", "deny", "deny"]],
  ["an ask rule", tool(), [rule("ask")], ["ask+", "ask+", "ask+", "ask+", "deny+"]],
  ["an allow rule", tool(), [rule("allow")], ["allow", "allow", "deny", "allow", "allow"]],
  ["a tool that only reads", tool({ readOnly: true }), [], ["allow", "allow", "allow", "allow", "allow"]],
  ["a call that only reads", tool({ checkReadOnly: () => true }), [], ["allow", "allow", "allow", "allow", "allow"]],
  ["a tool that allows", says({ behavior: "allow" }), [], ["allow", "allow", "deny", "allow", "allow"]],
  ["a tool that denies", says({ behavior: "deny" }), [], ["deny", "deny", "deny", "deny", "deny"]],
  ["a tool that asks", says({ behavior: "ask" }), [], ["ask+", "ask+", "deny", "allow", "deny"]],
  [
    "a tool whose question is immune",
    says({ behavior: "ask", bypassImmune: true }),
    [],
    ["ask+!", "ask+!", "deny", "allow", "deny+!"],
  ],
  ["a tool that leaves it open", says({ behavior: "passthrough" }), [], ["ask+", "ask+", "deny", "allow", "deny"]],
  ["a tool whose check throws", tool({ checkPermissions: throws }), [], ["ask+!", "ask+!", "deny", "ask+!", "deny+!"]],
  ["a tool whose check talks nonsense", says({ behavior: "yes" }), [], ["ask+!", "ask+!", "deny", "ask+!", "deny+!"]],
  ["a tool whose check says true", says(true), [], ["ask+!", "ask+!", "deny", "ask+!", "deny+!"]],
  ["a tool whose check says nothing", says(undefined), [], ["ask+", "ask+", "deny", "allow", "deny"]],
  ["deny before ask", tool(), [rule("ask"), rule("deny")], ["deny", "deny", "deny", "deny", "deny"]],
  ["ask before allow", tool(), [rule("allow"), rule("ask")], ["ask+", "ask+", "ask+", "ask+", "deny+"]],
  ["a deny rule before reading", tool({ readOnly: true }), [rule("deny")], ["deny", "deny", "deny", "deny", "deny"]],
  ["an ask rule before reading", tool({ readOnly: true }), [rule("ask")], ["ask+", "ask+", "ask+", "ask+", "deny+"]],
  [
    "reading before the tool's own denial",
    { ...says({ behavior: "deny" }), readOnly: true },
    [],
    ["allow", "allow", "allow", "allow", "allow"],
  ],
  [
    "the tool's denial before an allow rule",
    says({ behavior: "deny" }),
    [rule("allow")],
    ["deny", "deny", "deny", "deny", "deny"],
  ],
  [
    "the tool's consent after an ask rule",
    says({ behavior: "allow" }),
    [rule("ask")],
    ["ask+", "ask+", "ask+", "ask+", "deny+"],
  ],
  [
    "an allow rule over a question",
    says({ behavior: "ask" }),
    [rule("allow")],
    ["allow", "allow", "deny", "allow", "allow"],
  ],
  [
    "an immune question over an allow rule",
    says({ behavior: "ask", bypassImmune: true }),
    [rule("allow")],
    ["ask+!", "ask+!", "deny", "allow", "deny+!"],
  ],
  [
    "a failed check over an allow rule",
    tool({ checkPermissions: throws }),
    [rule("allow")],
    ["ask+!", "ask+!", "deny", "ask+!", "deny+!"],
  ],
  [
    "a tool allowed in EXPLORE that leaves it open",
    tool({ allowedInExplore: true }),
    [],
    ["ask+", "ask+", "allow", "allow", "deny"],
  ],
  [
    "a tool allowed in EXPLORE that denies",
    { ...says({ behavior: "deny" }), allowedInExplore: true },
    [],
    ["deny", "deny", "deny", "deny", "deny"],
  ],
  [
    "a tool allowed in EXPLORE that asks",
    { ...says({ behavior: "ask" }), allowedInExplore: true },
    [],
    ["ask+", "ask+", "ask+", "allow", "deny"],
  ],
  [
    "a tool allowed in EXPLORE whose check throws",
    tool({ checkPermissions: throws, allowedInExplore: true }),
    [],
    ["ask+!", "ask+!", "ask+!", "ask+!", "deny+!"],
  ],
];

function mark({ behavior, suggestedRules, bypassImmune }: PermissionDecision): string {
  return `${behavior}${suggestedRules.length > 0 ? "+" : ""}${bypassImmune ? "!" : ""}`;
}

describe("the table of modes", () => {
  const cells = table.flatMap(([what, subject, rules, outcomes]) =>
    modes.map((mode, index) => [mode, what, outcomes[index], subject, rules] as const),
  );

  test.each(cells)("in %s, %s gives %s", async (mode, _what, outcome, subject, rules) => {
    const decision = await check(subject, mode, rules);
    expect(mark(decision)).toBe(outcome);
    expect(decision.mode).toBe(mode);
    expect([decision.message, decision.reason]).not.toContain("");
    expect(decision.trace.at(-1)?.outcome).toBe(decision.behavior);
  });

  test.each(table)("explained for %s it says the same", async (_what, subject, rules, outcomes) => {
    const explained = await new PermissionEngine({ rules }).explain(subject, {});
    expect(Object.keys(explained)).toEqual([...modes]);
    expect(Object.values(explained).map(mark)).toEqual(outcomes);
  });

  test.each(table)(
    "confirmed by a person, %s asks no more, and what was denied stays denied",
    async (_what, subject, rules, outcomes) => {
      const confirmed = await Promise.all(modes.map((mode) => check(subject, mode, rules, true)));
      const [inDefault] = outcomes;
      // DONT_ASK denies what it cannot ask about; whoever has confirmed has been asked all the same.
      const expected = outcomes.map((outcome, index) =>
        outcome.startsWith("ask") || (modes[index] === "dont_ask" && inDefault.startsWith("ask")) ? "allow" : outcome,
      );
      expect(confirmed.map(({ behavior }) => behavior)).toEqual(expected);
    },
  );
});

describe("a decision", () => {
  test("tells every step it took", async () => {
    const subject = says({ behavior: "ask", message: "Write /a?", reason: "outside" });
    expect(await check(subject, "default", [rule("deny", "/b"), { ...rule("deny"), tool: "Other" }])).toEqual({
      behavior: "ask",
      message: "Write /a?",
      reason: "Mode: default (outside)",
      bypassImmune: false,
      suggestedRules: [suggestion],
      trace: [
        { step: "deny-rule", outcome: "continue" },
        { step: "ask-rule", outcome: "continue" },
        { step: "read-only", outcome: "continue" },
        { step: "tool", outcome: "continue", detail: "outside" },
        { step: "allow-rule", outcome: "continue" },
        { step: "mode", outcome: "ask", detail: "Mode: default (outside)" },
      ],
      mode: "default",
    });
  });

  test("names the rule", async () => {
    const denying = { ...rule("deny", "/a/**"), source: "project" };
    const decision = await check(tool({ matchRule: () => true }), "bypass", [denying]);
    expect(decision).toMatchObject({
      behavior: "deny",
      message: "A rule denies this call of Write.",
      reason: "Rule: /a/**",
      trace: [{ step: "deny-rule", outcome: "deny", rule: denying, detail: "Rule: /a/**" }],
    });
  });

  test.each<[mode: PermissionMode, subject: PermissionSubject, message: string, reason: string]>([
    ["default", tool(), "Write needs a confirmation.", "Mode: default"],
    ["default", tool({ readOnly: true }), "Write only reads.", "read-only"],
    [
      "explore",
      tool(),
      "Only reading is allowed now (mode explore), and this call of Write may change something.",
      "Mode: explore",
    ],
    ["bypass", tool(), "Everything is allowed now (mode bypass).", "Mode: bypass"],
    ["dont_ask", tool(), "Write needs a confirmation. Nobody can be asked now (mode dont_ask).", "Mode: dont_ask"],
    ["default", says({ behavior: "deny" }), "Write itself says deny.", "tool"],
    ["default", says({ behavior: "deny", message: "No.", reason: "policy" }), "No.", "policy"],
    ["default", says({ behavior: "deny", message: 5, reason: {} }), "Write itself says deny.", "tool"],
    ["default", says({ behavior: "ask", bypassImmune: true }), "Write wants a confirmation.", "safety check"],
    ["default", tool({ checkPermissions: throws }), "Write wants a confirmation.", "the tool's own check failed"],
    ["default", says(5), "Write wants a confirmation.", "the tool's own check gave no opinion"],
  ])("in %s says what and why (%#)", async (mode, subject, message, reason) => {
    expect(await check(subject, mode)).toMatchObject({ message, reason });
  });

  test("that DONT_ASK made of a question keeps its reason and its suggestions", async () => {
    const subject = says({ behavior: "ask", bypassImmune: true, message: "Dangerous.", reason: "safety: .env" });
    const decision = await check(subject, "dont_ask");
    expect(decision).toMatchObject({
      behavior: "deny",
      message: "Dangerous. Nobody can be asked now (mode dont_ask).",
      reason: "Mode: dont_ask (safety: .env)",
      suggestedRules: [suggestion],
    });
    expect(decision.trace.slice(-2)).toEqual<TraceStep[]>([
      { step: "tool", outcome: "ask", detail: "safety: .env" },
      { step: "mode", outcome: "deny", detail: "Mode: dont_ask (safety: .env)" },
    ]);
  });

  test("that a person has confirmed shows the question and the answer", async () => {
    const decision = await check(tool(), "default", [rule("ask")], true);
    expect(decision).toMatchObject({
      behavior: "allow",
      reason: "confirmed by the user",
      suggestedRules: [],
      trace: [
        { step: "deny-rule", outcome: "continue" },
        { step: "ask-rule", outcome: "ask", rule: rule("ask") },
        { step: "confirmation", outcome: "allow" },
      ],
    });
  });

  test("survives JSON", async () => {
    const decision = await check(says({ behavior: "ask" }), "default", [rule("allow", "x")]);
    expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
  });
});

describe("what a decision points at", () => {
  const whole = { code: "c", message: "m", layer: "l", unit: 1, field: "file_path", start: 0, end: 2 };
  const asks = (findings: unknown): PermissionSubject => says({ behavior: "ask", bypassImmune: true, findings });

  test.each<[what: string, findings: unknown, kept: unknown]>([
    ["whole findings", [whole, { ...whole, unit: 0 }], [whole, { ...whole, unit: 0 }]],
    ["one without a unit", [{ ...whole, unit: undefined }], [{ ...whole, unit: undefined }]],
    ["only what belongs to a finding", [{ ...whole, secret: "x", toJSON: throws }], [whole]],
    [
      "none that lack something",
      [{ ...whole, code: 1 }, { ...whole, end: -1 }, { ...whole, start: 0.5 }, null],
      undefined,
    ],
    ["the first 32", Array(100).fill(whole), Array(32).fill(whole)],
    ["nothing where they are no list", { 0: whole }, undefined],
    ["nothing where there are none", [], undefined],
    ["nothing where they are left out", undefined, undefined],
  ])("of the tool's own check: %s", async (_what, findings, kept) => {
    for (const mode of ["default", "bypass"] as const) {
      const { trace } = await check(asks(findings), mode);
      expect(trace.find(({ step }) => step === "tool")?.findings).toEqual(kept);
    }
  });

  test.each<[what: string, locateRule: PermissionSubject["locateRule"], kept: unknown]>([
    ["where the rule matches", () => [whole], [whole]],
    ["where it matches, found later", async () => [whole], [whole]],
    ["nothing where looking fails", throws, undefined],
    ["nothing where looking is rejected", async () => throws(), undefined],
    ["nothing where it is nonsense", () => 5 as never, undefined],
    ["nothing where the tool does not say", undefined, undefined],
  ])("of a rule: %s", async (_what, locateRule, kept) => {
    const subject = tool({ matchRule: () => true, ...(locateRule === undefined ? {} : { locateRule }) });
    for (const behavior of ["deny", "ask", "allow"] as const) {
      const decision = await check(subject, "default", [rule(behavior, "x")]);
      expect([decision.behavior, decision.trace.at(-1)?.findings]).toEqual([behavior, kept]);
    }
  });

  test("of a rule for the whole tool is nothing, and nobody is asked", async () => {
    const decision = await check(tool({ locateRule: throws }), "default", [rule("deny")]);
    expect(decision.trace).toEqual([{ step: "deny-rule", outcome: "deny", rule: rule("deny"), detail: "Rule: Write" }]);
  });
});

describe("a rule", () => {
  const matching = (result: unknown): PermissionSubject => tool({ matchRule: () => result as boolean });

  test.each([[undefined], [""]])(
    "with the content %j is about every call, and no matcher is asked",
    async (content) => {
      const subject = tool({ matchRule: throws });
      const behaviors = await Promise.all(
        (["deny", "ask", "allow"] as const).map(
          async (behavior) => (await check(subject, "default", [rule(behavior, content)])).behavior,
        ),
      );
      expect(behaviors).toEqual(["deny", "ask", "allow"]);
    },
  );

  test("is about the tool of exactly its name", async () => {
    for (const name of ["write", "Write ", "WriteFile", "*"]) {
      expect(await check(tool(), "bypass", [{ tool: name, behavior: "deny" }])).toMatchObject({ behavior: "allow" });
    }
  });

  test("with a content matches never where the tool cannot compare", async () => {
    expect(await check(tool(), "bypass", [rule("deny", "x")])).toMatchObject({ behavior: "allow" });
    expect(await check(tool(), "default", [rule("allow", "x")])).toMatchObject({ behavior: "ask" });
  });

  test("gets its content, the input, itself and the facts of the check", async () => {
    const seen: unknown[] = [];
    const subject = tool({
      matchRule: async (...args) => {
        seen.push(args);
        return true;
      },
    });
    await check(subject, "default", [rule("allow", "/a")]);
    expect(seen).toEqual([
      ["/a", { file_path: "/a" }, rule("allow", "/a"), expect.objectContaining({ mode: "default" })],
    ]);
  });

  test.each<[said: string, subject: PermissionSubject, outcomes: [deny: string, ask: string, allow: string]]>([
    ["true", matching(true), ["deny", "ask", "allow"]],
    ["false", matching(false), ["allow", "allow", "ask"]],
    ["nothing", matching(undefined), ["allow", "allow", "ask"]],
    ["a truthy number", matching(1), ["deny", "ask", "ask"]],
    ["a truthy text", matching("yes"), ["deny", "ask", "ask"]],
    ["an object", matching({}), ["deny", "ask", "ask"]],
    ["an error", tool({ matchRule: throws }), ["deny", "ask", "ask"]],
    ["a rejection", tool({ matchRule: async () => throws() }), ["deny", "ask", "ask"]],
  ])("whose matcher says %s fails closed", async (_said, subject, [deny, ask, allow]) => {
    expect((await check(subject, "bypass", [rule("deny", "x")])).behavior).toBe(deny);
    expect((await check(subject, "bypass", [rule("ask", "x")])).behavior).toBe(ask);
    expect((await check(subject, "default", [rule("allow", "x")])).behavior).toBe(allow);
  });

  test("decides by the first one that matches", async () => {
    const subject = tool({ matchRule: (content) => content !== "no" });
    const rules = ["no", "first", "second"].map((content) => rule("allow", content));
    expect(await check(subject, "default", rules)).toMatchObject({ reason: "Rule: first" });
  });
});

describe("reading", () => {
  test.each<[what: string, more: Partial<PermissionSubject>, behavior: string]>([
    [
      "a call that changes something, of a tool that mostly reads",
      { readOnly: true, checkReadOnly: () => false },
      "ask",
    ],
    ["a check that throws", { readOnly: true, checkReadOnly: throws }, "ask"],
    ["a check that rejects", { readOnly: true, checkReadOnly: async () => throws() }, "ask"],
    ["a check that says something truthy", { checkReadOnly: () => "yes" as never }, "ask"],
    ["a fact that is only truthy", { readOnly: 1 as never }, "ask"],
    ["a check that agrees later", { checkReadOnly: async () => true }, "allow"],
  ])("is judged for %s", async (_what, more, behavior) => {
    expect((await check(tool(more), "default")).behavior).toBe(behavior);
  });
});

describe("suggestions", () => {
  const suggesting = (rules: unknown): PermissionSubject =>
    tool({ generateSuggestions: () => rules as PermissionRule[] });

  test.each<[what: string, rules: unknown, kept: PermissionRule[]]>([
    ["the tool's own", [rule("allow", "/a/**"), suggestion], [rule("allow", "/a/**"), suggestion]],
    ["none where it says nothing", undefined, [suggestion]],
    ["none about another tool", [{ ...suggestion, tool: "Bash" }, suggestion], [suggestion]],
    ["none that deny or ask", [rule("deny"), rule("ask")], []],
    [
      "none that are no rules",
      [null, 5, "allow", { tool: "Write" }, { ...suggestion, content: 5 }, suggestion],
      [suggestion],
    ],
    ["none where they are no list", { 0: suggestion }, []],
  ])("are %s", async (_what, rules, kept) => {
    expect((await check(suggesting(rules), "default")).suggestedRules).toEqual(kept);
  });

  test("are none where making them fails", async () => {
    expect(await check(tool({ generateSuggestions: throws }), "default")).toMatchObject({
      behavior: "ask",
      suggestedRules: [],
    });
  });

  test("are made only for a question", async () => {
    let made = 0;
    const subject = tool({
      generateSuggestions: () => {
        made += 1;
        return [];
      },
    });
    for (const mode of ["bypass", "explore", "dont_ask"] as const) await check(subject, mode);
    await check(subject, "default", [], true);
    expect(made).toBe(0);
  });
});

describe("the settings of a state", () => {
  const state = (settings: Partial<PermissionSettings>) => ({
    permission: { rules: [], workingDirectories: [], ...settings },
  });

  test("are added to the engine's, its rules first, and the mode of the state wins", async () => {
    const engine = new PermissionEngine({
      mode: "bypass",
      rules: [rule("ask", "own")],
      workingDirectories: ["/w/./x/"],
    });
    let seen: PermissionCheck | undefined;
    const subject = tool({
      checkPermissions: (_input, given) => {
        seen = given;
        return { behavior: "allow" };
      },
    });
    const context = { user: "u" };
    const given = state({ mode: "accept_edits", rules: [rule("allow", "theirs")], workingDirectories: ["/v"] });
    await engine.check(subject, {}, { state: given, context });
    expect(seen).toEqual({
      mode: "accept_edits",
      rules: [rule("ask", "own"), rule("allow", "theirs")],
      workingDirectories: ["/w/x", "/v"],
      context,
      state: given,
    });
  });

  test("without a mode leave the engine's", async () => {
    const engine = new PermissionEngine({ mode: "bypass" });
    expect(await engine.check(tool(), {}, { state: state({}) })).toMatchObject({ behavior: "allow", mode: "bypass" });
  });

  test("are explained together with the rest of the state", async () => {
    const seen = new Set<unknown>();
    const subject = tool({
      checkPermissions: (_input, given) => {
        seen.add((given.state as { extra: unknown }).extra);
        return { behavior: "passthrough" };
      },
    });
    const whole = { ...state({ mode: "explore", rules: [rule("allow")] }), extra: "kept" };
    const explained = await new PermissionEngine().explain(subject, {}, { state: whole });
    expect([explained.default.behavior, explained.explore.behavior, [...seen]]).toEqual(["allow", "deny", ["kept"]]);
    expect(whole.permission.mode).toBe("explore");
  });

  test.each<[what: string, settings: unknown]>([
    ["an unknown mode", { mode: "yolo", rules: [], workingDirectories: [] }],
    ["a mode that is no text", { mode: null, rules: [], workingDirectories: [] }],
    ["no rules", { workingDirectories: [] }],
    ["rules by tool", { rules: { Write: [] }, workingDirectories: [] }],
    ["an unknown behaviour", { rules: [{ tool: "Write", behavior: "DENY" }], workingDirectories: [] }],
    ["a rule that is null", { rules: [null], workingDirectories: [] }],
    ["a rule whose content is a list", { rules: [{ ...rule("deny"), content: ["x"] }], workingDirectories: [] }],
    ["no directories", { rules: [] }],
    ["nothing", null],
  ])("with %s are refused by an error of its own, never passed over", async (_what, settings) => {
    const broken = { permission: settings as PermissionSettings };
    const failure = await new PermissionEngine({ mode: "bypass" })
      .check(tool(), {}, { state: broken })
      .catch((error) => error);
    expect(HoldallError.is(failure, "PERMISSION_INVALID")).toBe(true);
  });

  test("may hold null for a content that is left out", async () => {
    const rules = [{ ...rule("deny"), content: null as never }];
    expect(await new PermissionEngine().check(tool(), {}, { state: state({ rules }) })).toMatchObject({
      behavior: "deny",
    });
  });
});

describe("PermissionEngine", () => {
  test("takes rules later, and a check under way keeps those it began with", async () => {
    const engine = new PermissionEngine({ rules: [rule("allow", "x")] });
    let seen: readonly PermissionRule[] = [];
    const subject = tool({
      checkPermissions: (_input, { rules }) => {
        seen = rules;
        engine.addRule(rule("deny"));
        return { behavior: "passthrough" };
      },
    });
    expect(await engine.check(subject, {})).toMatchObject({ behavior: "ask" });
    expect(seen).toEqual([rule("allow", "x")]);
    expect(await engine.check(subject, {})).toMatchObject({ behavior: "deny" });
  });

  test("keeps its own copy of its rules", async () => {
    const given = rule("deny");
    const engine = new PermissionEngine({ mode: "bypass", rules: [given] });
    given.behavior = "allow";
    expect(await engine.check(tool(), {})).toMatchObject({ behavior: "deny" });
  });

  test.each<[what: string, run: () => unknown, code: string]>([
    ["a mode", () => new PermissionEngine({ mode: "yolo" as PermissionMode }), "PERMISSION_INVALID"],
    [
      "a behaviour",
      () => new PermissionEngine({ rules: [{ tool: "Write", behavior: "maybe" as never }] }),
      "PERMISSION_INVALID",
    ],
    [
      "a rule without a tool",
      () => new PermissionEngine({ rules: [{ tool: "", behavior: "deny" }] }),
      "PERMISSION_INVALID",
    ],
    ["a rule that JSON cannot show", () => new PermissionEngine({ rules: [1n as never] }), "PERMISSION_INVALID"],
    ["a later rule", () => new PermissionEngine().addRule({ tool: "Write" } as never), "PERMISSION_INVALID"],
    ["a directory", () => new PermissionEngine({ workingDirectories: [""] }), "FS_INVALID_PATH"],
  ])("refuses %s that is none", (_what, run, code) => {
    expect(HoldallError.is(failureOf(run), code)).toBe(true);
  });
});
