import { memoryBackend } from "holdall/memory";
import { remoteBackend, serveBackend } from "holdall/worker";
import { describe, expect, test } from "vitest";
import { fetchFrom, URL_OF_TESTS } from "./remote-support.ts";

describe("a workspace of 10,000 files behind HTTP", () => {
  test("is opened and searched with one request for each", async () => {
    const paths = Array.from({ length: 10_000 }, (_, index) => [`/src/d${index % 90}/f${index}.ts`, ""] as const);
    const handler = serveBackend(memoryBackend({ cwd: "/", files: Object.fromEntries(paths) }), {
      authorize: "none",
    });
    const asked: string[] = [];
    const far = await remoteBackend({
      url: URL_OF_TESTS,
      fetch: (url, init) => {
        asked.push(String(url));
        return fetchFrom(handler)(url, init);
      },
    });
    const { matches } = await far.fs.glob({ pattern: "**/*.ts", path: "/", limit: 20_000 });
    expect([matches.length, asked.length]).toEqual([10_000, 2]);
    let files = 0;
    for await (const { kind } of far.fs.walk("/")) if (kind === "file") files += 1;
    expect([files, asked.length]).toEqual([10_000, 3]);
    const { files: found } = await far.fs.grep({ pattern: "nothing", path: "/" });
    expect([found, asked.length]).toEqual([[], 4]);
    await far.close?.();
  });
});
