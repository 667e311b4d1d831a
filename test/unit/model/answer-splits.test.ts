import { describe, expect, test } from "vitest";
import { bytes, callChunk, chunk, DONE, entry, events, join, readPieces, seeded, usageChunk } from "./recorded.ts";

/** Everything at once: thinking, text beyond the first plane, two interleaved calls, keep-alives, CRLF, usage. */
const transcript = bytes(
  [
    ": keep-alive\r\n\r\n",
    events(chunk({ role: "assistant", reasoning_content: "Überlegen 🤔" })).replaceAll("\n", "\r\n"),
    events(chunk({ content: "Grüße, " }), chunk({ content: "世界 👩‍👩‍👧!" })),
    events("event: message\nid: 4\n", callChunk(entry(0, "call_a", "search", ""))),
    events(callChunk(entry(1, null, "read", '{"path":"/ä'))).replaceAll("\n", "\r\n"),
    events(callChunk(entry(0, "call_a", "search", '{"q":"naïve \\"')), ": ping\n\n"),
    events(callChunk(entry(1, "", "", '/🎈.txt"}'), entry(0, undefined, undefined, '🦜"}'))),
    events(chunk({}, "tool_calls"), usageChunk).replaceAll("\n", "\r"),
    DONE.replaceAll("\n", "\r\n"),
  ].join(""),
);

const whole = [...readPieces([transcript])];
const wholeText = JSON.stringify(whole);

/** Compares as text, which takes a fraction of the time over thousands of splits; a difference is shown in full. */
function expectWhole(pieces: readonly Uint8Array[], told: string): void {
  const parts = [...readPieces(pieces)];
  if (JSON.stringify(parts) !== wholeText) expect(parts, told).toEqual(whole);
}

describe("the bytes of an answer", () => {
  test("mean what they say", () => {
    expect(join(whole)).toEqual({
      blocks: [
        { type: "thinking", text: "Überlegen 🤔" },
        { type: "text", text: "Grüße, 世界 👩‍👩‍👧!" },
      ],
      calls: [
        { id: "call_a", name: "search", input: '{"q":"naïve \\"🦜"}' },
        { id: "id-3", name: "read", input: '{"path":"/ä/🎈.txt"}' },
      ],
      finish: { reason: "tool_calls", usage: { inputTokens: 11, outputTokens: 7 } },
    });
  });

  test("mean the same split in two at every place", () => {
    for (let at = 0; at <= transcript.length; at += 1) {
      expectWhole([transcript.slice(0, at), transcript.slice(at)], `split at byte ${at}`);
    }
  });

  test("mean the same one by one", () => {
    const pieces = Array.from(transcript, (byte) => Uint8Array.of(byte));
    expect([...readPieces(pieces)]).toEqual(whole);
  });

  test("mean the same in pieces of any length, empty ones among them", () => {
    const seed = 1129;
    const random = seeded(seed);
    for (let round = 0; round < 200; round += 1) {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < transcript.length; ) {
        const length = Math.floor(random() ** 3 * 90);
        pieces.push(transcript.slice(at, at + length));
        at += length;
      }
      expectWhole(pieces, `seed ${seed}, round ${round}`);
    }
  });

  test("break off wherever they are cut before the reason, and never otherwise", () => {
    const text = new TextDecoder().decode(transcript);
    const head = text.slice(0, text.indexOf('"tool_calls"}]}') + '"tool_calls"}]}'.length);
    const complete = bytes(head).length;
    for (let at = 0; at <= transcript.length; at += 1) {
      let fault: unknown;
      try {
        join(readPieces([transcript.slice(0, at)]));
      } catch (error) {
        fault = error;
      }
      if (fault instanceof Error !== at < complete) throw new Error(`cut at byte ${at}: ${String(fault)}`);
    }
  });
});

describe("the pieces of an answer", () => {
  test("mean the same however calls and text interleave", () => {
    const seed = 2026;
    const random = seeded(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const cut = (text: string): string[] => {
      const pieces: string[] = [];
      // By characters: JSON carries no half of one.
      for (const character of text) {
        if (pieces.length === 0 || random() < 0.4) pieces.push("");
        pieces.push(`${pieces.pop()}${character}`);
      }
      return pieces;
    };
    for (let round = 0; round < 300; round += 1) {
      const inputs = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, at) =>
        JSON.stringify({ at, q: pick(["", "x", "}{", '"\\"', "🎈é", "a".repeat(20)]), deep: [{ on: random() < 0.5 }] }),
      );
      const names = inputs.map(() => pick(["search", "read"]));
      const words = pick(["", "Hello there, 世界", "ok"]);
      const tracks: object[][] = inputs.map((input, index) => {
        const repeats = random() < 0.3;
        const pieces = cut(input).map((piece) =>
          callChunk(
            repeats ? entry(index, `c${index}`, names[index], piece) : entry(index, undefined, undefined, piece),
          ),
        );
        return [callChunk(entry(index, `c${index}`, names[index], "")), ...pieces];
      });
      const chunks: object[] = cut(words).map((piece) => chunk({ content: piece }));
      while (tracks.some((track) => track.length > 0)) {
        const next = pick(tracks.filter((track) => track.length > 0)).shift();
        if (next !== undefined) chunks.push(next);
      }
      const body = bytes(events(...chunks, chunk({}, "tool_calls"), DONE));
      const at = Math.floor(random() * body.length);
      const joined = join(readPieces([body.slice(0, at), body.slice(at)]));
      const told = `seed ${seed}, round ${round}`;
      expect(joined.blocks.map((block) => block.text).join(""), told).toBe(words);
      expect(
        [...joined.calls].sort((a, b) => (a.id < b.id ? -1 : 1)),
        told,
      ).toEqual(inputs.map((input, index) => ({ id: `c${index}`, name: names[index], input })));
    }
  });
});
