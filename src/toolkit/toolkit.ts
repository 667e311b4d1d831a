/** The toolkit: which tools a model can see now, and the two faces of calling them. */

import { onAbort } from "../base/abort.ts";
import { HoldallError } from "../base/errors.ts";
import { pull } from "../base/pull.ts";
import type { ToolChunk, ToolResultBlock } from "../message/blocks.ts";
import type { AgentState } from "../state/agent-state.ts";
import { callTool } from "../tool/call.ts";
import type { CallOptions, ToolCallInput } from "../tool/call-options.ts";
import type { FindTool, PresetParameters, ToolEntry } from "../tool/entry.ts";
import type { ResultLimit } from "../tool/limit.ts";
import { markedTools } from "../tool/method-tools.ts";
import type { ToolInterceptor } from "../tool/middleware.ts";
import { type SchemaToolDefinition, schemaTool } from "../tool/schema-tool.ts";
import type { RetryPolicy, Tool } from "../tool/tool.ts";
import { DEFAULT_CONCURRENCY, runBatch } from "./batch.ts";
import { type EntryOptions, makeEntry } from "./entries.ts";
import { BASIC_GROUP, type ToolGroup, type ToolSchema } from "./group.ts";
import { type MetaToolOptions, metaTool } from "./meta-tool.ts";
import { createRegistry, type Registry } from "./registry.ts";
import type { RequestView, ToolRequest } from "./request-view.ts";

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
  /** Whether tools can be removed. Defaults to true. */
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
  /** Whether a tool of the same name in the group is replaced. Defaults to false: it is an error. */
  replace?: boolean;
}

/** What a model is shown, and which request it is for. */
export interface ViewOptions {
  state?: AgentState | undefined;
  /** External tools of this request, made by `toolRequest`. */
  request?: ToolRequest | undefined;
}

/** What belongs to one call of a toolkit. */
export interface ToolkitCallOptions extends CallOptions, ViewOptions {}

/** What belongs to a batch. */
export interface BatchCallOptions extends ToolkitCallOptions {
  /** Told about each result as soon as it is there, before the ones in front of it may be; what it throws rejects the batch. */
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
  /** The layers around every call, outermost first. To change them, make a {@link Toolkit.copy}. */
  readonly interceptors: readonly ToolInterceptor[];
  readonly #options: ToolkitOptions;
  readonly #registry: Registry = createRegistry();
  readonly #metaName: string | undefined;

