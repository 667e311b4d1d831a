/** A tool as a toolkit keeps it: with all that was decided at registration. */

import type { JsonObject, JsonValue } from "../base/json.ts";
import type { CompiledInput } from "../schema/input-schema.ts";
import type { RuntimeContext } from "../state/runtime-context.ts";
import type { ResultLimit } from "./limit.ts";
import type { RunTool } from "./run.ts";
import type { RetryPolicy, Tool } from "./tool.ts";

/** A hidden parameter: a value, or a function of the call's context. */
export type PresetValue = JsonValue | ((context: RuntimeContext) => unknown);

/** Hidden parameters by name. They win over what the model says and appear in no schema, event, record or error. */
export type PresetParameters = Readonly<Record<string, PresetValue>>;

/** A tool, ready to be called. */
export interface ToolEntry {
  readonly tool: Tool;
  readonly preset: PresetParameters | undefined;
  /** What the model is told, without hidden parameters. */
  readonly inputSchema: JsonObject;
  /** The schema that arguments are mended by, hidden parameters included. */
  readonly fullSchema: JsonObject;
  /** Checks arguments. */
  readonly validate: CompiledInput["validate"];
  /** All layers around the tool. */
  readonly run: RunTool;
  /** Whether chunks go out while the tool runs. */
  readonly streams: boolean;
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number;
  readonly retry: RetryPolicy | undefined;
  readonly limit: ResultLimit;
}

/** Why a name gave no tool. */
export interface LookupProblem {
  /** The inactive group that the tool is in. */
  group?: string;
  /** The tool that activates groups. */
  activator?: string | undefined;
  /** Lists the names that there are. */
  available(): string[];
}

/** What looking a name up gave: a tool, or why there is none. */
export type Lookup = { entry: ToolEntry; problem?: undefined } | { entry?: undefined; problem: LookupProblem };

/** Finds tools by name in the view of one request. */
export type FindTool = (name: string) => Lookup;
