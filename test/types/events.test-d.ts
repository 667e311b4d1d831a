import { type AgentEvent, type EventBody, fromWireEvent, type JsonObject, toWireEvent } from "holdall";
import { expectTypeOf, test } from "vitest";

test("the kind of an event tells its members", () => {
  const read = (event: AgentEvent): void => {
    if (event.type === "TOOL_RESULT_END") expectTypeOf(event.metadata).toEqualTypeOf<JsonObject>();
    if (event.type === "TEXT_BLOCK_DELTA") expectTypeOf(event.delta).toEqualTypeOf<string>();
    expectTypeOf(event.replyId).toEqualTypeOf<string>();
  };
  expectTypeOf(read).toBeFunction();
  expectTypeOf<{ type: "TEXT_BLOCK_DELTA"; blockId: string }>().not.toExtend<EventBody>();
});

test("whatever is read from the wire may be no event", () => {
  expectTypeOf(fromWireEvent).parameter(0).toBeUnknown();
  expectTypeOf(fromWireEvent).returns.toEqualTypeOf<AgentEvent | undefined>();
  expectTypeOf(toWireEvent).returns.toEqualTypeOf<JsonObject>();
});
