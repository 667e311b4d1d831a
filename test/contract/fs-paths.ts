/** Contract cases about paths: which names survive and which are refused. */

import { bytesOf, collect, fails, holds, same } from "./expect.ts";
import { type FsCase, type FsSubject, get, namesIn, put } from "./fs-subject.ts";

/** Cases about paths. */
export const pathCases: readonly FsCase[] = [
  ...[
    ["spaces", [" a", "b c", "d "]],
    ["quotes and backslashes", [`it's`, `say "hi"`, "back\\slash", "`tick`", "$HOME"]],
    ["line ends and tabs", ["line\nbreak", "tab\there", "carriage\rreturn"]],
    ["patterns and options", ["*", "[a]", "{b,c}", "what?", "-rf", "~", "#1", "50%25"]],
    ["dots", [".hidden", "...", "..a", "a.", ".a.b"]],
    ["words of the language", ["__proto__", "constructor", "toString", "hasOwnProperty", "undefined", "0"]],
    ["other scripts", ["Ω", "文件", "файл", "🦊", "👩‍👩‍👧", "ไทย"]],
    ["both cases side by side in different folders", ["upper/README", "lower/readme"]],
  ].map(
    ([what, names]): FsCase => ({
      name: `paths: names with ${what} are kept`,
      check: (subject) => keepsNames(subject, [names ?? []].flat()),
    }),
  ),
  {
    name: "paths: composed and decomposed letters are one name or two, and no file is lost",
    check: async (subject) => {
      const [composed, decomposed] = ["caf\u00e9", "cafe\u0301"];
      await put(subject, composed, "1");
      await put(subject, decomposed, "2");
      const count = (await namesIn(subject, "")).length;
      same(
        [await get(subject, composed), await get(subject, decomposed)],
        count === 2 ? ["1", "2"] : ["2", "2"],
        "the contents of both names",
      );
    },
  },
  {
    name: "paths: a name of 200 letters and a path 60 folders deep are kept",
    check: async (subject) => {
      const paths = ["n".repeat(200), `${"d/".repeat(60)}f`];
      for (const path of paths) await put(subject, path, path);
      for (const path of paths) same(await get(subject, path), path, "the content");
    },
  },
  {
    name: "paths: dots, repeated slashes and a slash at the end are resolved",
    check: async (subject) => {
      const { fs, at } = subject;
      await put(subject, "a/./b/../c//f", "x");
      same(await get(subject, "a/c/f"), "x", "the file under its plain path");
      same((await fs.stat(at("a/c/")))?.kind, "directory", "a directory with a slash at its end");
      same(await namesIn(subject, "a/../a/c"), ["f"], "the listing of an unresolved path");
      same(await fs.realpath(at("a/../a//c")), await fs.realpath(at("a/c")), "the real path of an unresolved path");
    },
  },
  ...["", "relative/path", "./x", "nul\0byte", "half\ud800pair"].map(
    (bad): FsCase => ({
      name: `paths: ${JSON.stringify(bad)} is refused by every method`,
      check: async (subject) => {
        await put(subject, "there", "x");
        const path = bad === "" || !/[\0\ud800]/.test(bad) ? bad : subject.at(bad);
        for (const [method, call] of callsWith(subject, path)) await fails(call(), "FS_INVALID_PATH", method);
        same(await get(subject, "there"), "x", "the file beside");
        same(await namesIn(subject, ""), ["there"], "what is there afterwards");
      },
    }),
  ),
  {
    name: "paths: the root is a directory that can be neither written, removed nor moved",
    check: async (subject) => {
      const { fs, root, at } = subject;
      await put(subject, "f", "x");
      const stat = await fs.stat(root);
      same([stat?.kind, stat?.size], ["directory", 0], "what the root is");
      await fs.makeDirectory(root);
      await fails(fs.write(root, bytesOf("x")), "FS_IS_DIRECTORY", "writing the root");
      await fails(fs.read(root), "FS_IS_DIRECTORY", "reading the root");
      await fails(fs.rename(at("f"), root), "FS_EXISTS", "moving a file to the root");
      await fails(fs.rename(root, at("inside")), "FS_INVALID_PATH", "moving the root into itself");
      if (root === "/") await fails(fs.remove("/", { recursive: true }), "FS_INVALID_PATH", "removing the root");
      same(await get(subject, "f"), "x", "the file in it");
    },
  },
  {
    name: "paths: two dots do not lead above the root",
    check: async ({ fs, root, at }) => {
      if (root !== "/") return;
      await fs.write("/../../f", bytesOf("x"));
      same((await fs.stat(at("f")))?.kind, "file", "the file");
      same(await fs.realpath("/.."), "/", "the real path");
    },
  },
];

async function keepsNames(subject: FsSubject, names: readonly string[]): Promise<void> {
  const { fs, at } = subject;
  for (const name of names) await put(subject, `names/${name}`, `content of ${name}`);
  for (const name of names) {
    same(await get(subject, `names/${name}`), `content of ${name}`, `the content of ${JSON.stringify(name)}`);
    holds((await fs.stat(at(`names/${name}`)))?.kind === "file", `${JSON.stringify(name)} is a file`);
  }
  const found = (await collect(fs.walk(at("names")))).filter(({ kind }) => kind === "file").map(({ path }) => path);
  same(found.sort(), names.map((name) => at(`names/${name}`)).sort(), "what a walk meets");
  for (const name of names) await fs.remove(at(`names/${name}`));
  same(
    (await collect(fs.walk(at("names")))).filter(({ kind }) => kind === "file"),
    [],
    "what is left after all were removed",
  );
}

/** Every method that takes a path, called with a path that is to be refused. */
function callsWith({ fs, at }: FsSubject, path: string): [method: string, call: () => Promise<unknown>][] {
  const { symlink, readLink, watch } = fs;
  return [
    ["stat", () => fs.stat(path)],
    ["read", () => fs.read(path)],
    ["write", () => fs.write(path, bytesOf("x"))],
    ["list", () => collect(fs.list(path))],
    ["makeDirectory", () => fs.makeDirectory(path)],
    ["remove", () => fs.remove(path, { recursive: true })],
    ["rename from", () => fs.rename(path, at("moved"))],
    ["rename to", () => fs.rename(at("there"), path)],
    ["walk", () => collect(fs.walk(path))],
    ["readStream", () => fs.readStream(path).getReader().read()],
    ["writeStream", () => fs.writeStream(path, new Blob(["x"]).stream())],
    ["realpath", () => fs.realpath(path)],
    ["glob", () => fs.glob({ pattern: "**", path })],
    ["grep", () => fs.grep({ pattern: "x", path })],
    ...(symlink ? [["symlink", () => symlink(at("there"), path)] satisfies [string, () => Promise<unknown>]] : []),
    ...(readLink ? [["readLink", () => readLink(path)] satisfies [string, () => Promise<unknown>]] : []),
    ...(watch
      ? [["watch", () => watch(path)[Symbol.asyncIterator]().next()] satisfies [string, () => Promise<unknown>]]
      : []),
  ];
}
