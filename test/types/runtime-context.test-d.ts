import { type ContextKey, contextKey, defineTool, RuntimeContext } from "holdall";
import { expectTypeOf, test } from "vitest";

interface User {
  id: string;
}

abstract class Store {
  abstract read(): string;
}

class MemoryStore extends Store {
  read(): string {
    return "";
  }
}

const user = contextKey<User>("user");
const limit = contextKey<number | null>("limit");

test("a key gives values of its type", () => {
  const context = new RuntimeContext().put(user, { id: "u" }).put(Store, new MemoryStore()).put("plain", 5);
  expectTypeOf(user).toEqualTypeOf<ContextKey<User>>();
  expectTypeOf(context.get(user)).toEqualTypeOf<User | undefined>();
  expectTypeOf(context.require(user)).toEqualTypeOf<User>();
  expectTypeOf(context.require(limit)).toEqualTypeOf<number | null>();
  expectTypeOf(context.get("plain")).toBeUnknown();
});

test("a class gives its instances, an abstract one too", () => {
  const context = new RuntimeContext();
  expectTypeOf(context.get(Store)).toEqualTypeOf<Store | undefined>();
  expectTypeOf(context.require(MemoryStore)).toEqualTypeOf<MemoryStore>();
});

test("a key takes only values of its type", () => {
  const context = new RuntimeContext();
  // @ts-expect-error a user has an id
  context.put(user, { name: "u" });
  // @ts-expect-error a store is kept under a store's class
  context.put(Store, { id: "u" });
  // @ts-expect-error strings name untyped values, which nothing can require
  context.require("plain");
});

test("values that a tool wants are there, with their types", () => {
  defineTool({
    name: "t",
    description: "A tool.",
    inject: { user, store: Store, limit },
    execute(_input, call) {
      expectTypeOf(call.user).toEqualTypeOf<User>();
      expectTypeOf(call.store).toEqualTypeOf<Store>();
      expectTypeOf(call.limit).toEqualTypeOf<number | null>();
      expectTypeOf(call.signal).toEqualTypeOf<AbortSignal>();
      // @ts-expect-error nothing of that name is wanted
      return call.other;
    },
  });
});

test("a tool that wants nothing gets nothing", () => {
  defineTool({
    name: "t",
    description: "A tool.",
    // @ts-expect-error nothing is wanted
    execute: (_input, call) => call.user,
  });
});
