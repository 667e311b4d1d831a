/** The toolkit: which tools a model can see now, and the two faces of calling them. */

import { HoldallError } from "../base/errors.ts";
import { onAbort } from "../base/abort.ts";
import { isRecord, type JsonObject } from "../base/json.ts";
import { pull } from "../base/streams.ts";
import type { ToolChunk, ToolResultBlock } from "../message/blocks.ts";
import type { AgentState } from "../state/agent-state.ts";
import { DEFAULT_TIMEOUT } from "../tool/attempt.ts";
import { type CallOptions, callTool, type ToolCallInput } from "../tool/call.ts";
import type { FindTool, PresetParameters, ToolEntry } from "../tool/entry.ts";
import type { ResultLimit } from "../tool/limit.ts";
import type { ToolInterceptor } from "../tool/middleware.ts";
import { composeRun } from "../tool/run.ts";
import type { RetryPolicy, Tool } from "../tool/tool.ts";
import { DEFAULT_CONCURRENCY, runBatch } from "./batch.ts";
import { BASIC_GROUP, type ToolGroup, type ToolSchema } from "./group.ts";
import { type MetaToolOptions, metaTool } from "./meta-tool.ts";
import { createRegistry, type Registry } from "./registry.ts";

/** How a toolkit is set up. */
export interface ToolkitOptions {
  /** Tools that are always visible. */
  tools?: readonly Tool[];
  /** Tools that are visible while their group is active. */
  groups?: readonly ToolGroup[];
  /** Layers around every call, sorted by `order`. */
  interceptors?: readonly ToolInterceptor[];
  /** Whether safe calls of one batch run beside each other. Defaults to true. */
  parallel?: boolean;
  /** The most calls of one batch that run at the same time. Defaults to 16. */
  concurrency?: number;
  /** Milliseconds for one attempt of a call, `Infinity` for no limit. Defaults to five minutes. */
  timeoutMs?: number;
  /** Defaults to one attempt. */
  retry?: RetryPolicy;
  /** How large a result may be, and where the rest goes. */
  resultLimit?: ResultLimit;
  /** Whether `remove` works. Defaults to true. */
  allowToolDeletion?: boolean;
  /** The tool with which a model chooses groups, there when there are groups; false leaves it out. Defaults to true. */
  metaTool?: boolean | MetaToolOptions;
}

/** How a tool is added. */
export interface AddToolOptions {
  /** Defaults to `basic`. */
  group?: string;
  /** Hidden parameters: they win over the model's and appear nowhere. */
  preset?: PresetParameters;
  /** Whether a tool of the same name is replaced. Defaults to false: it is an error. */
  replace?: boolean;
}

/** What belongs to a batch. */
export interface BatchCallOptions extends CallOptions {
  /** Told about each result as soon as it is there, before the ones in front of it may be. */
  onResult?: (result: ToolResultBlock, call: ToolCallInput) => void;
}

/**
 * Keeps tools and calls them. It holds nothing of a conversation, so one instance serves any number at once.
 *
 * @example
 * const toolkit = new Toolkit({ tools: [weather] });
 * const result = await toolkit.run({ name: "get_weather", input: '{"city":"Paris"}' });
 */
export class Toolkit {
  readonly #options: ToolkitOptions;
  readonly #interceptors: readonly ToolInterceptor[];
  readonly #registry: Registry = createRegistry();
  readonly #metaName: string | undefined;

  /**
   * @throws HoldallError `TOOL_DUPLICATE`, `GROUP_DUPLICATE` when two share a name.
   */
  constructor(options: ToolkitOptions = {}) {
    this.#options = options;
    // A stable sort: interceptors of one order stay as they were given.
    this.#interceptors = [...(options.interceptors ?? [])].sort((one, other) => (other.order ?? 0) - (one.order ?? 0));
    for (const tool of options.tools ?? []) this.add(tool);
    for (const { tools, ...facts } of options.groups ?? []) {
      this.#registry.addGroup(facts);
      for (const tool of tools) this.add(tool, { group: facts.name });
    }
    this.#metaName = this.#addMetaTool();
  }

  /**
   * Adds a tool.
   *
   * @throws HoldallError `TOOL_DUPLICATE`, `GROUP_UNKNOWN`, or `PRESET_INVALID` when a hidden parameter is not one of
   * the tool's.
   */
  add(tool: Tool, options: AddToolOptions = {}): this {
    this.#registry.add(this.#enter(tool, options.preset), options.group ?? BASIC_GROUP, options.replace ?? false);
    return this;
  }

