/** The tools of one request: external ones that the caller brings along, beside or instead of the toolkit's own. */

import { HoldallError } from "../base/errors.ts";
import type { FindTool, ToolEntry } from "../tool/entry.ts";
import { type SchemaToolDefinition, schemaTool } from "../tool/schema-tool.ts";
import type { Tool } from "../tool/tool.ts";
import type { ToolSchema } from "./group.ts";

/** What a request brings along. */
export interface ToolRequestOptions {
  /** Tools that the caller executes; their calls are suspended. Defaults to none. */
  tools?: readonly SchemaToolDefinition[];
  /**
   * `merge`: beside the toolkit's own, in front of those of the same name. `external_only`: instead of them, also when
   * there are none. `agent_only`: only the toolkit's own; then no tools may be given. Defaults to `merge`.
   */
  mode?: "merge" | "external_only" | "agent_only";
}

/** A view on a toolkit. */
export interface RequestView {
  find: FindTool;
  schemas(): ToolSchema[];
}

/** The tools of one request, made by {@link toolRequest}. */
export interface ToolRequest {
  /** Opens the view on a toolkit; nothing of the toolkit is changed by it. */
  open(own: RequestView, enter: (tool: Tool) => ToolEntry): RequestView;
}

/**
 * Makes the tools of one request; pass it as `request` to every call that belongs to it.
 *
 * @example
 * const request = toolRequest({ tools: [{ name: "pick_file", description: "Asks the person for a file." }] });
 * for await (const event of agent.stream("Summarise a file of mine.", { state, request })) show(event);
 *
 * @throws HoldallError `REQUEST_INVALID` for an unknown mode, tools beside `agent_only`, or two of one name,
 * `TOOL_INVALID` or `SCHEMA_INVALID` for a tool that cannot be one.
 */
export function toolRequest(options: ToolRequestOptions = {}): ToolRequest {
  const { mode = "merge" } = options;
  const tools = externalTools(options.tools ?? [], mode);
  return {
    open(own, enter) {
      const find: FindTool = (name) => {
        const tool = tools.get(name);
        if (tool !== undefined) return { entry: enter(tool) };
        return mode === "external_only" ? { problem: { available: () => [...tools.keys()] } } : own.find(name);
      };
      const others = (): ToolSchema[] =>
        mode === "external_only" ? [] : own.schemas().filter((schema) => !tools.has(schema.name));
      return { find, schemas: () => [...[...tools.values()].map(toSchema), ...others()] };
    },
  };
}

function externalTools(definitions: readonly SchemaToolDefinition[], mode: string): Map<string, Tool> {
  if (!["merge", "external_only", "agent_only"].includes(mode))
    throw invalid(`${JSON.stringify(mode)} is not a mode. Use merge, external_only or agent_only`);
  if (mode === "agent_only" && definitions.length > 0)
    throw invalid("agent_only takes no external tools. Leave them out, or use merge");
  const tools = new Map<string, Tool>();
  for (const definition of definitions) {
    if (tools.has(definition.name))
      throw invalid(`two external tools are named ${definition.name}. Name them differently`);
    tools.set(definition.name, schemaTool(definition));
  }
  return tools;
}

function toSchema({ name, description, input, strict }: Tool): ToolSchema {
  return { name, description, inputSchema: input.jsonSchema, ...(strict === undefined ? {} : { strict }) };
}

function invalid(what: string): HoldallError {
  return new HoldallError("REQUEST_INVALID", `${what}.`);
}
