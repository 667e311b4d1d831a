/** Holds the README to the truth: its code compiles and runs, its commands exist, its walk is the way the code goes. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { build } from "esbuild";
import { chromium as engine } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromium } from "../support/browsers.mjs";
import { toolPath } from "../support/command.mjs";
import { requireBuild } from "../support/dist.ts";
import { type Block, findBlocks, findItems, findSection } from "../support/markdown.ts";
import { type Module, reachableFrom, readModules } from "../support/modules.ts";
import { readManifest, root } from "../support/sources.ts";

const execute = promisify(execFile);
const MOST_LINES = 150;
const WALK = "A tool call, start to finish";
const LONG = 60_000;
/** Inside the package, so that its own name resolves as it does for users. */
const OUTPUT = `${root}test/.output/readme/`;

const readme = existsSync(`${root}README.md`) ? readFileSync(`${root}README.md`, "utf8") : "";
const blocks = findBlocks(readme);
/** The pages whose code is held to the truth, by the name their blocks get. */
const pages = { readme: "README.md", hosts: "adapters/README.md", tools: "src/tools/README.md" };
const code = Object.entries(pages).flatMap(([page, path]) =>
  findBlocks(existsSync(root + path) ? readFileSync(root + path, "utf8") : "")
    .filter(({ language }) => ["ts", "js"].includes(language))
    .map((block) => ({ ...block, page })),
);
const commands = blocks.filter(({ language }) => language === "sh");