  /** @throws HoldallError `TOOL_DUPLICATE`, `GROUP_DUPLICATE` when two share a name. */
  constructor(options: ToolkitOptions = {}) {
    this.#options = options;
    // A stable sort: interceptors of one order stay as they were given.
    this.interceptors = [...(options.interceptors ?? [])].sort((one, other) => (other.order ?? 0) - (one.order ?? 0));
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
   * @throws HoldallError `TOOL_DUPLICATE`, `GROUP_UNKNOWN`, `PRESET_INVALID`.
   */
  add(tool: Tool, options: AddToolOptions = {}): this {
    this.#registry.add(this.#enter(tool, options), options.group ?? BASIC_GROUP, options.replace ?? false);
    return this;
  }

  /** Adds the methods of an object that are marked with `tool({ … })`. Throws as {@link Toolkit.add}. */
  registerTools(object: object, options: AddToolOptions = {}): this {
    for (const tool of markedTools(object)) this.add(tool, options);
    return this;
  }

  /** Adds a tool that is only a schema; its calls are suspended. Throws as {@link Toolkit.add}. */
  registerSchema(schema: SchemaToolDefinition, options: AddToolOptions = {}): this {
    return this.add(schemaTool(schema), options);
  }

  /** Adds several tools that are only schemas. Throws as {@link Toolkit.add}. */
  registerSchemas(schemas: readonly SchemaToolDefinition[], options: AddToolOptions = {}): this {
    for (const schema of schemas) this.registerSchema(schema, options);
    return this;
  }

  /**
   * Removes a tool from all groups.
   *
   * @param name The tool's name.
   * @param only The very tool that must be there; another of that name stays.
   * @returns Whether there was one. Always false when the toolkit does not allow deletion.
   */
  remove(name: string, only?: Tool): boolean {
    if (this.#options.allowToolDeletion === false) return false;
    return (only === undefined || this.get(name) === only) && this.#registry.remove(name);
  }

  /**
   * Replaces the hidden parameters of a tool.
   *
   * @throws HoldallError `TOOL_UNKNOWN` when there is no such tool, `PRESET_INVALID`.
   */
  setPreset(name: string, preset: PresetParameters): void {
    if (this.#registry.replace(name, (entry) => this.#enter(entry.tool, { ...entry, preset }))) return;
    throw new HoldallError("TOOL_UNKNOWN", `there is no tool ${JSON.stringify(name)}. Add it first.`);
  }

  /** Gives a tool of any group, active or not; with a view, only what a model could call in it. */
  get(name: string, view?: ViewOptions): Tool | undefined {
    return view === undefined ? this.#registry.entry(name)?.tool : this.#finder(view)(name).entry?.tool;
  }

  /** Tells whether somebody outside executes the calls of a tool. */
  isExternalTool(name: string): boolean {
    return this.get(name)?.external === true;
  }

  /** Lists what a model may be told now: the tools of `basic`, of the active groups and of the request. */
  schemas(view: ViewOptions = {}): ToolSchema[] {
    const { state, request } = view;
    if (request === undefined) return this.#registry.schemas(state);
    return this.#open(this.#finder({ state }), state, request).schemas();
  }

  /**
   * Makes a toolkit with the same tools and groups, which share nothing but the tools themselves.
   *
   * @param changes Options that differ, such as `interceptors: [...toolkit.interceptors, audit]`.
   */
  copy(changes: Omit<ToolkitOptions, "tools" | "groups" | "metaTool"> = {}): Toolkit {
    const copy = new Toolkit({
      ...this.#options,
      ...changes,
      tools: [],
      groups: this.#registry.groups().map((facts) => ({ ...facts, tools: [] })),
    });
    for (const { entry, group } of this.#registry.all()) {
      copy.#registry.add(copy.#enter(entry.tool, entry), group, true);
    }
    return copy;
  }

  /**
   * Makes one call and gives its one result. What goes wrong in the call is a result the model can act on, never a
   * rejection.
   *
   * @param call The call, such as a block of the model.
   * @param options What belongs to it: context, state, permission, signal.
   */
  run(call: ToolCallInput, options: ToolkitCallOptions = {}): Promise<ToolResultBlock> {
    return callTool(this.#finder(options), call, options);
  }

  /**
   * Makes one call and gives its chunks as they come; the generator returns the one result. Leaving the loop early
   * interrupts the call.
   *
   * @param call The call, such as a block of the model.
   * @param options What belongs to it: context, state, permission, signal.
   */
  callTool(
    call: ToolCallInput,
    options: ToolkitCallOptions = {},
  ): AsyncGenerator<ToolChunk, ToolResultBlock, undefined> {
    const left = new AbortController();
    const stop = onAbort(options.signal, (reason) => left.abort(reason));
    const produce = (sink: (chunk: ToolChunk) => Promise<void>): Promise<ToolResultBlock> =>
      callTool(this.#finder(options), call, { ...options, signal: left.signal }, sink).finally(stop);
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

  #finder({ state, request }: ViewOptions): FindTool {
    const find: FindTool = (name) => this.#registry.find(name, state, this.#metaName);
    return request === undefined ? find : this.#open(find, state, request).find;
  }

  #open(find: FindTool, state: AgentState | undefined, request: ToolRequest): RequestView {
    return request.open({ find, schemas: () => this.#registry.schemas(state) }, (tool) => this.#enter(tool, {}));
  }

  #enter(tool: Tool, options: EntryOptions): ToolEntry {
    const { timeoutMs, retry, resultLimit: limit } = this.#options;
    return makeEntry(tool, options, { interceptors: this.interceptors, timeoutMs, retry, limit });
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
