/** The base class for tools that are written as classes. */

import type { JsonObject } from "../base/json.ts";
import type { PermissionRule } from "../message/permission-data.ts";
import type { PermissionFinding } from "../permission/decision.ts";
import type { PermissionCheck, ToolOpinion } from "../permission/subject.ts";
import { type CompiledInput, compileInput, type ToolInput } from "../schema/input-schema.ts";
import { checkName } from "./define-tool.ts";
import type { ToolMiddleware } from "./middleware.ts";
import type { RetryPolicy, Tool, ToolCallContext, ToolReturn } from "./tool.ts";

/** What a subclass passes to the constructor. */
export interface ToolBaseOptions {
  name: string;
  description: string;
  input?: ToolInput;
  strict?: boolean;
  readOnly?: boolean;
  concurrencySafe?: boolean;
  external?: boolean;
  mcpName?: string;
  outputSchema?: JsonObject;
  timeoutMs?: number;
  retry?: RetryPolicy;
  middlewares?: readonly ToolMiddleware[];
}

/**
 * The base class for tools. A subclass passes its facts to the constructor and overrides {@link ToolBase.execute},
 * and the permission seam where the defaults do not fit.
 */
export class ToolBase implements Tool {
  readonly name: string;
  readonly description: string;
  readonly input: CompiledInput;
  readonly strict: boolean | undefined;
  readonly readOnly: boolean;
  readonly concurrencySafe: boolean;
  readonly external: boolean;
  readonly mcpName: string | undefined;
  readonly outputSchema: JsonObject | undefined;
  readonly timeoutMs: number | undefined;
  readonly retry: RetryPolicy | undefined;
  readonly middlewares: readonly ToolMiddleware[];

  /** @throws HoldallError `TOOL_INVALID` for an illegal name, `SCHEMA_INVALID` for an input that is no schema. */
  constructor(options: ToolBaseOptions) {
    checkName(options.name);
    this.name = options.name;
    this.description = options.description;
    this.input = compileInput(options.input, options.name);
    this.strict = options.strict;
    this.readOnly = options.readOnly ?? false;
    this.concurrencySafe = options.concurrencySafe ?? true;
    this.external = options.external ?? false;
    this.mcpName = options.mcpName;
    this.outputSchema = options.outputSchema;
    this.timeoutMs = options.timeoutMs;
    this.retry = options.retry;
    this.middlewares = options.middlewares ?? [];
  }

  /** The tool's own opinion about a call. Defaults to leaving it to rules and mode. */
  checkPermissions(_input: unknown, _check: PermissionCheck): ToolOpinion | Promise<ToolOpinion> {
    return { behavior: "passthrough" };
  }

  /** Whether this very call changes nothing. Defaults to `readOnly`. */
  checkReadOnly(_input: unknown, _check: PermissionCheck): boolean | Promise<boolean> {
    return this.readOnly;
  }

  /** Whether a rule's content matches a call. Defaults to never. */
  matchRule(
    _content: string,
    _input: unknown,
    _rule: PermissionRule,
    _check: PermissionCheck,
  ): boolean | Promise<boolean> {
    return false;
  }

  /** Where in the input a rule with a content matches, for the trace of a decision. Left out: nowhere. */
  locateRule?(
    content: string,
    input: unknown,
    rule: PermissionRule,
    check: PermissionCheck,
  ): readonly PermissionFinding[] | Promise<readonly PermissionFinding[]>;

  /** Rules to offer when a call has to be confirmed. Defaults to a rule for the whole tool. */
  generateSuggestions(_input: unknown, _check: PermissionCheck): PermissionRule[] | Promise<PermissionRule[]> {
    return [{ tool: this.name, behavior: "allow", source: "suggested" }];
  }

  /** Runs a call. External tools leave it as it is. */
  execute(_input: unknown, _call: ToolCallContext): ToolReturn {
    throw new Error(`${this.name} has no execute`);
  }
}
