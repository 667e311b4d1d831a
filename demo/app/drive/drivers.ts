/** The three ways to drive: a script, a model behind an endpoint, and the person. */
import { errorText, type JsonObject } from "holdall";
import { openAiCompatible, scriptedModel } from "holdall/model";
import { rememberEndpoint } from "../store/settings.ts";
import type { Store } from "../store/store.ts";
import { ANY_TASK, anyScript } from "./any-script.ts";
import { startReply } from "./reply.ts";
import { SAMPLE_TASK, sampleScript } from "./sample-script.ts";

/** Milliseconds before each piece of the script, so that it can be followed with the eyes. */
const PACE = 14;

/** Whoever wants less motion gets the script without its pauses. */
function pace(): number {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : PACE;
}

/** Says what the script will be asked. */
export function scriptTask(store: Store): string {
  return store.workspace.value.isSample ? SAMPLE_TASK : ANY_TASK;
}

/** Plays the script that fits the workspace. */
export function runScript(store: Store): Promise<void> {
  const steps = store.workspace.value.isSample ? sampleScript() : anyScript();
  return startReply(store, "script", scriptedModel(steps, { name: "script", delayMs: pace() }), scriptTask(store));
}

/** Sends a message to the model of the endpoint; a wrong address shows like any other failure. */
export async function askEndpoint(store: Store, message: string): Promise<void> {
  const { baseUrl, model, apiKey } = store.endpoint.value;
  try {
    const chat = openAiCompatible({ baseUrl, model, ...(apiKey === "" ? {} : { apiKey }) });
    rememberEndpoint(store.endpoint.value);
    await startReply(store, "endpoint", chat, message);
  } catch (error) {
    store.problem.value = errorText(error);
  }
}

/** Makes one call in the place of a model; it takes the same road as a model's. */
export function callByHand(store: Store, name: string, input: JsonObject | string): Promise<void> {
  const model = scriptedModel([{ calls: [{ name, input }] }, {}], { name: "you" });
  return startReply(store, "you", model, `I call ${name} by hand.`);
}
