/** Tools that are only a schema: somebody outside executes their calls. */

import type { JsonObject } from "../base/json.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

/** A tool as somebody outside describes it. */
export interface SchemaToolDefinition {
  name: string;
  description?: string;
  /** A JSON Schema of type object. Defaults to no arguments. */
  parameters?: JsonObject;
  /** Whether providers shall hold the model to the schema. */
  strict?: boolean;
}

/**
 * Makes a tool of a schema. Its calls are validated, then suspended; handing them out needs no permission, since
 * nothing is done here.
 *
 * @throws HoldallError `TOOL_INVALID` for an illegal name, `SCHEMA_INVALID` for parameters that are no object schema.
 */
export function schemaTool(definition: SchemaToolDefinition): Tool {
  const { name, description = "", parameters = { type: "object", properties: {} }, strict } = definition;
  return defineTool({
    name,
    description,
    input: { jsonSchema: parameters },
    ...(strict === undefined ? {} : { strict }),
    external: true,
    allowedInExplore: true,
    checkPermissions: () => ({ behavior: "allow", reason: "it is executed outside" }),
  });
}
