/** Stopping a call until somebody outside has answered. */

import { HoldallError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";

/**
 * Thrown by a tool or an interceptor to hand the call to somebody outside: its result is `suspended`, the agent pauses
 * and goes on when the result has been given.
 */
export class ToolSuspend extends HoldallError {
  /**
   * @param reason Why, for whoever executes the call.
   * @param details Facts that whoever executes it needs.
   */
  constructor(reason: string, details: JsonObject = {}) {
    super("TOOL_SUSPENDED", reason, { data: { details } });
  }
}
