import { PermissionEngine } from "holdall";
import { memoryBackend } from "holdall/memory";
import { bashTool } from "holdall/tools";
import { describe, expect, test } from "vitest";

const cwd = "/work/app";
const links: Readonly<Record<string, string>> = {
  "/work/app/out": "/outside",
  "/work/app/out.txt": "/outside/victim.txt",
  "/work/app/in": "src",
  "/work/app/git": ".git",
  "/work/app/settings": ".env",
  "/work/app/docs/out": "/outside",
  "/work/app/docs/a.txt": "/outside/a.txt",
  "/work/app/src/up": "../..",
};

const prepared = prepare();

async function prepare(): Promise<(command: string) => Promise<string>> {
  const names = ["a.txt", "b.txt", "src/x.ts", "src/deep/y.ts", "docs/guide.md", "plain/z.txt", ".git/config", ".env"];
  const files = Object.fromEntries(names.map((name) => [name, "x"]));
  const backend = memoryBackend({
    cwd,
    home: "/home/ada",
    files: { ...files, "/outside/victim.txt": "x", "/outside/sub/x": "x" },
  });
  for (const [path, target] of Object.entries(links)) await backend.fs.symlink?.(target, path);
  const tool = bashTool({ backend });
  const engine = new PermissionEngine({ mode: "accept_edits" });
  return async (command) => (await engine.check(tool, { command })).behavior;
}

describe("where edits are accepted", () => {
  test.each([
    "touch a.txt new.txt",
    "touch in/new.ts",
    "rm b*",
    "sed -i s/a/b/ src/*.ts",
    "cp a.txt plain",
    "cp a.txt b.txt src/deep plain -r",
    "cp -r src copy",
    "cp -r plain/. copy",
    "mv a.txt docs",
    "mv plain other && touch src/new",
    "mkdir -p lib && cp src/x.ts lib/ && sed -i s/a/b/ lib/x.ts",
    "mv src/x.ts src/z.ts && sed -i s/a/b/ src/z.ts",
    "cp src/x.ts src/deep/../w.ts",
    "cd src/deep && touch ../w.ts",
    "cp a.txt .",
    "rm -r src/deep",
  ])("%j stays in the workspace", async (command) => {
    expect(await (await prepared)(command)).toBe("allow");
  });

  test.each([
    // Patterns stand for symlinks, too, on the way and at the end.
    "touch ou*",
    "touch ou*/x",
    "touch o?t/sub/x",
    "touch src/u*/outside/x",
    "sed -i s/a/b/ d*/a.txt",
    'for f in ./*; do touch "$f"; done',
    "touch **/x",
    "touch [[:alpha:]]ut/x",
    // What is left by `..` is not where it looks.
    "touch out/../a.txt",
    "touch in/../a.txt",
    "touch docs/out/sub/../../x",
    "cd in && touch ../a.txt",
    "cd src/up && touch ../x",
    // A symlink leads to what is protected, or away.
    "touch git/config",
    "touch settings",
    "touch out.txt",
    "rm -r src/up/app",
    "mv src/up/app other",
    // What arrives brings symlinks, or meets some.
    "mv docs other && touch other/out/x",
    "cp -r docs other && touch other/out/x",
    "cp -a docs other; cp b.txt other",
    "mv docs other && cd other && touch guide.md",
    "mv d* other && touch other/out/x",
    "mv docs other; touch o*r/out/x",
    "touch other/out/x; mv docs other",
    "f() { touch other/out/x; }; mv docs other; f",
    "mv in plain/in && touch plain/in/x",
    "rm -r src; mv docs src; touch in/out/x",
    "cp a.txt docs",
    "cp a.txt b.txt docs/",
    "cp -t docs a.txt",
    "cp *.txt docs",
    "cp -r copy/docs .",
    "cp -r src/. docs",
    "cp -rT src docs",
    "cp --parents docs/a.txt plain",
    "cp hooks/.bashrc plain",
    "cp h*/.bashrc plain && ls",
    "mv --exchange plain docs",
    // A second name for a file, and a second place for the old one.
    "cp -l .git/config b.txt",
    "cp -al src other",
    "cp -s /work/app/a.txt other",
    "cp --sym /work/app/a.txt other",
    "sed -i'../../outside/*' s/a/b/ a.txt",
    "sed --in-place=/outside/* s/a/b/ a.txt",
    'sed -i"$X" s/a/b/ a.txt',
  ])("%j may not, and asks", async (command) => {
    expect(await (await prepared)(command)).toBe("ask");
  });

  test("a line that stands for too many paths asks", async () => {
    const many = Array.from({ length: 300 }, (_, index) => `f${index}`).join(" ");
    expect(await (await prepared)(`touch ${many}`)).toBe("ask");
  });
});

