/** Looks at the package as it would be published, and uses it as somebody who installs it would. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toolPath } from "../support/command.mjs";
import { requireBuild } from "../support/dist.ts";
import { root } from "../support/sources.ts";

const execute = promisify(execFile);
const LONG = 120_000;

let folder = "";
let tarball = "";
let files: string[] = [];

beforeAll(async () => {
  requireBuild();
  folder = await mkdtemp(join(tmpdir(), "holdall-packed-"));
  const { stdout } = await npm(root, "pack", "--json", "--ignore-scripts", "--pack-destination", folder);
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  tarball = join(folder, packed?.filename ?? "");
  files = packed?.files.map(({ path }) => path) ?? [];
}, LONG);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the tarball", () => {
  test("holds the build, the readme, the licence, and nothing else", () => {
    expect(
      files.filter(
        (path) => !/^(dist\/(src|adapters|test\/contract)\/|package\.json$|README\.md$|LICENSE$)/.test(path),
      ),
    ).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["package.json", "README.md", "LICENSE", "dist/src/index.js"]));
  });

  test("pleases publint", { timeout: LONG }, async () => {
    expect(
      await tool("publint", "run", tarball, "--strict"),
      "bundlers and runtimes read package.json differently; publint knows how",
    ).toBe("");
  });

  test("has types that every compiler finds", { timeout: LONG }, async () => {
    expect(
      await tool("@arethetypeswrong/cli", tarball, "--profile", "esm-only", "--format", "ascii", "--no-color"),
    ).toBe("");
  });
});

describe("a web application that installs the tarball", () => {
  const consumer = () => join(folder, "consumer");

  beforeAll(async () => {
    await mkdir(consumer());
    await writeFile(
      join(consumer(), "package.json"),
      JSON.stringify({ name: "consumer", private: true, type: "module" }),
    );
    await npm(
      consumer(),
      "install",
      "--prefer-offline",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      tarball,
      "valibot",
    );
    await writeFile(join(consumer(), "app.js"), APPLICATION);
  }, LONG);

  test("has the command `holdall`", { timeout: LONG }, async () => {
    const command = join(consumer(), "node_modules", ".bin", "holdall");
    const { stdout } = await execute(command, ["serve", "--help"]);
    expect(stdout).toContain("holdall serve --root DIR --token-file FILE");
    await expect(execute(command, ["serve", "--root", "."])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--token-file is missing"),
    });
  });

  test("bundles a tool for the browser, and the bundle works", { timeout: LONG }, async () => {
    const warnings: string[] = [];
    await build({
      root: consumer(),
      configFile: false,
      logLevel: "silent",
      build: {
        lib: { entry: "app.js", formats: ["es"], fileName: "app" },
        rolldownOptions: { onLog: (level, { message }) => void (level === "warn" && warnings.push(message)) },
      },
    });
    expect(warnings, "what a bundler warns of fails in somebody's page").toEqual([]);
    const output = join(consumer(), "dist");
    const [name = ""] = (await readdir(output)).filter((file) => file.startsWith("app"));
    expect(await readFile(join(output, name), "utf8")).not.toMatch(/["']node:|__vite-browser-external/);
    const application: { answer: Promise<unknown> } = await import(
      /* @vite-ignore */ pathToFileURL(join(output, name)).href
    );
    expect(await application.answer).toEqual({ state: "success", output: [{ type: "text", text: "4" }] });
  });

  test("compiles against the types without those of Node", { timeout: LONG }, async () => {
    await writeFile(
      join(consumer(), "app.ts"),
      `${APPLICATION}\nconst promise: Promise<{ state: string }> = answer;\nvoid promise;\n`,
    );
    const parameters = [
      "--strict",
      "--noEmit",
      "--target",
      "es2022",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
      "--types",
      "",
    ];
    const { stdout } = await execute(process.execPath, [toolPath("typescript"), ...parameters, "app.ts"], {
      cwd: consumer(),
    }).catch((error: { stdout: string }) => error);
    expect(stdout, "skipLibCheck is off here: an error in the package's own types shows at whoever installs it").toBe(
      "",
    );
  });
});

const APPLICATION = `
import { defineTool, Toolkit } from "holdall";
import * as v from "valibot";

const double = defineTool({
  name: "double",
  description: "Doubles a number.",
  input: v.object({ value: v.number() }),
  execute: ({ value }) => String(value * 2),
});
const toolkit = new Toolkit({ tools: [double] });
export const answer = toolkit
  .run({ id: "1", name: "double", input: '{"value":2}' })
  .then(({ state, output }) => ({ state, output }));
`;

function npm(cwd: string, ...parameters: string[]): Promise<{ stdout: string }> {
  return execute("npm", parameters, { cwd, shell: process.platform === "win32" });
}

/** Runs a package's command; what it printed when it failed, or nothing. */
async function tool(packageName: string, ...parameters: string[]): Promise<string> {
  try {
    await execute(process.execPath, [toolPath(packageName), ...parameters], { cwd: root });
    return "";
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}\n${stderr}`;
  }
}
