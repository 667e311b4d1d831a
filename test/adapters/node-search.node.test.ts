import { statSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type GrepQuery, type GrepResult, globFiles, grepFiles } from "holdall";
import { nodeFileSystem } from "holdall/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBoundary } from "../../adapters/node/files/boundary.ts";
import { openFilesFolder } from "../../adapters/node/files/open.ts";
import { hostPaths } from "../../adapters/node/paths/host-paths.ts";
import { requiredText } from "../../adapters/node/search/required-text.ts";
import { createRipgrep, findRipgrep } from "../../adapters/node/search/ripgrep.ts";
import { syncHost } from "../../adapters/node/search/sync-host.ts";
import { createRandom, forAll, type Random } from "../unit/property.ts";

const ripgrep = findRipgrep(process.env.PATH);
let root = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "holdall-search-"));
  await fillTree(createRandom(7));
});

afterAll(() => rm(root, { recursive: true, force: true }));

const words = [
  "foo",
  "bar",
  "needle",
  "Needle",
  "NEEDLE",
  "x1",
  "a.b",
  "(z)",
  "é",
  "漢",
  "🦊",
  "",
  " ",
  "\t",
  "fooooo",
  "ba",
  "[q]",
] as const;

function randomText(random: Random): string {
  const lines = Array.from({ length: random.below(12) }, () =>
    Array.from({ length: random.below(6) }, () => random.pick(words)).join(random.pick(["", " ", "-"])),
  );
  return lines.join(random.pick(["\n", "\n", "\r\n"])) + random.pick(["", "\n"]);
}

function randomBytes(random: Random): Uint8Array {
  const text = randomText(random);
  const form = random.below(10);
  if (form === 0) return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
  if (form === 1) return Buffer.from(`${text}\0binary needle`);
  if (form === 2) return Buffer.from(text, "latin1");
  if (form === 3) return Buffer.from(`\ufeff${text}`);
  // Binary only so late that it counts as text.
  if (form === 4) return Buffer.from(`${"long line ".repeat(900)}\n${text}\0 needle`);
  return Buffer.from(text);
}

async function fillTree(random: Random): Promise<void> {
  const folders = [
    "",
    "src",
    "src/deep",
    "docs",
    "node_modules/p",
    ".git/objects",
    ".hidden",
    "build",
    "with space",
    "node_modulesx",
  ];
  for (let index = 0; index < 200; index += 1) {
    const path = join(root, random.pick(["", ...folders]), `f${index}${random.pick([".ts", ".md", ".txt", ""])}`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, randomBytes(random));
  }
  await writeFile(join(root, ".gitignore"), "build/\n*.md\n!f1*.md\n");
  await symlink("src", join(root, "link"));
  await symlink("nowhere", join(root, "dangling"));
}

const atoms = [
  "foo",
  "needle",
  "ba",
  "\\.",
  "\\(",
  "\\w",
  "\\d",
  ".",
  "[a-z]",
  "[^x]",
  "(?:oo|ar)",
  "(?=n)",
  "\\b",
  "^",
  "$",
  "é",
  "a\\.b",
  "\\[q\\]",
  "z",
  "1",
  "{",
  "\\s",
] as const;

function randomPattern(random: Random): string {
  const parts = Array.from(
    { length: 1 + random.below(4) },
    () => random.pick(atoms) + random.pick(["", "", "", "?", "+", "{1,2}"]),
  );
  return parts.join("") + (random.once(8) ? `|${random.pick(atoms)}` : "");
}

function randomQuery(random: Random): Omit<GrepQuery, "path"> {
  return {
    pattern: random.pick([randomPattern(random), "needle", "foo", "a\\.b"]),
    mode: random.pick(["content", "files_with_matches", "count"]),
    ignoreCase: random.once(3),
    multiline: random.once(6),
    includeIgnored: random.once(2),
    ...(random.once(3) && { glob: random.pick(["*.ts", "src/**", "!*.md", "**/deep/*"]) }),
    ...(random.once(4) && { limit: random.below(5), offset: random.below(3) }),
    ...(random.once(4) && { before: 1, after: 2 }),
  };
}

/** Gives undefined for a pattern that is none. */
function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "m");
  } catch {
    return undefined;
  }
}