/** A workspace in which some folders hold what is protected, deeper inside. */
async function prepareTrees(
  options: { dangerousFiles?: string[] } = {},
): Promise<(command: string) => Promise<string>> {
  const names = [
    "sub/.git/hooks/pre-commit",
    "deep/a/b/.env",
    "evil/.git/config",
    "hooks/pre-commit",
    "plain/a/b/c.txt",
  ];
  const more = ["new/app.json", "app.json", "config/x", "dist/x.js", "nested/.github/workflows/ci.yml", "pages/x.md"];
  const many = Array.from({ length: 8300 }, (_, index) => `large/${index % 100}/${index}`);
  const files = Object.fromEntries([...names, ...more, ...many].map((name) => [name, "x"]));
  const backend = memoryBackend({ cwd, home: "/home/ada", files });
  await backend.fs.makeDirectory(`${cwd}/sub/empty`);
  await backend.fs.symlink?.("../sub", `${cwd}/pages/link`);
  const engine = new PermissionEngine({ mode: "accept_edits" });
  const tool = bashTool({ backend, ...options });
  return async (command) => (await engine.check(tool, { command })).behavior;
}

describe("folders that go, move or are copied whole", () => {
  const trees = prepareTrees({ dangerousFiles: ["config/app.json"] });

  test.each([
    "rm -r dist",
    "rm -r plain/a",
    "rm -r plain dist",
    "rm -r plain/*",
    "rmdir sub/empty",
    "mv plain other",
    "mv plain dist",
    "mv dist/x.js plain",
    "cp -r plain other",
    "cp -r plain dist",
    "cp -R nested/.github other",
    "cp -r pages other",
    "rm -r pages",
    "mv app.json other.json",
    "cp sub/x.ts y.ts",
  ])("%j passes with nothing protected inside", async (command) => {
    expect(await (await trees)(command)).toBe("allow");
  });

  test.each([
    "rm -r sub",
    "rm -r ./sub/",
    "rm -r s*",
    "rm -r deep/a",
    "rm -r dist sub",
    "for d in dist deep; do rm -r $d; done",
    "cd deep && rm -r a",
    "mv sub other",
    "mv deep/a dist",
    "mv s* other",
    "cp -r sub other",
    "cp -r evil .",
    "cp -r evil/. .",
    "cp -r evil/. plain",
    "cp -rT evil plain",
    "cp -a deep plain",
    "mv evil plain",
    "mv hooks .git",
    "mv hooks .git/",
    "mv hooks sub/.git",
    "cp -r hooks .git",
    "mv -t .git hooks",
    "rm -rf .",
    "rm -rf *",
    "rm -r ./*",
    "rm -r .??*",
    "mv * plain",
    // The name is protected where it arrives.
    "mv app.json config",
    "cp app.json config",
    "mv new/app.json config/",
    "cp -r new/. config",
    "cp -rT new config",
    "mv -T new config",
    // What its symlinks lead to comes along.
    "cp -rL pages other",
    "cp -r --dereference pages other",
    // Too many names to look at.
    "rm -r large",
    "mv large other",
  ])("%j asks", async (command) => {
    expect(await (await trees)(command)).toBe("ask");
  });
});

describe("reading", () => {
  test.each([
    "cat a.txt",
    "cat *.md",
    "ls plain/*",
    "cat in/x.ts",
    "ls plain/**/*.ts",
    "cat src/deep/../x.ts",
    "wc -l plain/*",
  ])("%j stays in the workspace", async (command) => {
    expect(await (await prepared)(command)).toBe("allow");
  });

  test.each([
    "cat out/victim.txt",
    "cat ou*/victim.txt",
    "cat o*.txt",
    "cat in/../a.txt",
    "cat docs/*",
    "cat out/../x",
  ])("%j may not, and asks", async (command) => {
    expect(await (await prepared)(command)).toBe("ask");
  });
});
