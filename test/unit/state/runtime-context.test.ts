import { describe, expect, test } from "vitest";
import { HoldallError } from "../../../src/base/errors.ts";
import { contextKey, RuntimeContext } from "../../../src/state/runtime-context.ts";

abstract class Marker {
  abstract readonly mark: string;
}

class RealMarker extends Marker {
  readonly mark = "real";
}

class OtherMarker extends Marker {
  readonly mark = "other";
}

describe("RuntimeContext", () => {
  test("carries who asks", () => {
    const context = new RuntimeContext({ userId: "u", sessionId: "s" });
    expect([context.userId, context.sessionId]).toEqual(["u", "s"]);
    expect([new RuntimeContext().userId, new RuntimeContext().sessionId]).toEqual([undefined, undefined]);
  });

  test("keeps values under strings, keys and classes, each apart from the others", () => {
    const key = contextKey<number>("marker");
    const marker = new RealMarker();
    const context = new RuntimeContext().put("marker", "text").put(key, 5).put(RealMarker, marker);
    expect([context.get("marker"), context.get(key), context.get(RealMarker)]).toEqual(["text", 5, marker]);
    expect([context.get("missing"), context.get(contextKey("other")), context.get(OtherMarker)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("takes two keys of one name for different keys", () => {
    const [one, two] = [contextKey<string>("user"), contextKey<string>("user")];
    const context = new RuntimeContext().put(one, "first");
    expect([context.get(one), context.get(two), context.get("user")]).toEqual(["first", undefined, undefined]);
  });

  test("replaces a value that is there already", () => {
    const key = contextKey<number>("n");
    expect(new RuntimeContext().put(key, 1).put(key, 2).get(key)).toBe(2);
  });

  test("finds by a class what is kept under a class that extends it, but not the other way", () => {
    const marker = new RealMarker();
    const context = new RuntimeContext().put(RealMarker, marker).put(OtherMarker, new OtherMarker());
    expect(context.get(Marker)).toBe(marker);
    const general = new RuntimeContext().put(Marker, marker);
    expect([general.get(Marker), general.get(RealMarker)]).toEqual([marker, undefined]);
  });

  test("prefers what is kept under the very class", () => {
    const [real, own] = [new RealMarker(), new OtherMarker()];
    expect(new RuntimeContext().put(RealMarker, real).put(Marker, own).get(Marker)).toBe(own);
  });

  test("finds itself by its own class", () => {
    class OwnContext extends RuntimeContext {}
    const context = new OwnContext();
    expect([context.get(RuntimeContext), context.get(OwnContext)]).toEqual([context, context]);
    expect(new RuntimeContext().get(OwnContext)).toBe(undefined);
    const replaced = new RuntimeContext();
    expect(context.put(RuntimeContext, replaced).get(RuntimeContext)).toBe(replaced);
  });

  test("gives undefined for functions that are no classes", () => {
    const arrow = (): void => {};
    expect(new RuntimeContext().put(Marker, new RealMarker()).get(arrow as never)).toBe(undefined);
  });

  test("does not show its values to JSON", () => {
    const context = new RuntimeContext({ userId: "u" }).put("secret", "s3cret");
    expect(JSON.parse(JSON.stringify(context))).toEqual({ userId: "u" });
  });
});

describe("RuntimeContext.require", () => {
  test("gives the value, also one that counts as false", () => {
    const key = contextKey<number | null>("n");
    expect([new RuntimeContext().put(key, 0).require(key), new RuntimeContext().put(key, null).require(key)]).toEqual([
      0,
      null,
    ]);
  });

  test.each([
    ["a key", contextKey<string>("user"), "user"],
    ["a class", RealMarker, "RealMarker"],
    ["a key without a name", contextKey<string>(""), "(anonymous)"],
  ])("names %s that is missing", (_what, key, name) => {
    let failure: unknown;
    try {
      new RuntimeContext().require(key);
    } catch (error) {
      failure = error;
    }
    expect(HoldallError.is(failure, "CONTEXT_MISSING")).toBe(true);
    expect(failure).toMatchObject({
      message: `CONTEXT_MISSING: the runtime context has no value for ${name}. Put one in before the call.`,
      data: { key: name },
    });
  });
});

describe("contextKey", () => {
  test("cannot be changed", () => {
    expect(Object.isFrozen(contextKey("a"))).toBe(true);
  });
});
