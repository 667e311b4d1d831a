/** What a finished conversation keeps on the heap beside its own text, and whether that grows with their number. */
import { Agent, type AgentState, createAgentState, defineTool, Toolkit } from "holdall";
import { scriptedModel } from "holdall/model";
import * as v from "valibot";

const tool = defineTool({
  name: "view",
  description: "Shows a file.",
  input: v.object({ path: v.string() }),
  readOnly: true,
  execute: ({ path }) => `content of ${path}`,
});
const toolkit = new Toolkit({ tools: [tool] });

async function talk(): Promise<AgentState> {
  const model = scriptedModel([{ calls: [{ name: "view", input: { path: "/a" } }] }, { text: "Done." }]);
  const state = createAgentState();
  await new Agent({ name: "helper", model, toolkit }).reply("Look at /a.", { state });
  return state;
}

/** Bytes on the heap for each of so many conversations, beside their own JSON text. */
async function measure(count: number): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const kept: AgentState[] = [];
  for (let index = 0; index < count; index += 1) kept.push(await talk());
  globalThis.gc?.();
  const grown = process.memoryUsage().heapUsed - before;
  const text = kept.reduce((sum, state) => sum + JSON.stringify(state).length, 0);
  return (grown - text) / count;
}

await measure(200);
console.log("\nheap of a finished short session, beside its own text");
for (const count of [1000, 4000]) {
  const kibibytes = (await measure(count)) / 1024;
  const verdict = kibibytes <= 4 ? "reached" : "NOT REACHED";
  console.log(
    `  ${`${count} sessions`.padEnd(36)} ${kibibytes.toFixed(2).padStart(8)} KiB each  reach ≤ 4 KiB  ${verdict}`,
  );
}