/** Gives the answer, or the code of the refusal. */
async function answer(run: () => Promise<GrepResult>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

describe("a search of nodeFileSystem", () => {
  test("finds what the portable search finds, with and without ripgrep, in any query", async () => {
    const fs = nodeFileSystem({ root, ripgrep: false });
    const ground = {
      paths: hostPaths("linux"),
      boundary: createBoundary([root]),
      openFiles: undefined,
      path: root,
      real: root,
    };
    await forAll(120, async (random) => {
      const query = { ...randomQuery(random), path: root };
      const portable = await answer(() => grepFiles(fs, query));
      expect(await answer(() => fs.grep(query)), JSON.stringify(query)).toEqual(portable);
      const text = requiredText(query.pattern);
      if (ripgrep === undefined || text === undefined) return;
      const helper = createRipgrep({ program: ripgrep, folder: root, text, ignoreCase: query.ignoreCase === true });
      await helper.ask();
      const host = syncHost(ground, { required: query.ignoreCase ? undefined : text, helper });
      expect(await answer(() => grepFiles(host, query)), JSON.stringify(query)).toEqual(portable);
    });
  }, 120_000);

  test("lists what the portable search lists", async () => {
    const fs = nodeFileSystem({ root });
    for (const pattern of ["**", "*.ts", "src/**/*.md", "link/*", "{src,docs}/*", ".hidden/**", "node_modules/**"]) {
      for (const includeIgnored of [true, false]) {
        const query = { pattern, path: root, includeIgnored };
        expect(await fs.glob(query), pattern).toEqual(await globFiles(fs, query));
      }
    }
  });

  test("lists a folder of very many entries in parts, and finds all of them", async () => {
    const many = join(root, "many");
    await mkdir(many);
    // Long names: it is the size of the folder itself that counts.
    const names = Array.from({ length: 800 }, (_, index) => `${"n".repeat(200)}${index}${index % 2 ? "\ufffd" : ""}`);
    for (const name of names) await writeFile(join(many, name), "");
    await writeFile(Buffer.concat([Buffer.from(join(many, "bad")), Buffer.from([0xff])]), "");
    for (const openFiles of [undefined, openFilesFolder]) {
      const host = syncHost({
        paths: hostPaths("linux"),
        boundary: createBoundary([root]),
        openFiles,
        path: root,
        real: root,
      });
      const listing = host.list(many);
      expect(Array.isArray(listing)).toBe(statSync(many).size <= 128 << 10);
      const found: string[] = [];
      for await (const { name, kind } of listing) if (kind === "file") found.push(name);
      expect(found.sort()).toEqual([...names].sort());
    }
    await rm(many, { recursive: true });
  });

  test.runIf(ripgrep !== undefined)(
    "does not read what ripgrep rules out, and takes nothing for ruled out before it is through",
    async () => {
      const helper = createRipgrep({
        program: ripgrep ?? "",
        folder: root,
        text: "no such text",
        ignoreCase: false,
        patience: 2,
      });
      const path = join(root, "plain.txt");
      await writeFile(path, "plain");
      expect([helper.rulesOut(path), helper.rulesOut(path)]).toEqual([false, false]);
      await helper.ask();
      expect([helper.rulesOut(path), helper.rulesOut(join(root, "node_modules/p/f"))]).toEqual([true, false]);
      helper.stop();
      await rm(path);
    },
  );

  test.runIf(ripgrep !== undefined)("is no worse off when ripgrep fails or is missing", async () => {
    for (const program of ["/no/such/rg", "/bin/false", "/bin/echo"]) {
      const helper = createRipgrep({ program, folder: join(root, "missing"), text: "x", ignoreCase: false });
      await helper.ask();
      expect(helper.rulesOut(join(root, "f")), program).toBe(false);
      helper.stop();
    }
  });
});

describe("requiredText", () => {
  test.each<[pattern: string, text: string | undefined]>([
    ["needle", "needle"],
    ["a\\.b\\(c", "a.b(c"],
    ["foo.*barbar", "barbar"],
    ["ab?cde", "cde"],
    ["ab{0}cde", "cde"],
    ["ab{2}c", "ab"],
    ["a(?:long group)b", "a"],
    ["interface{}", "interface{}"],
    ["x{1,}y", "x"],
    ["[)(]abc", "abc"],
    ["([)]|x)abc", "abc"],
    ["\\bword\\b", "word"],
    ["foo|bar", undefined],
    ["(foo|bar)", undefined],
    ["\\d+\\w", undefined],
    ["(?i)foo", undefined],
    ["[[:alpha:]]]foo", undefined],
    ["\\x41bc", undefined],
    ["caf\u00e9", undefined],
    ["(foo", undefined],
    ["foo)", undefined],
    ["*foo", undefined],
    ["[foo", undefined],
    ["foo\\", undefined],
    ["", undefined],
  ])("of %j is %j", (pattern, text) => {
    expect(requiredText(pattern)).toBe(text);
  });

  test("is in whatever a pattern matches", () =>
    forAll(4000, (random) => {
      const pattern = randomPattern(random);
      const required = requiredText(pattern);
      if (required === undefined) return;
      const text = randomText(random);
      const match = compiled(pattern)?.exec(text) ?? null;
      if (match !== null) expect(text.includes(required), `${pattern} ${JSON.stringify(text)}`).toBe(true);
    }));
});
