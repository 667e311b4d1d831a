import { describe, expect, test } from "vitest";
import { type Layer, onion } from "../../../src/base/onion.ts";

type Log = string[];

function named(name: string): Layer<Log, string> {
  return async (log, next) => {
    log.push(`${name} in`);
    const result = await next(log);
    log.push(`${name} out`);
    return `${name}(${result})`;
  };
}

const core = async (log: Log): Promise<string> => {
  log.push("core");
  return "core";
};

describe("onion", () => {
  test("puts the first layer outermost", async () => {
    const log: Log = [];
    expect(await onion([named("a"), named("b")], core)(log)).toBe("a(b(core))");
    expect(log).toEqual(["a in", "b in", "core", "b out", "a out"]);
  });

  test("is the core itself without layers", () => {
    expect(onion([], core)).toBe(core);
  });

  test("keeps calls apart that run at once", async () => {
    const run = onion([named("a")], core);
    const logs: Log[] = [[], []];
    await Promise.all(logs.map(run));
    expect(logs).toEqual([
      ["a in", "core", "a out"],
      ["a in", "core", "a out"],
    ]);
  });

  test("lets a layer skip the rest", async () => {
    const log: Log = [];
    const run = onion<Log, string>([named("a"), async () => "skipped", named("b")], core);
    expect(await run(log)).toBe("a(skipped)");
    expect(log).toEqual(["a in", "a out"]);
  });

  test("lets a layer call the rest again, each time through all inner layers", async () => {
    const log: Log = [];
    const twice: Layer<Log, string> = async (call, next) => `${await next(call)}+${await next(call)}`;
    expect(await onion([twice, named("a")], core)(log)).toBe("a(core)+a(core)");
    expect(log).toEqual(["a in", "core", "a out", "a in", "core", "a out"]);
  });

  test("hands on the call that a layer changed", async () => {
    const run = onion<number, number>(
      [(call, next) => next(call + 1), (call, next) => next(call * 10)],
      async (n) => n,
    );
    expect(await run(1)).toBe(20);
  });

  test("lets a layer catch what an inner one throws, at once or later", async () => {
    const caught: unknown[] = [];
    const catching: Layer<number, number> = (call, next) =>
      next(call).catch((error: unknown) => {
        caught.push(error);
        return -1;
      });
    const atOnce: Layer<number, number> = () => {
      throw new Error("at once");
    };
    const later: Layer<number, number> = async () => {
      throw new Error("later");
    };
    expect(await onion([catching, atOnce], async () => 0)(1)).toBe(-1);
    expect(await onion([catching, later], async () => 0)(1)).toBe(-1);
    expect(caught).toEqual([new Error("at once"), new Error("later")]);
    await expect(onion([atOnce], async () => 0)(1)).rejects.toThrow("at once");
  });

  test("is composed once: a layer sees the same rest in every call", async () => {
    const rests = new Set<unknown>();
    const run = onion<number, number>(
      [
        async (call, next) => {
          rests.add(next);
          return call;
        },
      ],
      async (n) => n,
    );
    await run(1);
    await run(2);
    expect(rests.size).toBe(1);
  });
});
