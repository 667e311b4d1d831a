/** Read of PDF documents: their text, their pages, and those that cannot or should not be read. */

import { memoryBackend } from "holdall/memory";
import { MAX_PDF_BYTES, MAX_PDF_STREAM_BYTES, readTool } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { readPdf } from "../../../src/tools/pdf-document.ts";
import { hasHugeStream } from "../../../src/tools/pdf-streams.ts";
import { deflate, makePdf, pdfOf, textContent } from "./pdf.ts";
import { bytesOf, openDesk } from "./setup.ts";

const { signal } = new AbortController();
const numbered = (count: number): Uint8Array => pdfOf(...Array.from({ length: count }, (_, index) => `p${index + 1}`));
const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(parts.flatMap((part) => [...part]));

function say(bytes: Uint8Array, input: Record<string, unknown> = {}, path = "/f.pdf"): Promise<string> {
  return openDesk(memoryBackend({ files: { [path]: bytes } })).say("Read", { file_path: path, ...input });
}

const shown: { name: string; bytes: Uint8Array; path?: string; pages?: string; says: string }[] = [
  {
    name: "the lines of each page",
    bytes: pdfOf("Hello (world)\nsecond line", "caf\xe9"),
    says: "--- Page 1/2 ---\nHello (world)\nsecond line\n\n--- Page 2/2 ---\ncaf\xe9",
  },
  { name: "one page", bytes: numbered(3), pages: "2", says: "--- Page 2/3 ---\np2" },
  { name: "some pages", bytes: numbered(3), pages: "1-2", says: "--- Page 1/3 ---\np1\n\n--- Page 2/3 ---\np2" },
  { name: "pages up to the last", bytes: numbered(3), pages: " 3 - 99 ", says: "--- Page 3/3 ---\np3" },
  { name: "all for no pages", bytes: numbered(1), pages: " ", says: "--- Page 1/1 ---\np1" },
  { name: "a document of another name", bytes: numbered(1), path: "/f.txt", says: "--- Page 1/1 ---\np1" },
  {
    name: "a document behind something else",
    bytes: joined(bytesOf("Received: by mail\n\n"), numbered(1)),
    says: "--- Page 1/1 ---\np1",
  },
  {
    name: "that a page has no text",
    bytes: makePdf({ contents: ["0 0 1 1 re f"] }),
    says: "--- Page 1/1 ---\n\n\n[1 page without text: Read cannot see what is only a picture.]",
  },
  {
    name: "a document whose table is not where it should be",
    bytes: bytesOf(String.fromCharCode(...numbered(2)).replace(/startxref\n\d+/, "startxref\n7")),
    says: "--- Page 1/2 ---\np1\n\n--- Page 2/2 ---\np2",
  },
  {
    name: "what there is, whatever the count says",
    bytes: makePdf({ contents: [textContent("p1")], tree: "/Kids [4 0 R] /Count 1000000000" }),
    says: "--- Page 1/1 ---\np1",
  },
];

const encrypted = `/Encrypt << /Filter /Standard /V 1 /R 2 /O (${"1".repeat(32)}) /U (${"2".repeat(32)}) /P -4 >> /ID [(0123456789abcdef)(0123456789abcdef)]`;

