/** What a model may give as a medium, and how it is told apart. */

import { fsError } from "holdall";
import { memoryBackend } from "holdall/memory";
import { describe, expect, test } from "vitest";
import { MAX_MEDIA_IN, MAX_SOURCES, MAX_URL } from "../../../src/tools/multimodal/limits.ts";
import { type MediaWanted, readAllMedia, readMedia, toAddress } from "../../../src/tools/multimodal/media-input.ts";
import { readSource, splitSources } from "../../../src/tools/multimodal/media-source.ts";
import { extensionFor, mediaTypeByName, mediaTypeOf, serves } from "../../../src/tools/multimodal/media-type.ts";
import { base64, dataUrl, latin, samples } from "./desk.ts";

const wanted: MediaWanted = { kind: "image", backend: undefined, signal: new AbortController().signal };
const text = new TextEncoder().encode("SECRET=hunter2\n");

const files = {
  "/work/cat.png": samples.png,
  "/work/cat.jpg": samples.png,
  "/work/noise": samples.wav,
  "/work/film.mp4": samples.mp4,
  "/work/.env": text,
  "/work/secret.png": text,
  "/work/bitmap.bmp": latin("BM is how this text begins"),
  "/work/empty.png": new Uint8Array(0),
  "/home/me/me.png": samples.jpeg,
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wCEAAoHCBYWFRgWFhYZGBgaHBocHBgYGBoYGhgaHBgaGhgcHBgc": samples.png,
};
const backend = memoryBackend({ cwd: "/work", files });

async function outcome(given: string, more: Partial<MediaWanted> = {}): Promise<unknown> {
  try {
    const input = await readMedia(given, { ...wanted, backend, ...more });
    return input.type === "url" ? input : { name: input.name, mediaType: input.mediaType, size: input.bytes.length };
  } catch (error) {
    return error instanceof Error ? error.message.replace("TOOL_REFUSED: ", "") : error;
  }
}

