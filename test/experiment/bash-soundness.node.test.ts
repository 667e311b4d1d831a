import { PermissionEngine } from "holdall";
import { memoryBackend } from "holdall/memory";
import { bashTool } from "holdall/tools";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgeBash } from "../../src/bash/index.ts";
import facts from "../unit/bash/cases/agentscope.json";
import attacks from "../unit/bash/cases/attacks.json";
import everyday from "../unit/bash/cases/everyday.json";
import field from "../unit/bash/cases/field.json";
import { createRandom } from "../unit/property.ts";
import { createLineMaker, type LineMaker } from "./command-lines.ts";
import { type Laboratory, openLaboratory } from "./laboratory.ts";
import { findSandbox } from "./sandbox.ts";
import { HOME, TREE, WORK } from "./tree.ts";
import { learnVocabulary } from "./vocabulary.ts";

/** Another seed makes other lines, and another number more or fewer of them. */
const seed = Number(process.env.HOLDALL_SEED ?? 1);
const count = Number(process.env.HOLDALL_LINES ?? 2400);
const LIMIT = 600_000;

const known = [
  ...field.map(({ input }) => input),
  ...facts.flatMap((fact) => ("command" in fact ? [fact.command] : [])),
  ...Object.values(everyday).flat(),
  ...Object.values(attacks).flat(),
].filter(isRunnable);
const place = { cwd: WORK, home: HOME, workingDirectories: [WORK] };
const sandbox = await findSandbox();
const start = typeof sandbox === "string" ? undefined : sandbox;
const leftOut = typeof sandbox === "string" ? ` (left out, there is no sandbox: ${sandbox})` : "";

/** No program can be given such a character. */
function isRunnable(line: string): boolean {
  return !line.includes("\0");
}