const refused: { name: string; bytes: Uint8Array; pages?: string; says: string }[] = [
  {
    name: "many pages at once",
    bytes: numbered(11),
    says: '/f.pdf has 11 pages. Call Read with pages, such as "1-10", at most 20 at a time.',
  },
  {
    name: "too many of many pages",
    bytes: numbered(30),
    pages: "2-30",
    says: '/f.pdf has 30 pages; at most 20 are shown at a time. Ask for "2-21".',
  },
  { name: "page 0", bytes: numbered(2), pages: "0-1", says: "/f.pdf has 2 pages; there are no pages 0-1." },
  { name: "pages past the end", bytes: numbered(2), pages: "3", says: "/f.pdf has 2 pages; there are no pages 3-3." },
  { name: "pages backwards", bytes: numbered(2), pages: "2-1", says: "/f.pdf has 2 pages; there are no pages 2-1." },
  ...["all", "1,2", "1-", "-1", "1-2-3", `${"1".repeat(10)}`].map((pages) => ({
    name: `the pages ${pages}`,
    bytes: numbered(2),
    pages,
    says: `"${pages}" names no pages. Write "3" for one page or "1-5" for several.`,
  })),
  {
    name: "a document with a password",
    bytes: makePdf({ contents: [textContent("p1")], trailer: encrypted }),
    says: "/f.pdf is a PDF document that needs a password, which Read cannot give.",
  },
  ...(
    [
      ["a mark and nothing else", bytesOf("%PDF-1.7")],
      ["garbage", bytesOf(`%PDF-1.7\n${"\xff\0garbage obj << ".repeat(500)}`)],
      ["a page tree that leads to itself", makePdf({ contents: ["x"], tree: "/Kids [2 0 R 2 0 R] /Count 2" })],
      ["brackets without end", bytesOf(`%PDF-1.7\n1 0 obj\n${"[".repeat(100_000)}`)],
    ] as const
  ).map(([name, bytes]) => ({
    name,
    bytes,
    says: `/f.pdf is a PDF document of ${bytes.length} bytes that is broken; no page of it can be read.`,
  })),
];

describe("Read of PDF documents", () => {
  test.each(shown)("shows $name", async ({ bytes, path, pages, says }) => {
    expect(await say(bytes, pages === undefined ? {} : { pages }, path)).toBe(`success: ${says}`);
  });

  test.each(refused)("refuses $name", async ({ bytes, pages, says }) => {
    expect(await say(bytes, pages === undefined ? {} : { pages })).toBe(`error: ${says}`);
  });

  test("unpacks what is compressed", async () => {
    const content = await deflate(bytesOf(textContent("packed")));
    expect(await say(makePdf({ contents: [content], filter: "/Filter /FlateDecode " }))).toBe(
      "success: --- Page 1/1 ---\npacked",
    );
  });

  test("shows as many pages as fit, and how to go on", async () => {
    const page = `${"long text ".repeat(10)}\n`.repeat(200);
    const said = await say(pdfOf(page, page, page, page));
    expect(said.length).toBeLessThan(45_000);
    expect(said.slice(said.lastIndexOf("\n\n"))).toBe(
      '\n\n[Pages 1-2 are shown. Call Read with pages "3-4" for more.]',
    );
    const endless = await say(pdfOf(`${"long text ".repeat(10)}\n`.repeat(600)));
    expect(endless.slice(endless.lastIndexOf("\n\n"))).toBe(
      "\n\n[Page 1 is longer than can be shown; its end is left out.]",
    );
  });

  test("gives documents to a model that reads them, whole or in part", async () => {
    const backend = memoryBackend({ files: { "/f.pdf": numbered(3) } });
    const desk = openDesk(backend, [readTool({ backend, inputTypes: ["application/pdf"] })]);
    const { output } = await desk.call("Read", { file_path: "/f.pdf" });
    const data = btoa(String.fromCharCode(...numbered(3)));
    expect(output).toEqual([
      { type: "data", source: { type: "base64", mediaType: "application/pdf", data }, name: "f.pdf" },
    ]);
    const part = await desk.call("Read", { file_path: "/f.pdf", pages: "2-3" });
    const [block] = part.output;
    const trimmed =
      block?.type === "data" && block.source.type === "base64" ? bytesOf(atob(block.source.data)) : bytesOf("");
    expect(await say(trimmed)).toBe("success: --- Page 1/2 ---\np2\n\n--- Page 2/2 ---\np3");
  });

  test("leaves the file as it is, and does not count it as read", async () => {
    const desk = openDesk(memoryBackend({ files: { "/f.pdf": numbered(2) } }));
    await desk.call("Read", { file_path: "/f.pdf" });
    await desk.call("Read", { file_path: "/f.pdf" });
    expect((await desk.backend.fs.read("/f.pdf")).bytes).toEqual(numbered(2));
    expect(desk.state.toolContext.readFiles).toEqual({});
  });

  test("refuses a huge document without reading it", async () => {
    const { fs, ...rest } = memoryBackend({ files: { "/f.pdf": numbered(1) } });
    const size = MAX_PDF_BYTES + 1;
    let most = 0;
    const desk = openDesk({
      ...rest,
      fs: {
        ...fs,
        stat: async () => ({ kind: "file", size, modifiedAt: 0, version: "1" }),
        read: async (path, options) => {
          most = Math.max(most, options?.length ?? size);
          return fs.read(path, options);
        },
      },
    });
    expect(await desk.say("Read", { file_path: "/f.pdf" })).toBe(
      `error: /f.pdf is a PDF document of ${size} bytes; at most ${MAX_PDF_BYTES} can be read. Split it with Bash, if there is a program for it.`,
    );
    expect(most).toBe(256 << 10);
  });

  test("refuses what unpacks to far more", async () => {
    const content = await deflate(new Uint8Array(MAX_PDF_STREAM_BYTES + (8 << 20)).fill(32));
    expect(await say(makePdf({ contents: [content, textContent("p2")], filter: "/Filter /FlateDecode " }))).toBe(bomb);
  });

  test.each([
    "/Filter [/FlateDecode /FlateDecode] ",
    "/Filter[/Fl /ASCII85Decode /LZWDecode]",
    "/F#69lter [/RunLength#44ecode /Fl#61teDecode] ",
    "/Filter 7 0 R ",
  ])("refuses what may be packed several times: %s", async (filter) => {
    expect(await say(makePdf({ contents: [textContent("p1")], filter }))).toBe(bomb);
  });
});

