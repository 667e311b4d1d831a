/** Working directories and symlinks: real paths on both sides, for file tools and for Bash. */

import { PermissionEngine, type PermissionMode } from "holdall";
import { memoryBackend } from "holdall/memory";
import { bashTool, writeTool } from "holdall/tools";
import { describe, expect, test } from "vitest";

/**
 * `/link` is a symlink to the workspace `/real`, in which `out` leads outside, `in` to a folder inside and `secret` to
 * a file with secrets. `/extra-link` leads to `/extra`.
 */
async function place(cwd: string) {
  const backend = memoryBackend({
    files: { "/real/a.txt": "", "/real/sub/b.txt": "", "/real/.env": "", "/outside/c.txt": "", "/extra/d.txt": "" },
  });
  const links = {
    "/link": "/real",
    "/real/out": "/outside",
    "/real/in": "sub",
    "/real/secret": ".env",
    "/real/up": "..",
    "/extra-link": "/extra",
    "/extra/back": "/real/a.txt",
  };
  for (const [path, target] of Object.entries(links)) await backend.fs.symlink?.(target, path);
  return { ...backend, cwd };
}

const cwds = ["/real", "/link"];
const folders: string[][] = [[], ["/extra"], ["/extra-link"]];

/** What may happen: `extra` only where that folder is added; `by-name` only where the link is how somebody named it. */
type Outcome = "allow" | "ask" | "extra" | "by-name" | "extra-by-name";

const writes: [path: string, outcome: Outcome][] = [
  ["a.txt", "allow"],
  ["new/deep.txt", "allow"],
  ["/real/a.txt", "allow"],
  ["/link/a.txt", "allow"],
  ["/link/new.txt", "allow"],
  ["in/b.txt", "allow"],
  ["/real/in/b.txt", "allow"],
  ["/link/sub/../a.txt", "allow"],
  ["out/c.txt", "ask"],
  ["out/new.txt", "ask"],
  ["/link/out/c.txt", "ask"],
  ["/real/out/c.txt", "ask"],
  ["up/outside/c.txt", "ask"],
  ["/outside/c.txt", "ask"],
  ["/linked/a.txt", "ask"],
  ["/realistic/a.txt", "ask"],
  ["secret", "ask"],
  ["/link/secret", "ask"],
  ["/extra/d.txt", "extra"],
  ["/extra-link/d.txt", "extra"],
  ["/extra-link/new.txt", "extra"],
  ["/extra/back", "allow"],
];

const reads: [command: string, outcome: Outcome][] = [
  ["cat a.txt", "allow"],
  ["cat /real/a.txt", "allow"],
  ["cat /link/a.txt", "by-name"],
  ["cat in/b.txt", "allow"],
  ["ls in", "allow"],
  ["cat out/c.txt", "ask"],
  ["cat /link/out/c.txt", "ask"],
  ["ls /real/out", "ask"],
  ["cat /outside/c.txt", "ask"],
  ["cat up/outside/c.txt", "ask"],
  ["cat secret", "ask"],
  ["cat /extra/d.txt", "extra"],
  ["cat /extra-link/d.txt", "extra-by-name"],
];

/** A command line is read as text first, so a link from elsewhere counts only as what somebody named. */
const edits: [command: string, outcome: Outcome][] = [
  ["touch a.txt", "allow"],
  ["touch /real/a.txt", "allow"],
  ["touch /link/new.txt", "by-name"],
  ["mkdir -p in/x", "allow"],
  ["touch out/c.txt", "ask"],
  ["cp a.txt out/x", "ask"],
  ["touch /outside/c.txt", "ask"],
  ["touch up/outside/c.txt", "ask"],
  ["touch secret", "ask"],
  ["touch /extra/new.txt", "extra"],
  ["touch /extra-link/new.txt", "extra-by-name"],
];

function expected(outcome: Outcome, cwd: string, folders: readonly string[]): string {
  if (outcome === "extra") return folders.length > 0 ? "allow" : "ask";
  if (outcome === "by-name") return cwd === "/link" ? "allow" : "ask";
  if (outcome === "extra-by-name") return folders.includes("/extra-link") ? "allow" : "ask";
  return outcome;
}

const places = cwds.flatMap((cwd) => folders.map((workingDirectories) => ({ cwd, workingDirectories })));

describe.each(places)("in $cwd with $workingDirectories", ({ cwd, workingDirectories }) => {
  const engine = (mode: PermissionMode): PermissionEngine => new PermissionEngine({ mode, workingDirectories });

  test.each(writes)("writing %s in accept_edits: %s", async (file_path, outcome) => {
    const backend = await place(cwd);
    const { behavior } = await engine("accept_edits").check(writeTool({ backend }), { file_path, content: "" });
    expect(behavior).toBe(expected(outcome, cwd, workingDirectories));
  });

  test.each(reads)("%s in default: %s", async (command, outcome) => {
    const backend = await place(cwd);
    const { behavior } = await engine("default").check(bashTool({ backend }), { command });
    expect(behavior).toBe(expected(outcome, cwd, workingDirectories));
  });

  test.each(edits)("%s in accept_edits: %s", async (command, outcome) => {
    const backend = await place(cwd);
    const { behavior } = await engine("accept_edits").check(bashTool({ backend }), { command });
    expect(behavior).toBe(expected(outcome, cwd, workingDirectories));
  });
});