describe("readMedia", () => {
  const good: [string, string, unknown, Partial<MediaWanted>?][] = [
    ["an address", " https://a.test/x.png ", { type: "url", url: "https://a.test/x.png" }],
    ["an address without its form", "HTTP://A.test/a b", { type: "url", url: "http://a.test/a%20b" }],
    ["data", dataUrl("image/png", samples.png), { name: "image.png", mediaType: "image/png", size: 96 }],
    [
      "data that is called something else",
      dataUrl("text/plain", samples.png),
      { name: "image.png", mediaType: "image/png", size: 96 },
    ],
    [
      "data in percent signs",
      "data:image/svg+xml,%3Csvg%2F%3E",
      { name: "image.bin", mediaType: "image/svg+xml", size: 6 },
    ],
    [
      "data in percent signs and base64",
      "DATA:image/gif;BASE64,R0lG%4fDlhAA%3D%3D",
      { name: "image.gif", mediaType: "image/gif", size: 7 },
    ],
    ["bare base64", base64(samples.jpeg), { name: "image.jpg", mediaType: "image/jpeg", size: 96 }],
    [
      "bare base64 in lines",
      base64(samples.png).replace(/.{76}/g, "$&\n"),
      { name: "image.png", mediaType: "image/png", size: 96 },
    ],
    ["a relative path", "cat.png", { name: "cat.png", mediaType: "image/png", size: 96 }],
    ["an absolute path", "/work/cat.png", { name: "cat.png", mediaType: "image/png", size: 96 }],
    ["a file with the wrong extension", "cat.jpg", { name: "cat.jpg.png", mediaType: "image/png", size: 96 }],
    [
      "a sound without an extension",
      "noise",
      { name: "noise.wav", mediaType: "audio/wav", size: 96 },
      { kind: "audio" },
    ],
    ["a film for its sound", "film.mp4", { name: "film.mp4", mediaType: "video/mp4", size: 96 }, { kind: "audio" }],
    ["a film", "film.mp4", { name: "film.mp4", mediaType: "video/mp4", size: 96 }, { kind: "video" }],
    [
      "a path that is also base64",
      "/9j/4AAQSkZJRgABAQAAAQABAAD/2wCEAAoHCBYWFRgWFhYZGBgaHBocHBgYGBoYGhgaHBgaGhgcHBgc",
      { name: "image.jpg", mediaType: "image/jpeg", size: 60 },
    ],
  ];
  test.each(good)("takes %s", async (_what, given, expected, more) => {
    expect(await outcome(given, more)).toEqual(expected);
  });

  const bad: [string, string, string, Partial<MediaWanted>?][] = [
    ["nothing", " ", "An address is empty. Give a URL, a data: URL or a path."],
    [
      "another protocol",
      "file:///etc/passwd",
      '"file:///etc/passwd" is not an http or https URL of at most 8192 characters. Give one, a data: URL or a path.',
    ],
    [
      "half an address",
      "https://",
      '"https://" is not an http or https URL of at most 8192 characters. Give one, a data: URL or a path.',
    ],
    [
      "half a data: URL",
      "data:image/png;base64",
      '"data:image/png;base64" is not a whole data: URL. It has no comma before its data.',
    ],
    [
      "data that is not base64",
      "data:image/png;base64,???",
      "The data given is not valid base64. Give it whole, or give a URL or a path.",
    ],
    [
      "empty data",
      "data:image/png;base64,",
      "An image is needed, but the data given is empty. Give an image in a common format.",
    ],
    [
      "data of another kind",
      dataUrl("image/png", samples.wav),
      "An image is needed, but the data given is of type audio/wav. Give an image in a common format.",
    ],
    [
      "text as data",
      dataUrl("text/plain", text),
      "An image is needed, but the data given is of type text/plain. Give an image in a common format.",
    ],
    [
      "a secret",
      ".env",
      "An image is needed, but /work/.env is not of a known media type. Give an image in a common format.",
    ],
    [
      "a secret with an extension",
      "secret.png",
      "An image is needed, but /work/secret.png is not of a known media type. Give an image in a common format.",
    ],
    [
      "a text that begins as an image does",
      "bitmap.bmp",
      "An image is needed, but /work/bitmap.bmp is not of a known media type. Give an image in a common format.",
    ],
    [
      "an empty file",
      "empty.png",
      "An image is needed, but /work/empty.png is empty. Give an image in a common format.",
    ],
    [
      "an image as a sound",
      "cat.png",
      "Sound is needed, but /work/cat.png is of type image/png. Give audio in a common format.",
      { kind: "audio" },
    ],
    [
      "a sound as a video",
      "noise",
      "A video is needed, but /work/noise is of type audio/wav. Give video in a common format.",
      { kind: "video" },
    ],
    ["a folder", "/work", "/work is a directory. Use Glob with this path to see what is in it."],
    [
      "a file that is not there",
      "cat.gif",
      "/work/cat.gif does not exist. Did you mean /work/cat.jpg or /work/cat.png?",
    ],
    [
      "a path without a workspace",
      "cat.png",
      '"cat.png" is not a URL, and there is no workspace to read files from. Give a URL or a data: URL.',
      { backend: undefined },
    ],
  ];
  test.each(bad)("refuses %s", async (_what, given, expected, more) => {
    expect(await outcome(given, more)).toBe(expected);
  });

  test("refuses what is too large, before it is decoded or read", async () => {
    const large = `data:image/png;base64,${"A".repeat((MAX_MEDIA_IN * 4) / 3 + 2000)}`;
    expect(await outcome(large)).toBe(
      "The data given is larger than 25 MiB, which is the most that is sent along. Give a URL, or a smaller copy.",
    );
    const fs = {
      ...backend.fs,
      stat: async () => ({ kind: "file" as const, size: MAX_MEDIA_IN + 1, modifiedAt: 0, version: "1" }),
      read: async () => Promise.reject(fsError("FS_NOT_FOUND", "/work/cat.png")),
    };
    expect(await outcome("cat.png", { backend: { ...backend, fs } })).toBe(
      "/work/cat.png is larger than 25 MiB, which is the most that is sent along. Give a URL, or a smaller copy.",
    );
    expect(await outcome(`https://a.test/${"a".repeat(MAX_URL)}`)).toContain("is not an http or https URL");
  });

  test("believes no size that a file system tells", async () => {
    const read = async (_path: string, { length = 0 } = {}) => ({
      bytes: latin("\x89PNG\r\n\x1a\n", length),
      version: "1",
    });
    expect(await outcome("cat.png", { backend: { ...backend, fs: { ...backend.fs, read } } })).toBe(
      "/work/cat.png is larger than 25 MiB, which is the most that is sent along. Give a URL, or a smaller copy.",
    );
  });
});

