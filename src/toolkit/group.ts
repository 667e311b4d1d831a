/** Tool groups: named sets of tools that a model sees only while they are active. */

import type { JsonObject } from "../base/json.ts";
import type { Tool } from "../tool/tool.ts";

/** The group that is always there and always active. */
export const BASIC_GROUP = "basic";

/** A named set of tools. */
export interface ToolGroup {
  /** Unique in a toolkit; `basic` is taken. */
  name: string;
  /** Said to the model when it chooses groups. */
  description: string;
  /** Said to the model when the group becomes active: how to use its tools. */
  instructions?: string;
  tools: readonly Tool[];
  /** Whether the group is active in a new conversation. Defaults to false. */
  active?: boolean;
}

/** Makes a group; it is only a shorter way to write one with its type. */
export function toolGroup(group: ToolGroup): ToolGroup {
  return group;
}

/** A tool as a model is told about it. */
export interface ToolSchema {
  name: string;
  description: string;
  /** JSON Schema of type object, without hidden parameters. */
  inputSchema: JsonObject;
  strict?: boolean;
}
