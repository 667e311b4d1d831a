import type { Backend, FileSystem } from "holdall";
import { memoryBackend, memoryFileSystem } from "holdall/memory";
import { type OverlayBackend, overlayBackend } from "holdall/overlay";
import { describe, expect, test } from "vitest";
import { createRandom, forAll, type Random } from "../unit/property.ts";
import { outcome, randomChanges, randomOperation, randomPath, treeOf } from "./overlay-support.ts";

const CASES = 30;
const STEPS = 25;

/** Two memories with the same random files, one of them below an overlay. */
async function open(
  random: Random,
): Promise<{ base: Backend; upper: FileSystem; overlay: OverlayBackend; model: FileSystem }> {
  const seed = random.below(2 ** 31);
  const base = memoryBackend({ cwd: "/" });
  const model = memoryFileSystem();
  for (const fs of [base.fs, model]) await randomChanges(fs, createRandom(seed), 20);
  const upper = memoryFileSystem();
  return { base, upper, overlay: overlayBackend(base, { upper }), model };
}

async function changeBoth({ overlay, model }: Awaited<ReturnType<typeof open>>, random: Random): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    const seed = random.below(2 ** 31);
    const both = [overlay.fs, model].map((fs) => outcome(randomOperation(createRandom(seed), step), fs));
    const [is, shouldBe] = await Promise.all(both);
    expect(is).toBe(shouldBe);
    expect(await treeOf(overlay.fs)).toEqual(await treeOf(model));
  }
}

describe("an overlay under random changes", () => {
  test("shows at every step what a plain copy of the base would hold", () =>
    forAll(CASES, async (random) => {
      const all = await open(random);
      const before = await treeOf(all.base.fs);
      await changeBoth(all, random);
      expect(await treeOf(all.base.fs)).toEqual(before);
    }));

  test("shows the same when it is opened again", () =>
    forAll(CASES / 2, async (random) => {
      const all = await open(random);
      for (let round = 0; round < 3; round += 1) {
        await changeBoth(all, random);
        all.overlay = overlayBackend(all.base, { upper: all.upper });
        expect(await treeOf(all.overlay.fs)).toEqual(await treeOf(all.model));
      }
    }));

  test("gives the base its tree when it is committed, and has no changes left", () =>
    forAll(CASES, async (random) => {
      const all = await open(random);
      for (let round = 0; round < 2; round += 1) {
        await changeBoth(all, random);
        await all.overlay.commit();
        expect(await treeOf(all.base.fs)).toEqual(await treeOf(all.model));
        expect(await all.overlay.changes()).toEqual([]);
        expect(await treeOf(all.overlay.fs)).toEqual(await treeOf(all.model));
      }
    }));

  test("lists no change exactly when both trees are the same", () =>
    forAll(CASES, async (random) => {
      const all = await open(random);
      await changeBoth(all, random);
      const [above, below] = [await treeOf(all.overlay.fs), await treeOf(all.base.fs)];
      const paths = (await all.overlay.changes()).flatMap(({ path, from = path }) => [path, from]);
      const different = [...new Set([...Object.keys(above), ...Object.keys(below)])]
        .filter((path) => above[path] !== below[path])
        .map((path) => path.replace(/[/@]$/, ""));
      expect([...new Set(paths)].sort()).toEqual([...new Set(different)].sort());
    }));

  test("gives the base's tree back when it is discarded, at once or path by path", () =>
    forAll(CASES, async (random) => {
      const all = await open(random);
      await changeBoth(all, random);
      const changes = random.once(2) ? [] : await all.overlay.changes();
      for (const { path, from = path } of changes) {
        // What was below something that is a file now comes back with it only.
        const one = () => all.overlay.discard({ paths: [path, from] });
        expect(await outcome(one, all.overlay.fs)).toMatch(/^(done|FS_NOT_DIRECTORY)$/);
      }
      if (changes.length === 0 || (await all.overlay.changes()).length > 0) await all.overlay.discard();
      expect(await treeOf(all.overlay.fs)).toEqual(await treeOf(all.base.fs));
      expect(await all.overlay.changes()).toEqual([]);
    }));

  test("commits some paths and keeps the others", () =>
    forAll(CASES, async (random) => {
      const all = await open(random);
      await changeBoth(all, random);
      for (let round = 0; round < 4; round += 1) {
        await all.overlay.commit({ paths: [randomPath(random)] }).catch((error: unknown) => {
          // A part of a change of kinds cannot stand alone.
          expect(error).toMatchObject({
            code: expect.stringMatching(/^FS_(NOT_DIRECTORY|EXISTS|IS_DIRECTORY|CONFLICT)$/),
          });
        });
        expect(await treeOf(all.overlay.fs)).toEqual(await treeOf(all.model));
      }
      await all.overlay.commit();
      expect(await treeOf(all.base.fs)).toEqual(await treeOf(all.model));
    }));

  test("comes back to every checkpoint, also after it was opened again", () =>
    forAll(CASES / 2, async (random) => {
      const all = await open(random);
      const marks: { id: string; tree: object }[] = [];
      for (let round = 0; round < 4; round += 1) {
        await randomChanges(all.overlay.fs, random, 10);
        marks.push({ id: await all.overlay.checkpoint(), tree: await treeOf(all.overlay.fs) });
      }
      await randomChanges(all.overlay.fs, random, 10);
      for (const { id, tree } of marks.reverse()) {
        if (random.once(2)) all.overlay = overlayBackend(all.base, { upper: all.upper });
        await all.overlay.rewind(id);
        expect(await treeOf(all.overlay.fs)).toEqual(tree);
        await randomChanges(all.overlay.fs, random, 3);
      }
    }));
});