  /**
   * Removes a tool from all groups.
   *
   * @returns Whether there was one. Always false when the toolkit does not allow deletion.
   */
  remove(name: string): boolean {
    return this.#options.allowToolDeletion !== false && this.#registry.remove(name);
  }

  /** Gives a tool of any group, active or not. */
  get(name: string): Tool | undefined {
    return this.#registry.entry(name)?.tool;
  }

  /** Lists what a model may be told now: the tools of `basic` and of the active groups. */
  schemas(state?: AgentState): ToolSchema[] {
    return this.#registry.schemas(state);
  }

  /**
   * Makes one call and gives its one result. What goes wrong in the call is a result the model can act on, never a
   * rejection.
   *
   * @param call The call, such as a block of the model.
   * @param options What belongs to it: context, state, permission, signal.
   */
  run(call: ToolCallInput, options: CallOptions = {}): Promise<ToolResultBlock> {
    return callTool(this.#finder(options.state), call, options);
  }

  /**
   * Makes one call and gives its chunks as they come; the generator returns the one result. Leaving the loop early
   * interrupts the call.
   *
   * @param call The call, such as a block of the model.
   * @param options What belongs to it: context, state, permission, signal.
   */
  callTool(call: ToolCallInput, options: CallOptions = {}): AsyncGenerator<ToolChunk, ToolResultBlock, undefined> {
    const left = new AbortController();
    const stop = onAbort(options.signal, (reason) => left.abort(reason));
    const produce = (sink: (chunk: ToolChunk) => Promise<void>): Promise<ToolResultBlock> =>
      callTool(this.#finder(options.state), call, { ...options, signal: left.signal }, sink).finally(stop);
    return pull(produce, () => left.abort(new DOMException("The consumer left.", "AbortError")));
  }

  /**
   * Makes the calls of one answer: neighbours that are safe beside each other together, the others alone.
   *
   * @returns One result per call, in call order. After a call that is `suspended`, later groups are not started.
   */
  runAll(calls: readonly ToolCallInput[], options: BatchCallOptions = {}): Promise<ToolResultBlock[]> {
    return runBatch(calls, {
      parallel: this.#options.parallel ?? true,
      concurrency: Math.max(1, this.#options.concurrency ?? DEFAULT_CONCURRENCY),
      isSafe: (call) => this.get(call.name)?.concurrencySafe ?? true,
      run: (call) => this.run(call, options),
      onResult: options.onResult,
    });
  }

  #finder(state: AgentState | undefined): FindTool {
    return (name) => this.#registry.find(name, state, this.#metaName);
  }

  #enter(tool: Tool, preset: PresetParameters | undefined): ToolEntry {
    return {
      tool,
      preset,
      inputSchema: hidePreset(tool, preset),
      run: composeRun(tool, this.#interceptors),
      streams: this.#interceptors.every((interceptor) => interceptor.streams === true),
      timeoutMs: tool.timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT,
      retry: tool.retry ?? this.#options.retry,
      limit: this.#options.resultLimit ?? {},
    };
  }

  #addMetaTool(): string | undefined {
    const { metaTool: wanted = true } = this.#options;
    const groups = this.#registry.groups();
    if (wanted === false || groups.length === 0) return undefined;
    const tool = metaTool(groups, wanted === true ? {} : wanted);
    if (this.#registry.entry(tool.name) === undefined) this.add(tool);
    return tool.name;
  }
}

function hidePreset(tool: Tool, preset: PresetParameters | undefined): JsonObject {
  const schema = tool.input.jsonSchema;
  if (preset === undefined) return schema;
  const { properties, required, ...rest } = schema;
  const known = isRecord(properties) ? properties : {};
  const unknown = Object.keys(preset).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    throw new HoldallError("PRESET_INVALID", `${tool.name} has no parameter ${unknown}. Use one of ${Object.keys(known).join(", ")}.`);
  }
  const shown = Object.fromEntries(Object.entries(known).filter(([name]) => !Object.hasOwn(preset, name)));
  const needed = Array.isArray(required) ? required.filter((name) => typeof name !== "string" || !Object.hasOwn(preset, name)) : undefined;
  return { ...rest, properties: shown as JsonObject, ...(needed === undefined ? {} : { required: needed }) };
}
