import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeBackend, nodeShell } from "holdall/node";
import { shellContract } from "holdall/testing";
import { describe, test } from "vitest";

describe.each(["bash", "sh"])("nodeShell with %s", (name) => {
  const folders: string[] = [];
  const create = async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), "holdall-node-")));
    folders.push(root);
    const { fs, cwd, shell } = nodeBackend({ root, shell: nodeShell({ shell: `/bin/${name}` }) });
    if (shell === undefined) throw new Error("There is no shell.");
    return { fs, cwd, shell };
  };
  const destroy = async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  };
  const skip =
    name === "sh"
      ? [{ name: "session: keeps variables, exported or not", reason: "it uses $'…', which a plain sh does not know" }]
      : [];
  const cases = shellContract({ create, destroy, skip, can: { abortBusyLoop: true, signals: true } });
  for (const { name: title, run } of cases) test(title, run);
});
