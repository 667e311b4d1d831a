/** Contract cases about giving up: before a call, and while it is under way. */

import type { FsOptions } from "holdall";
import { bytesOf, collect, isReason, rejectsWith, same, settle } from "./expect.ts";
import { type FsCase, type FsSubject, put, sameTree, tree } from "./fs-subject.ts";

type Call = (subject: FsSubject, options: FsOptions) => Promise<unknown>;

const lookingCalls: Readonly<Record<string, Call>> = {
  stat: ({ fs, at }, options) => fs.stat(at("d/f"), options),
  read: ({ fs, at }, options) => fs.read(at("d/f"), options),
  list: ({ fs, at }, options) => collect(fs.list(at("d"), options)),
  walk: ({ fs, root }, options) => collect(fs.walk(root, options)),
  readStream: ({ fs, at }, options) => fs.readStream(at("d/f"), options).getReader().read(),
  realpath: ({ fs, at }, options) => fs.realpath(at("d/f"), options),
  glob: ({ fs, root }, options) => fs.glob({ pattern: "**", path: root, ...options }),
  grep: ({ fs, root }, options) => fs.grep({ pattern: "x", path: root, ...options }),
};

const changingCalls: Readonly<Record<string, Call>> = {
  write: ({ fs, at }, options) => fs.write(at("d/f"), bytesOf("changed"), options),
  "write of a new file": ({ fs, at }, options) => fs.write(at("new/f"), bytesOf("changed"), options),
  makeDirectory: ({ fs, at }, options) => fs.makeDirectory(at("new/d"), options),
  remove: ({ fs, at }, options) => fs.remove(at("d"), { recursive: true, ...options }),
  rename: ({ fs, at }, options) => fs.rename(at("d"), at("new/e"), options),
  writeStream: ({ fs, at }, options) => fs.writeStream(at("d/f"), new Blob(["changed"]).stream(), options),
};

/** Cases about giving up. */
export const abortCases: readonly FsCase[] = [
  ...Object.entries({ ...lookingCalls, ...changingCalls }).map(
    ([method, call]): FsCase => ({
      name: `abort: ${method} with a signal that has aborted rejects with its reason and changes nothing`,
      check: async (subject) => {
        await put(subject, "d/f", "x");
        const reason = new Error("given up before");
        await rejectsWith(call(subject, { signal: AbortSignal.abort(reason) }), reason, method);
        await sameTree(subject, { "d/": "", "d/f": "x" }, "the tree");
      },
    }),
  ),
  ...Object.entries(lookingCalls).map(
    ([method, call]): FsCase => ({
      name: `abort: ${method} given up under way rejects with the reason, or has ended before`,
      check: async (subject) => {
        await put(subject, "d/f", "x");
        const { outcome, reason } = await giveUp(subject, call);
        if (outcome.kind === "rejected") same(isReason(outcome.error, reason), true, "the reason");
        await sameTree(subject, { "d/": "", "d/f": "x" }, "the tree");
      },
    }),
  ),
  ...Object.entries(changingCalls).map(
    ([method, call]): FsCase => ({
      name: `abort: ${method} given up under way has changed all or nothing, and says which`,
      check: async (subject) => {
        await put(subject, "d/f", "x");
        const { outcome, reason } = await giveUp(subject, call);
        const changed = JSON.stringify(await tree(subject)) !== JSON.stringify({ "d/": "", "d/f": "x" });
        same(changed, outcome.kind === "fulfilled", "whether anything changed");
        if (outcome.kind === "rejected") same(isReason(outcome.error, reason), true, "the reason");
      },
    }),
  ),
  ...(["list", "walk"] as const).map(
    (method): FsCase => ({
      name: `abort: ${method} stops between two entries`,
      check: async (subject) => {
        for (const path of ["a", "b", "c", "d"]) await put(subject, path, "x");
        const controller = new AbortController();
        const reason = new Error("given up between");
        const met: string[] = [];
        const reading = (async () => {
          for await (const { name } of subject.fs[method](subject.root, { signal: controller.signal })) {
            met.push(name);
            controller.abort(reason);
          }
        })();
        await rejectsWith(reading, reason, method);
        same(met.length, 1, "the entries met");
      },
    }),
  ),
];

async function giveUp(
  subject: FsSubject,
  call: Call,
): Promise<{ outcome: Awaited<ReturnType<typeof settle>>; reason: Error }> {
  const controller = new AbortController();
  const reason = new Error("given up under way");
  const running = call(subject, { signal: controller.signal });
  controller.abort(reason);
  return { outcome: await settle(running), reason };
}