describe("readAllMedia", () => {
  test("refuses none, too many and too much", async () => {
    const problem = async (texts: string[]): Promise<unknown> =>
      readAllMedia(texts, wanted).catch((error) => error.message);
    const large = dataUrl("image/png", latin("\x89PNG\r\n\x1a\n", 40_000));
    expect(await problem([])).toContain("No image was given.");
    expect(await problem(Array(MAX_SOURCES + 1).fill("https://a.test/"))).toContain(
      "17 were given; at most 16 can be sent at once.",
    );
    expect(await problem(Array(MAX_SOURCES).fill(large))).toHaveLength(MAX_SOURCES);
    const half = `data:image/png;base64,${base64(samples.png).slice(0, 12)}${"A".repeat(23 << 20)}`;
    expect(await problem([half, half])).toContain("Together they are larger than 32 MiB.");
  });

  test("makes addresses that say the true type", async () => {
    const media = await readAllMedia(["https://a.test/x.png", dataUrl("image/gif", samples.jpeg)], wanted);
    expect(await Promise.all(media.map(toAddress))).toEqual([
      "https://a.test/x.png",
      dataUrl("image/jpeg", samples.jpeg),
    ]);
  });
});

describe("splitSources", () => {
  test.each<[string | string[], string[]]>([
    ["https://a.test/x,y.png", ["https://a.test/x,y.png"]],
    ["https://a.test/x, http://b.test/,HTTPS://c.test", ["https://a.test/x", "http://b.test/", "HTTPS://c.test"]],
    ["data:image/png;base64,AAAA,data:image/gif,x", ["data:image/png;base64,AAAA", "data:image/gif,x"]],
    ["a, b.png", ["a, b.png"]],
    [
      [" a ", "", "b,https://c.test"],
      ["a", "b,https://c.test"],
    ],
    ["", []],
  ])("%j is %j", (given, expected) => {
    expect(splitSources(given)).toEqual(expected);
  });
});

describe("readSource", () => {
  test.each([
    ["C:\\pictures\\a.png", "path"],
    ["a:b", "path"],
    ["~/a.png", "path"],
    ["https:/a.test", "path"],
    ["AAAA", "path"],
    [`${"A".repeat(100)}`, "path"],
    ["data:,x", "inline"],
    ["http://[::1]:80/x", "url"],
  ])("takes %j for a %s", (given, type) => {
    expect(readSource(given).type).toBe(type);
  });
});

describe("media types", () => {
  test.each<[string, string | undefined]>([
    ["GIF89a", "image/gif"],
    ["RIFF....WEBPVP8 ", "image/webp"],
    ["RIFF....AVI LIST", "video/x-msvideo"],
    ["RIFF", undefined],
    ["BM\x01\0\0\0\0\0\0\0\x36", "image/bmp"],
    ["II*\0", "image/tiff"],
    ["\0\0\0\x18ftypheic", "image/heic"],
    ["\0\0\0\x18ftypavif", "image/avif"],
    ["\0\0\0\x18ftypqt  ", "video/quicktime"],
    ["\0\0\0\x18ftypM4A ", "audio/mp4"],
    ["\0\0\0\x18ftypisom", "video/mp4"],
    ["fLaC\0\0\0\x22", "audio/flac"],
    ["fLaCky prose", undefined],
    ["OggS\0", "audio/ogg"],
    ["ID3 tags are old", undefined],
    ["\xff\xf1", "audio/aac"],
    ["FORM....AIFC", "audio/aiff"],
    ["#!AMR\n", "audio/amr"],
    ["\x1a\x45\xdf\xa3", "video/webm"],
    ["\0\0\x01\xba", "video/mpeg"],
    ["%PDF-1.7", undefined],
    ["", undefined],
  ])("the bytes %j are %s", (head, expected) => {
    expect(mediaTypeOf(latin(head))).toBe(expected);
  });

  test.each<[string, string | undefined]>([
    ["a.PNG", "image/png"],
    ["/x/a.tar.jpeg?x=.gif", "image/jpeg"],
    ["a.opus#t", "audio/ogg"],
    ["png", undefined],
    ["a.exe", undefined],
  ])("the name %j is %s", (name, expected) => {
    expect(mediaTypeByName(name)).toBe(expected);
  });

  test("serve as their kind, and a video as a sound", () => {
    expect([
      serves("image/png", "image"),
      serves("video/mp4", "audio"),
      serves("audio/wav", "video"),
      extensionFor("x/y"),
    ]).toEqual([true, true, false, "bin"]);
  });
});