describe.skipIf(start === undefined)(`in a real shell inside of a sandbox${leftOut}`, () => {
  let laboratory: Laboratory;
  let maker: LineMaker;

  beforeAll(async () => {
    if (start === undefined) return;
    laboratory = await openLaboratory(start);
    maker = createLineMaker(await learnVocabulary(laboratory.sandboxes));
  }, LIMIT);
  afterAll(() => laboratory?.close());

  test.each([
    [":", []],
    ["cat a.txt", []],
    ["git status && git diff && git log -p", []],
    ["ls & wait", []],
    ["touch x", ["changed: /work (size, mtimeNs, ctimeNs)", "created: /work/x"]],
    ["touch x && rm x", ["changed: /work (mtimeNs, ctimeNs)"]],
    ["echo x > ~/notes.txt", ["changed: /home/ada/notes.txt (mtimeNs, ctimeNs)"]],
    ["touch -d 2020-02-02T02:02:02Z a.txt", ["changed: /work/a.txt (ctimeNs)"]],
    ["chmod +x a.txt", ["changed: /work/a.txt (mode, ctimeNs)"]],
    ["ln -sf b.txt link-a", ["changed: /work (mtimeNs, ctimeNs)", "changed: /work/link-a (ino, mtimeNs, ctimeNs)"]],
    ["rm /outside/a.txt", ["changed: /outside (size, mtimeNs, ctimeNs)", "removed: /outside/a.txt"]],
    ["git tag new", ["created: /work/.git/refs/tags/new"]],
    ["touch /tmp/x", ["created: /tmp/x"]],
    ["(setsid sleep 60 > /dev/null 2>&1 &)", ["process still running: sleep 60"]],
    ["alias ls=rm", ["state of the shell: alias ls='rm'"]],
    ["umask 0", ["state of the shell: 0000"]],
    ["hash -p /work/mark ls", ["state of the shell: builtin hash -p /work/mark ls"]],
    ["export LD_PRELOAD=/work/x.so", ['state of the shell: declare -x LD_PRELOAD="/work/x.so"']],
  ])("it shows whether %j changes anything", async (command, expected) => {
    const { changes } = await laboratory.sandboxes[0].run({ command, timeout: 10_000 });
    // What happens to the folders above is told, too.
    expect(changes.filter((change) => expected.includes(change) || !/^changed: \S+ \(size|\.git/.test(change))).toEqual(
      expected,
    );
  });

  test("known lines that are judged to change nothing change nothing", { timeout: LIMIT }, async () => {
    const lines = known.filter((line) => judgeBash(line, place).readOnly);
    const waiting = [...lines];
    const { faults, ran } = await laboratory.run({ next: () => waiting.pop() });
    expect(faults).toEqual([]);
    expect(ran).toBeGreaterThan(lines.length / 2);
  });

  test(`random lines that are judged to change nothing change nothing (HOLDALL_SEED=${seed})`, {
    timeout: LIMIT,
  }, async () => {
    const random = createRandom(seed);
    const make = (): string => (random.once(3) ? maker.mutate(random, known) : maker.line(random));
    const next = distinct(count, make, (line) => judgeBash(line, place).readOnly);
    const programs = new Set<string | undefined>();
    const { faults, ran } = await laboratory.run({
      next,
      ran: (line) => judgeBash(line, place).analysis.units.forEach(({ name }) => void programs.add(name)),
    });
    expect(faults).toEqual([]);
    // Were these low, the experiment would show nothing.
    expect(ran).toBeGreaterThan(count * 0.9);
    expect(programs.size).toBeGreaterThan(60);
  });

  test(`lines that pass where edits are accepted change the workspace only (HOLDALL_SEED=${seed})`, {
    timeout: LIMIT,
  }, async () => {
    const random = createRandom(seed);
    const tool = bashTool({ backend: await mirror() });
    const engine = new PermissionEngine({ mode: "accept_edits" });
    const passes = async (line: string): Promise<boolean> => {
      const { behavior, reason } = await engine.check(tool, { command: line });
      return behavior === "allow" && reason === "edits inside a working directory";
    };
    const edits = known.filter((line) => /\b(mkdir|touch|rm|rmdir|mv|cp|sed)\b/.test(line));
    const make = (): string => (random.once(5) ? maker.mutate(random, edits) : maker.edits(random));
    const lines = Math.ceil(count / 2);
    const { faults, ran, changed } = await laboratory.run({ next: distinct(lines, make, passes), mayLeave });
    expect(faults).toEqual([]);
    expect(ran).toBeGreaterThan(lines * 0.9);
    expect(changed).toBeGreaterThan(lines / 5);
  });
});

/** What accepted edits may change: the workspace, but none of its protected files; git looks again at what was touched. */
function mayLeave(change: string): boolean {
  const [, path = ""] = /^(?:created|changed|removed): (.*?)(?: \([^()]*\))?$/s.exec(change) ?? [];
  if (path === `${WORK}/.git/index`) return true;
  if (path !== WORK && !path.startsWith(`${WORK}/`)) return false;
  return !/\/(\.git|\.vscode|\.env|\.npmrc|\.bashrc)(\/|$)/.test(path);
}

/** Gives so many different lines that pass. */
function distinct(
  count: number,
  make: () => string,
  passes: (line: string) => boolean | Promise<boolean>,
): () => Promise<string | undefined> {
  const seen = new Set<string>();
  let left = count;
  return async () => {
    for (let tries = 0; left > 0 && tries < 10_000; tries += 1) {
      const line = make();
      if (seen.has(line) || !isRunnable(line)) continue;
      seen.add(line);
      if (!(await passes(line))) continue;
      left -= 1;
      return line;
    }
    return undefined;
  };
}

/** Makes a backend with the files of the sandbox, for the engine to follow symlinks in. */
async function mirror(): Promise<ReturnType<typeof memoryBackend>> {
  const backend = memoryBackend({ cwd: WORK, home: HOME });
  for (const { path, text, link } of TREE) {
    if (link !== undefined) await backend.fs.symlink?.(link, path);
    else if (text === undefined) await backend.fs.makeDirectory(path);
    else await backend.fs.write(path, new TextEncoder().encode(text));
  }
  await backend.fs.makeDirectory(`${WORK}/.git/hooks`);
  return backend;
}
