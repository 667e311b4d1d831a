import { describe, expect, test } from "vitest";
import { eventCodec, type ReadEvent, readEvents } from "../../adapters/worker/events.ts";
import { type Frame, frameCodec, readFrames } from "../../adapters/worker/frames.ts";
import { openChunks } from "../../adapters/worker/http-body.ts";
import type { Batch } from "../../adapters/worker/protocol.ts";
import { forAll, randomJson, randomText, split } from "../unit/property.ts";
import { bytes, failure, manualTimers } from "./worker-support.ts";

/** A body of these chunks. */
function bodyOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

function open(chunks: readonly Uint8Array[]): ReturnType<typeof openChunks> {
  return openChunks(bodyOf(chunks), { silenceMs: 1000, timers: manualTimers() });
}

async function all<T>(next: () => Promise<T | undefined>): Promise<T[]> {
  const found: T[] = [];
  for (let one = await next(); one !== undefined; one = await next()) found.push(one);
  return found;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Every way to cut bytes once, and every byte by itself. */
function cuts(whole: Uint8Array): Uint8Array[][] {
  const twice = Array.from({ length: whole.length + 1 }, (_, at) => [whole.subarray(0, at), whole.subarray(at)]);
  return [...twice, Array.from(whole, (byte) => Uint8Array.of(byte))];
}

describe("frames", () => {
  const encoded = joined([
    frameCodec.alive,
    frameCodec.batch({ items: [bytes("one"), new Uint8Array(0), bytes("é🦊")] }),
    frameCodec.alive,
    frameCodec.batch({ items: [bytes("last")], end: { value: undefined } }),
  ]);
  const content = ({ kind, bytes: part }: Frame): string => `${kind} ${new TextDecoder().decode(part)}`;

  test("come out as they went in, wherever their bytes are split", async () => {
    for (const chunks of cuts(encoded))
      expect((await all(readFrames(open(chunks)))).map(content)).toEqual([
        "alive ",
        "bytes one",
        "bytes é🦊",
        "alive ",
        "bytes last",
        "end ",
      ]);
  });

  test("come out as they went in, whatever bytes they carry", async () => {
    await forAll(100, async (random) => {
      const items = Array.from({ length: random.below(5) }, () =>
        Uint8Array.from({ length: 1 + random.below(300) }, () => random.below(256)),
      );
      const body = joined([
        frameCodec.batch({ items }),
        frameCodec.failed({ code: "FS_IO", message: randomText(random) }),
      ]);
      const frames = await all(readFrames(open(split(body, random))));
      expect(frames.slice(0, -1).map((frame) => frame.bytes)).toEqual(items);
      expect(frames.at(-1)?.kind).toBe("failed");
    });
  });

  test("that are cut give no part of the last one", async () => {
    const whole = await all(readFrames(open([encoded])));
    for (let length = 0; length < encoded.length; length += 1) {
      const frames = await all(readFrames(open([encoded.subarray(0, length)])));
      expect(frames.map(content)).toEqual(whole.slice(0, frames.length).map(content));
      expect(frames.some(({ kind }) => kind === "end")).toBe(false);
    }
  });

  test.each([
    ["of a kind that there is not", [4, 0, 0, 0, 0]],
    ["of the last kind that can be", [255, 0, 0, 0, 1, 7]],
    ["longer than the limit by one byte", [0, 4, 0, 0, 1]],
    ["of a length that would be negative", [0, 255, 255, 255, 255]],
    ["that are really text", [...bytes("HTTP/1.1 200 OK\r\n")]],
  ])("%s are refused, before memory is taken for them", async (_name, hostile) => {
    expect(await failure(readFrames(open([Uint8Array.from(hostile)]))())).toMatchObject({ code: "BACKEND_PROTOCOL" });
  });
});

describe("events", () => {
  const batches: Batch<unknown, unknown>[] = [
    { items: [{ text: "a\nb\r\nc\rd" }, { text: "data: x\n\nevent: failed" }], position: 1 },
    { items: [], position: 2 },
    { items: ["é🦊\u2028\u0000", "\ud83e"], end: { value: null }, position: 3 },
  ];
  const encoded = joined([eventCodec.alive, ...batches.map(eventCodec.batch), eventCodec.alive]);
  const expected = batches.map(({ position, ...data }): ReadEvent => ({ name: "batch", data: { ...data }, position }));

  test("come out as they went in, wherever their bytes are split", async () => {
    for (const chunks of cuts(encoded)) expect(await all(readEvents(open(chunks), 10_000))).toEqual(expected);
  });

  test("come out as they went in, whatever they carry", async () => {
    await forAll(100, async (random) => {
      const items = Array.from({ length: random.below(5) }, () => randomJson(random));
      const body = joined([
        eventCodec.batch({ items }),
        eventCodec.failed({ code: "FS_IO", message: randomText(random) }),
      ]);
      const [batch, failed] = await all(readEvents(open(split(body, random)), 100_000));
      expect([batch?.data.items, failed?.name]).toEqual([JSON.parse(JSON.stringify(items)), "failed"]);
    });
  });

  test("that are cut give no part of the last one", async () => {
    for (let length = 0; length < encoded.length; length += 1) {
      const events = await all(readEvents(open([encoded.subarray(0, length)]), 10_000));
      expect(events).toEqual(expected.slice(0, events.length));
    }
  });

  test.each([
    ["of another name", "event: message\ndata: {}\n\n", "BACKEND_PROTOCOL"],
    ["without a name", "data: {}\n\n", "BACKEND_PROTOCOL"],
    ["that are not JSON", "event: batch\ndata: {\n\n", "BACKEND_PROTOCOL"],
    ["that are no object", "event: batch\ndata: [1]\n\n", "BACKEND_PROTOCOL"],
    ["whose number is none", "id: x\nevent: batch\ndata: {}\n\n", "BACKEND_PROTOCOL"],
    ["whose number is negative", "id: -1\nevent: batch\ndata: {}\n\n", "BACKEND_PROTOCOL"],
    ["that are too long", `event: batch\ndata: ${"x".repeat(20_000)}`, "BACKEND_LIMIT"],
    ["that never end", `event: batch\n${"data: x\n".repeat(8000)}`, "BACKEND_LIMIT"],
  ])("%s are refused", async (_name, text, code) => {
    expect(await failure(all(readEvents(open([bytes(text)]), 10_000)))).toMatchObject({
      code,
    });
  });
});
