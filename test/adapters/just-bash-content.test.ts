/** The string forms of bytes: each byte there and back, and as much as a file holds. */

import { describe, expect, test } from "vitest";
import { fromBytes, toBytes } from "../../adapters/just-bash/content.ts";
import { equalBytes } from "../../src/base/bytes.ts";
import { readText, run, workspace } from "./just-bash-support.ts";

const encodings = ["binary", "latin1", "ascii", "base64", "hex"] as const;

const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);

describe.each(encodings)("as %s", (encoding) => {
  test("each byte goes there and back, given by name or as an option", () => {
    const text = fromBytes(all, encoding);
    expect(fromBytes(all, { encoding })).toBe(text);
    expect(toBytes(text, encoding)).toEqual(all);
    expect(toBytes(text, { encoding })).toEqual(all);
  });

  test("a large file goes there and back", () => {
    const bytes = new Uint8Array(100_001).map((_, at) => at % 251);
    expect(equalBytes(toBytes(fromBytes(bytes, encoding), encoding), bytes)).toBe(true);
  });
});

test("each is what its name says", () => {
  const bytes = Uint8Array.of(0x41, 0xe9, 0x00, 0xff);
  expect(encodings.map((encoding) => fromBytes(bytes, encoding))).toEqual([
    "A\u00e9\0\u00ff",
    "A\u00e9\0\u00ff",
    "A\u00e9\0\u00ff",
    "QekA/w==",
    "41e900ff",
  ]);
});

test("text is UTF-8, its mark included, and bytes stay what they are", () => {
  const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0xa9);
  expect([fromBytes(bytes, undefined), fromBytes(bytes, "utf8")]).toEqual(["\ufeff\u00e9", "\ufeff\u00e9"]);
  expect(toBytes("\ufeff\u00e9", undefined)).toEqual(bytes);
  expect(toBytes(bytes, "hex")).toBe(bytes);
});

test("bytes that are no text go through a pipe and into a file as they are, megabytes of them", async () => {
  const bytes = new Uint8Array((2 << 20) + 1).map((_, at) => (at * 7) % 256);
  const backend = workspace({ "/work/in.bin": bytes });
  const { exit, stderr } = await run(backend.shell, "cat in.bin | cat > out.bin && cat < out.bin | wc -c > count.txt");
  expect([stderr, exit.code]).toEqual(["", 0]);
  expect(equalBytes((await backend.fs.read("/work/out.bin")).bytes, bytes)).toBe(true);
  expect((await readText(backend, "/work/count.txt")).trim()).toBe(String(bytes.length));
});
