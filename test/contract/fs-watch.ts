/** Contract cases about being told of changes. */

import type { FileSystem, FsChange } from "holdall";
import { collect, fails, holds, nextTask, same, within } from "./expect.ts";
import { type FsCase, put } from "./fs-subject.ts";

/** Rounds in which a change is made and told; hosts may need some time to begin. */
const ROUNDS = 100;

/** Cases about watching. */
export const watchCases: readonly FsCase[] = [
  {
    name: "watch: tells of files that are written and removed, at any depth",
    needs: "watch",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "d/sub/f", "0");
      const seen = await until(
        fs,
        at("d"),
        async (round) => {
          await put(subject, "d/sub/f", String(round));
          await put(subject, `d/new${round}`, "x");
          await fs.remove(at(`d/new${round}`));
        },
        (changes) =>
          changes.some(({ path }) => path === at("d/sub/f")) &&
          changes.some(({ kind, path }) => kind === "removed" && path.startsWith(at("d/new"))),
      );
      holds(
        seen.every(({ path }) => path.startsWith(at("d"))),
        "all paths lie in the directory",
      );
    },
  },
  {
    name: "watch: does not tell of what is outside the directory",
    needs: "watch",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "d/f", "0");
      const seen = await until(
        fs,
        at("d"),
        async (round) => {
          await put(subject, "beside", String(round));
          await put(subject, "dd/f", String(round));
          await put(subject, "d/f", `${round}`);
        },
        (changes) => changes.length > 0,
      );
      same(
        seen.filter(({ path }) => path !== at("d/f") && path !== at("d")),
        [],
        "changes elsewhere",
      );
    },
  },
  {
    name: "watch: ends quietly when the signal aborts",
    needs: "watch",
    check: async (subject) => {
      await subject.fs.makeDirectory(subject.at("d"));
      const controller = new AbortController();
      const watching = collect(watch(subject.fs, subject.at("d"), controller.signal));
      await nextTask();
      controller.abort(new Error("enough"));
      same(await within(watching), [], "the changes");
    },
  },
  {
    name: "watch: fails on what is not there and on files",
    needs: "watch",
    check: async (subject) => {
      await put(subject, "f", "x");
      const first = (path: string): Promise<unknown> =>
        watch(subject.fs, subject.at(path))[Symbol.asyncIterator]().next();
      await fails(first("missing"), "FS_NOT_FOUND", "watching what is not there");
      await fails(first("f"), "FS_NOT_DIRECTORY", "watching a file");
    },
  },
];

function watch(fs: FileSystem, path: string, signal?: AbortSignal): AsyncIterable<FsChange> {
  const changes = fs.watch?.(path, signal && { signal });
  if (changes === undefined) throw new Error("The file system has no watch method.");
  return changes;
}

/** Makes changes until the watcher has told what is waited for; gives all that it told. */
async function until(
  fs: FileSystem,
  path: string,
  change: (round: number) => Promise<void>,
  isEnough: (changes: FsChange[]) => boolean,
): Promise<FsChange[]> {
  const controller = new AbortController();
  const seen: FsChange[] = [];
  const watching = (async () => {
    for await (const event of watch(fs, path, controller.signal)) seen.push(event);
  })();
  for (let round = 0; round < ROUNDS && !isEnough(seen); round += 1) {
    await change(round);
    await nextTask();
  }
  controller.abort();
  await within(watching);
  holds(isEnough(seen), `the watcher tells what happened; it told ${JSON.stringify(seen.slice(0, 10))}`);
  return seen;
}