const bomb =
  "error: /f.pdf is a PDF document that unpacks to far more than its size, or may do so; Read does not open it.";

describe("hasHugeStream", () => {
  test("takes what is not deflated, or cut off, for what it is", async () => {
    const packed = await deflate(bytesOf("text ".repeat(20_000)));
    for (const content of [packed, packed.slice(0, 50), "\x78\x9cnot deflated", "stream\nstream\r\n\x78\x01"])
      expect(
        await hasHugeStream(
          makePdf({ contents: [content, "-".repeat(100_000)], filter: "/Filter /FlateDecode " }),
          signal,
        ),
      ).toBe(false);
  });

  test("finds a stream across the pieces it looks at", async () => {
    const packed = await deflate(new Uint8Array(MAX_PDF_STREAM_BYTES + (8 << 20)));
    for (const start of [-8, -1]) {
      const before = " ".repeat((1 << 20) + start);
      expect([
        start,
        await hasHugeStream(bytesOf(`${before}stream\r\n${packed}${" ".repeat(40_000)}`), signal),
      ]).toEqual([start, true]);
    }
  });
});

describe("readPdf", () => {
  test("gives up when the time is over, also while the library keeps others from their turn", async () => {
    const busy = textContent("x ".repeat(50_000));
    let now = 0;
    const clock = (): number => {
      now += 1;
      return now;
    };
    const bytes = makePdf({ contents: [busy, busy] });
    expect(await readPdf(bytes, { signal, deadlineMs: 50, clock }, (document) => document.text(1))).toEqual({
      problem: "slow",
    });
  });

  test("stops when the call is given up", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const reading = readPdf(numbered(3), { signal: controller.signal, deadlineMs: 10_000 }, async (document) => {
      await document.text(1);
      controller.abort(reason);
      return document.text(2);
    });
    await expect(reading).rejects.toBe(reason);
    await expect(
      readPdf(numbered(1), { signal: controller.signal, deadlineMs: 10_000 }, (document) => document.text(1)),
    ).rejects.toBe(reason);
  });

  test("reads several documents at once", async () => {
    const texts = Array.from({ length: 4 }, (_, index) =>
      readPdf(pdfOf(`document ${index}`), { signal, deadlineMs: 10_000 }, (document) => document.text(1)),
    );
    expect(await Promise.all(texts)).toEqual([0, 1, 2, 3].map((index) => ({ value: `document ${index}` })));
  });
});
