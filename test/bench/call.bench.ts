/** One call, a batch and a stream against the bare function: design figures of the pipeline. */
import { createAgentState, defineTool, PermissionEngine, RuntimeContext, type ToolInterceptor, Toolkit } from "holdall";
import * as v from "valibot";
import { compare } from "./harness.ts";

const input = v.object({ path: v.string(), limit: v.optional(v.number(), 10) });
const execute = ({ path, limit }: v.InferOutput<typeof input>): string => `${path} ${limit}`;
const facts = { name: "view", description: "Shows a file.", input, readOnly: true, execute };
const text = '{"path":"/a/b","limit":5}';
const pass: ToolInterceptor = { streams: true, intercept: (call, next) => next(call) };

const lean = new Toolkit({ tools: [defineTool(facts)], timeoutMs: Number.POSITIVE_INFINITY });
const whole = new Toolkit({
  tools: [defineTool({ ...facts, middlewares: [(call, next) => next(call)] })],
  interceptors: [pass, pass],
  timeoutMs: Number.POSITIVE_INFINITY,
});
const bounded = new Toolkit({
  tools: [defineTool({ ...facts, middlewares: [(call, next) => next(call)] })],
  interceptors: [pass, pass],
});
const call = { id: "1", name: "view", input: text };
const context = new RuntimeContext();
const permission = new PermissionEngine({ rules: [{ tool: "other", behavior: "deny" }] });
// Options are written out: a spread by the caller would be measured too, and costs more than a deadline.
const onEvent = (): void => {};
const { signal: never } = new AbortController();

await compare({
  title: "one call, against JSON.parse + schema parse + bare function",
  base: { name: "bare", run: async () => execute(v.parse(input, JSON.parse(text))) },
  candidates: [
    { name: "lean", atMost: 2.5, run: () => lean.run(call) },
    { name: "permission, layers, events", atMost: 5, run: () => whole.run(call, { context, permission, onEvent }) },
    {
      name: "+ signal and deadline",
      atMost: 7.5,
      run: () => bounded.run(call, { context, permission, onEvent, signal: never }),
    },
  ],
});

const batch = Array.from({ length: 20 }, (_, index) => ({ ...call, id: String(index) }));
await compare({
  title: "a batch of 20, against 20 bare functions",
  base: { name: "bare", run: () => Promise.all(batch.map(async () => execute(v.parse(input, JSON.parse(text))))) },
  candidates: [{ name: "runAll", run: () => lean.runAll(batch) }],
});

const pieces = 10_000;
async function* numbers(): AsyncGenerator<string> {
  for (let index = 0; index < pieces; index += 1) yield "x";
}
const streaming = new Toolkit({
  tools: [defineTool({ name: "numbers", description: "", execute: numbers })],
  timeoutMs: Number.POSITIVE_INFINITY,
});
await compare({
  title: "a stream of 10,000 chunks, against a bare async generator",
  rounds: 7,
  base: {
    name: "bare",
    run: async () => {
      for await (const _piece of numbers());
    },
  },
  candidates: [
    { name: "run with events", atMost: 5, run: () => streaming.run({ name: "numbers" }, { onEvent: () => {} }) },
    {
      name: "callTool with events",
      atMost: 5,
      run: async () => {
        for await (const _chunk of streaming.callTool({ name: "numbers" }, { onEvent: () => {} }));
      },
    },
  ],
});

const many = (count: number): Toolkit =>
  new Toolkit({
    tools: Array.from({ length: 20 }, (_, index) => defineTool({ ...facts, name: `active${index}` })),
    groups: [
      {
        name: "more",
        description: "",
        tools: Array.from({ length: count }, (_, index) => defineTool({ ...facts, name: `more${index}` })),
      },
    ],
  });
const [few, lots] = [many(100), many(10_000)];
const state = createAgentState();
await compare({
  title: "schemas of 20 active tools",
  base: { name: "among 100", run: () => few.schemas({ state }) },
  candidates: [{ name: "among 10,000", atMost: 1.1, run: () => lots.schemas({ state }) }],
});
