/** The tool with which a model chooses its own tool groups. */

import type { JsonObject } from "../base/json.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { ToolResult } from "../tool/tool-result.ts";
import type { GroupFacts } from "./registry.ts";

/** How the meta tool looks to the model. */
export interface MetaToolOptions {
  /** Defaults to `reset_tools`. */
  name?: string;
  /** `booleans`: one per group. `list`: `{ to_activate: string[] }`. Defaults to `booleans`. */
  style?: "booleans" | "list";
}

/** The usual name of the meta tool. */
export const META_TOOL_NAME = "reset_tools";

const description =
  "Chooses which groups of tools are active. What you pass is the final state: every group that you do not name as active becomes inactive. Activate only what the task needs now. The answer tells how to use the active groups; call again to reread it.";

/**
 * Makes the meta tool over the groups of a toolkit.
 *
 * @param groups All groups but `basic`.
 * @param options Its name and form.
 */
export function metaTool(groups: readonly GroupFacts[], options: MetaToolOptions = {}): Tool {
  const list = options.style === "list";
  return defineTool({
    name: options.name ?? META_TOOL_NAME,
    description,
    input: { jsonSchema: list ? listSchema(groups) : booleanSchema(groups) },
    concurrencySafe: false,
    allowedInExplore: true,
    checkPermissions: () => ({ behavior: "allow", reason: "it only changes which tools are shown" }),
    execute(input, call) {
      if (call.state === undefined) return ToolResult.error("There is no conversation whose tools could be chosen.");
      const wanted = list
        ? new Set(namesIn(input.to_activate))
        : new Set(Object.keys(input).filter((name) => input[name] === true));
      const active = groups.filter((group) => wanted.has(group.name));
      call.state.toolContext.activeGroups = active.map((group) => group.name);
      return ToolResult.success(
        answer(
          active,
          groups.filter((group) => !wanted.has(group.name)),
        ),
      );
    },
  });
}

function booleanSchema(groups: readonly GroupFacts[]): JsonObject {
  const properties: JsonObject = {};
  for (const group of groups)
    properties[group.name] = { type: "boolean", default: false, description: group.description };
  return { type: "object", properties, additionalProperties: false };
}

function listSchema(groups: readonly GroupFacts[]): JsonObject {
  const lines = groups.map((group) => `${group.name}: ${group.description}`);
  const items: JsonObject = { type: "string", enum: groups.map((group) => group.name) };
  return {
    type: "object",
    properties: {
      to_activate: { type: "array", items, description: `The groups that shall be active. ${lines.join(" ")}` },
    },
    required: ["to_activate"],
    additionalProperties: false,
  };
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function answer(active: readonly GroupFacts[], inactive: readonly GroupFacts[]): string {
  const lines = [
    active.length === 0 ? "No group is active now." : `Active groups: ${active.map((group) => group.name).join(", ")}.`,
  ];
  for (const group of active) {
    if (group.instructions !== undefined)
      lines.push(`<tool-instructions group="${group.name}">\n${group.instructions}\n</tool-instructions>`);
  }
  if (inactive.length > 0)
    lines.push("Inactive groups:", ...inactive.map((group) => `- ${group.name}: ${group.description}`));
  return lines.join("\n");
}
