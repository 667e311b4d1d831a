/** Makes the calls that can be made now. */

import { runnableCalls } from "./calls.ts";
import type { Turn } from "./turn.ts";

/** Runs them as one batch; their results reach the reply as events. */
export async function act({ setup, state, options, reply, emit }: Turn): Promise<void> {
  await setup.toolkit.runAll(runnableCalls(reply), {
    context: options.context,
    state,
    request: options.request,
    permission: setup.permission,
    signal: options.signal,
    agent: { id: setup.id, name: setup.name },
    onEvent: emit,
    clock: setup.clock,
  });
}