describe("the readme", () => {
  test(`has at most ${MOST_LINES} lines, and some`, () => {
    const lines = readme.split("\n").length - 1;
    expect(lines, "README.md is what people read first; there has to be one").toBeGreaterThan(0);
    expect(lines, "who looks for a thing here must find it by scrolling once").toBeLessThanOrEqual(MOST_LINES);
  });

  test("has only blocks that a test can hold to the truth", () => {
    const known = ["ts", "js", "sh", "text", "json"];
    expect(
      blocks
        .filter(({ language }) => !known.includes(language))
        .map(({ line, language }) => `README.md:${line} ${language}`),
    ).toEqual([]);
    expect(code.length, "an example is worth more than any description").toBeGreaterThan(0);
  });

  test("names only commands that exist", () => {
    const lines = commands
      .flatMap(({ text }) => text.split("\n").map((line) => line.replace(/#.*/, "").trim()))
      .filter(Boolean);
    expect(
      lines.filter((line) => !isKnownCommand(line)),
      "people copy these lines",
    ).toEqual([]);
  });
});

describe("the code of the readme", () => {
  beforeAll(async () => {
    requireBuild();
    await mkdir(OUTPUT, { recursive: true });
    for (const block of code) await writeFile(sourceOf(block), `${block.text}\nexport {};\n`);
  });

  afterAll(() => rm(OUTPUT, { recursive: true, force: true }));

  test("compiles", { timeout: LONG }, async () => {
    const compilerOptions = { types: ["node"], isolatedDeclarations: false, declaration: false, allowJs: true };
    await writeFile(
      `${OUTPUT}tsconfig.json`,
      JSON.stringify({ extends: "../../../tsconfig.json", compilerOptions, include: ["."] }),
    );
    const { stdout } = await execute(process.execPath, [
      toolPath("typescript"),
      "-p",
      OUTPUT,
      "--pretty",
      "false",
    ]).catch((error: { stdout: string }) => error);
    expect(stdout, "a block is named for its page and its line").toBe("");
  });

  for (const block of code) {
    // What wants a person or a host that is not here is only compiled.
    if (block.words.includes("shown")) continue;
    // Most need no page; `ts browser` marks those that do.
    const inPage = block.words.includes("browser");
    test(`runs: ${block.page}, line ${block.line}, in ${inPage ? "a page" : "Node"}`, { timeout: LONG }, async () => {
      expect(await (inPage ? runInPage : runInNode)(block)).toEqual([]);
    });
  }
});

describe("the walk of the readme", () => {
  const graph = new Map(readModules("src").map((module) => [module.path, module]));
  const walk = findItems(findSection(readme, WALK) ?? "");

  test("leads through files that exist", () => {
    expect(
      walk.length,
      `the section "${WALK}" lists the files of one call, each item beginning with its path`,
    ).toBeGreaterThan(3);
    expect(walk.filter((path) => !graph.has(path))).toEqual([]);
  });

  test("never goes back", () => {
    const wrong = walk.flatMap((path, index) => {
      const reached = reachableFrom(path, graph, ["static", "lazy"]);
      return walk.slice(0, index).flatMap((earlier) => (reached.has(earlier) ? [`${path} loads ${earlier}`] : []));
    });
    expect(
      wrong,
      "each file is opened once and control goes only forward; a later step that needs an earlier one is in the wrong place",
    ).toEqual([]);
  });

  test("goes where the imports go", () => {
    const wrong = walk
      .slice(1)
      .filter((path, index) => !walk.slice(0, index + 1).some((earlier) => leadsTo(earlier, path, graph)));
    expect(wrong, "a step must be imported by one before it, or fill a port that one before it imports").toEqual([]);
  });
});

function isKnownCommand(line: string): boolean {
  const [, script] = /^npm run ([\w:-]+)( -- .*)?$/.exec(line) ?? [];
  if (script !== undefined) return script in readManifest().scripts;
  return /^npm (start|test)( -- .*)?$/.test(line) || /^npm (install|i) holdall( [\w@/.-]+)*$/.test(line);
}

interface PageBlock extends Block {
  page: string;
}

function sourceOf({ page, language, line }: PageBlock): string {
  return `${OUTPUT}${page}-${line}.${language}`;
}

async function bundle(block: PageBlock, platform: "node" | "browser"): Promise<string> {
  const outfile = `${OUTPUT}${block.page}-${block.line}.mjs`;
  const packages = platform === "node" ? { packages: "external" as const } : {};
  await build({
    entryPoints: [sourceOf(block)],
    outfile,
    bundle: true,
    platform,
    format: "esm",
    target: "es2022",
    tsconfigRaw: {},
    ...packages,
  });
  return outfile;
}

async function runInNode(block: PageBlock): Promise<string[]> {
  const file = await bundle(block, "node");
  const host = `${root}test/support/readme-host.mjs`;
  try {
    await execute(process.execPath, ["--import", host, file], { timeout: LONG / 2 });
    return [];
  } catch (error) {
    const { stderr, killed } = error as { stderr: string; killed: boolean };
    return [killed ? "it does not end" : stderr];
  }
}

async function runInPage(block: PageBlock): Promise<string[]> {
  const files = [`${root}test/support/readme-host.mjs`, await bundle(block, "browser")];
  const browser = await engine.launch(chromium.path ? { executablePath: chromium.path } : {});
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error.stack)));
    await page.route("https://page.test/**", (route) => {
      const file = files.find((each) =>
        route
          .request()
          .url()
          .endsWith(each.slice(each.lastIndexOf("/"))),
      );
      const scripts = files.map((each) => `<script type="module" src="${each.slice(each.lastIndexOf("/"))}"></script>`);
      const done = '<script type="module">document.title = "done"</script>';
      return file
        ? route.fulfill({ path: file, contentType: "text/javascript" })
        : route.fulfill({ body: `${scripts.join("")}${done}`, contentType: "text/html" });
    });
    await page.goto("https://page.test/");
    await page.waitForFunction(() => document.title === "done");
    return faults;
  } finally {
    await browser.close();
  }
}

/** Whether one file imports the other, however far and be it for its types, or meets it at a port in the other's room. */
function leadsTo(from: string, to: string, graph: ReadonlyMap<string, Module>): boolean {
  const reached = reachableFrom(from, graph, ["type", "static", "lazy"]);
  if (reached.has(to)) return true;
  const room = to.slice(0, to.lastIndexOf("/") + 1);
  return (graph.get(to)?.imports ?? []).some(({ target }) => target.startsWith(room) && reached.has(target));
}
