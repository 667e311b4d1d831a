import { nodeBackend, nodeFileSystem } from "holdall/node";
import { overlayBackend } from "holdall/overlay";
import { fileSystemContract } from "holdall/testing";
import { describe, expect, test } from "vitest";
import { temporaryFolders } from "./node-support.ts";
import { bytes, treeOf } from "./overlay-support.ts";

const can = { symlinks: true, watch: true };

describe("overlayBackend over a folder of the disk, its layer in another", () => {
  const folder = temporaryFolders();
  const create = async () => {
    const [root, kept] = [await folder(), await folder()];
    const upper = nodeFileSystem({ root: kept });
    return { fs: overlayBackend(nodeBackend({ root }), { upper, folder: kept }).fs, root };
  };
  for (const { name, run } of fileSystemContract({ create, can })) test(name, run);

  test("comes back, rewinds, and commits to the disk", async () => {
    const [root, kept] = [await folder(), await folder()];
    const disk = nodeBackend({ root });
    await disk.fs.write(`${root}/d/f`, bytes("below"));
    const open = () => overlayBackend(disk, { upper: nodeFileSystem({ root: kept }), folder: kept });
    const first = open();
    await first.fs.write(`${root}/d/f`, bytes("early"));
    await first.fs.rename(`${root}/d`, `${root}/e`);
    const mark = await first.checkpoint();
    await first.fs.remove(`${root}/e`, { recursive: true });
    await first.close?.();
    const again = open();
    expect(await treeOf(again.fs, root)).toEqual({});
    await again.rewind(mark);
    expect(await treeOf(disk.fs, root)).toEqual({ [`${root}/d/`]: "", [`${root}/d/f`]: "below" });
    await again.commit();
    const expected = { [`${root}/e/`]: "", [`${root}/e/f`]: "early" };
    expect([await treeOf(disk.fs, root), await treeOf(again.fs, root)]).toEqual([expected, expected]);
  });
});
