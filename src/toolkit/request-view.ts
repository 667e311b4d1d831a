/** The tools of one request: external ones that the caller brings along, beside or instead of the toolkit's own. */

import { HoldallError } from "../base/errors.ts";
import type { FindTool, ToolEntry } from "../tool/entry.ts";
import { schemaTool, type SchemaToolDefinition } from "../tool/schema-tool.ts";
import type { ToolSchema } from "./group.ts";

/** The tools of one request. Nothing of the toolkit is changed by it. */
export interface ToolRequest {
  /** Tools that the caller executes; their calls are suspended. */
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

/**
 * Opens the view of a request.
 *
 * @param request The request; undefined shows the toolkit as it is.
 * @param own The toolkit's own view.
 * @param enter Makes an entry of an external tool.
 * @throws HoldallError `REQUEST_INVALID` for an unknown mode, tools beside `agent_only`, or two of one name.
 */
export function openView(request: ToolRequest | undefined, own: RequestView, enter: (tool: ReturnType<typeof schemaTool>) => ToolEntry): RequestView {
  if (request === undefined) return own;
  const entries = externalEntries(request, enter);
  const alone = request.mode === "external_only";
  return {
    find(name) {
      const entry = entries.get(name);
      if (entry !== undefined) return { entry };
      return alone ? { problem: `There is no tool named ${JSON.stringify(name.slice(0, 100))}. Available tools: ${[...entries.keys()].join(", ") || "none"}.` } : own.find(name);
    },
    schemas() {
      const external = [...entries.values()].map(({ tool, inputSchema }) => ({
        name: tool.name,
        description: tool.description,
        inputSchema,
        ...(tool.strict === undefined ? {} : { strict: tool.strict }),
      }));
      return alone ? external : [...external, ...own.schemas().filter((schema) => !entries.has(schema.name))];
    },
  };
}

/** A request is read at every call of its reply; its entries are made once. */
const known = new WeakMap<ToolRequest, Map<string, ToolEntry>>();

function externalEntries(request: ToolRequest, enter: (tool: ReturnType<typeof schemaTool>) => ToolEntry): Map<string, ToolEntry> {
  const made = known.get(request);
  if (made !== undefined) return made;
  const { tools = [], mode = "merge" } = request;
  if (!["merge", "external_only", "agent_only"].includes(mode)) throw invalid(`${JSON.stringify(mode)} is not a mode. Use merge, external_only or agent_only`);
  if (mode === "agent_only" && tools.length > 0) throw invalid("agent_only takes no external tools. Leave them out, or use merge");
  const entries = new Map<string, ToolEntry>();
  for (const definition of tools) {
    if (entries.has(definition.name)) throw invalid(`two external tools are named ${definition.name}. Name them differently`);
    entries.set(definition.name, enter(schemaTool(definition)));
  }
  known.set(request, entries);
  return entries;
}

function invalid(what: string): HoldallError {
  return new HoldallError("REQUEST_INVALID", `${what}.`);
}
