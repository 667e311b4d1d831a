import { beforeEach, describe, expect, test } from "vitest";
import { abortable, delay, hostTimers, onAbort, startDeadline, type Timers } from "../../../src/base/abort.ts";
import { HoldallError } from "../../../src/base/errors.ts";

/** Timers that go off when told. */
class FakeTimers implements Timers {
  readonly #open = new Map<number, { callback: () => void; at: number }>();
  #now = 0;
  #last = 0;

  set(callback: () => void, milliseconds: number): number {
    this.#last += 1;
    this.#open.set(this.#last, { callback, at: this.#now + milliseconds });
    return this.#last;
  }

  clear(timer: unknown): void {
    this.#open.delete(timer as number);
  }

  get open(): number {
    return this.#open.size;
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    for (const [id, { callback, at }] of [...this.#open]) {
      if (at > this.#now || !this.#open.delete(id)) continue;
      callback();
    }
  }
}

/** A signal that tells how many listen to it. */
function countingSignal(): { controller: AbortController; listeners: () => number } {
  const controller = new AbortController();
  const { signal } = controller;
  const listening = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listening.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listening.delete(args[1]);
    remove(...args);
  };
  return { controller, listeners: () => listening.size };
}

let timers: FakeTimers;
beforeEach(() => {
  timers = new FakeTimers();
});

describe("onAbort", () => {
  test("calls back once with the reason, and not after it was stopped", () => {
    const controller = new AbortController();
    const reasons: unknown[] = [];
    onAbort(controller.signal, (reason) => reasons.push(reason));
    onAbort(controller.signal, () => reasons.push("stopped"))();
    controller.abort("why");
    expect(reasons).toEqual(["why"]);
  });

  test("calls back at once when the signal has aborted already", () => {
    const reasons: unknown[] = [];
    onAbort(AbortSignal.abort("why"), (reason) => reasons.push(reason))();
    onAbort(undefined, (reason) => reasons.push(reason))();
    expect(reasons).toEqual(["why"]);
  });
});

describe("abortable", () => {
  test("passes on what the promise comes to, and calls share one listener", async () => {
    const { controller, listeners } = countingSignal();
    await expect(abortable(Promise.resolve(1), undefined)).resolves.toBe(1);
    await expect(abortable(Promise.resolve(1), controller.signal)).resolves.toBe(1);
    await expect(abortable(Promise.reject(new Error("no")), controller.signal)).rejects.toThrow("no");
    expect(listeners()).toBe(1);
  });

  test("rejects with the signal's reason as soon as it aborts, and lets a late rejection pass", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    let fail = (_error: Error): void => {};
    const slow = new Promise<void>((_resolve, reject) => {
      fail = reject;
    });
    const waiting = abortable(slow, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    fail(new Error("late"));
    await expect(slow).rejects.toThrow("late");
  });

  test("rejects under a signal that has aborted already, also when the promise is there", async () => {
    await expect(abortable(Promise.resolve(1), AbortSignal.abort("why"))).rejects.toBe("why");
    await expect(abortable(Promise.reject(new Error("no")), AbortSignal.abort("why"))).rejects.toBe("why");
  });
});

describe("startDeadline", () => {
  test("ends with an error that names what took too long", () => {
    const deadline = startDeadline(undefined, 100, "the call", timers);
    timers.pass(99);
    expect(deadline.signal.aborted).toBe(false);
    timers.pass(1);
    expect(deadline.expired).toBe(true);
    expect(HoldallError.is(deadline.signal.reason, "TIMEOUT")).toBe(true);
    expect(deadline.signal.reason).toMatchObject({
      message: "TIMEOUT: the call did not finish within 100 ms. Allow more time, or ask for less work.",
      data: { milliseconds: 100 },
    });
  });

  test("ends with its parent, and then its own time does not count any more", () => {
    const parent = new AbortController();
    const deadline = startDeadline(parent.signal, 100, "the call", timers);
    parent.abort("why");
    timers.pass(100);
    expect([deadline.signal.reason, deadline.expired, timers.open]).toEqual(["why", false, 0]);
  });

  test("starts no timer under a parent that has aborted already", () => {
    const deadline = startDeadline(AbortSignal.abort("why"), 100, "the call", timers);
    deadline.close();
    expect([deadline.signal.reason, deadline.expired, timers.open]).toEqual(["why", false, 0]);
  });

  test("leaves its parent when its time is up or it is closed", () => {
    const { controller, listeners } = countingSignal();
    const expired = startDeadline(controller.signal, 100, "the call", timers);
    timers.pass(100);
    const closed = startDeadline(controller.signal, 100, "the call", timers);
    closed.close();
    closed.close();
    expect([listeners(), timers.open]).toEqual([1, 0]);
    controller.abort("why");
    timers.pass(100);
    expect([expired.expired, closed.expired, closed.signal.aborted]).toEqual([true, false, false]);
  });

  test("without end sets no timer", () => {
    const parent = new AbortController();
    const deadline = startDeadline(parent.signal, Number.POSITIVE_INFINITY, "the call", timers);
    expect(timers.open).toBe(0);
    parent.abort("why");
    expect(deadline.signal.reason).toBe("why");
  });
});

describe("delay", () => {
  test("resolves when the time has passed", async () => {
    const { controller, listeners } = countingSignal();
    let over = false;
    const waiting = delay(100, controller.signal, timers).then(() => {
      over = true;
    });
    timers.pass(99);
    await Promise.resolve();
    expect(over).toBe(false);
    timers.pass(1);
    await waiting;
    expect(listeners()).toBe(1);
  });

  test("rejects with the signal's reason and clears its timer", async () => {
    const controller = new AbortController();
    const waiting = delay(100, controller.signal, timers);
    controller.abort("why");
    await expect(waiting).rejects.toBe("why");
    await expect(delay(100, AbortSignal.abort("why"), timers)).rejects.toBe("why");
    expect(timers.open).toBe(0);
  });
});

describe("hostTimers", () => {
  test("does not take a time too long to count for no time", async () => {
    let early = false;
    const timer = hostTimers.set(() => {
      early = true;
    }, 2 ** 40);
    await new Promise<void>((resolve) => hostTimers.set(resolve, 5));
    hostTimers.clear(timer);
    expect(early).toBe(false);
  });
});
