/** Several edits of one file in one call, as nobody means them well: all are made or none, and nothing else is touched. */

import { type Backend, Toolkit } from "holdall";
import { memoryBackend } from "holdall/memory";
import { codingTools } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { forAll, type Random } from "../property.ts";
import { type GroundDesk, openGroundDesk, openMemory } from "./ground.ts";

interface Edit {
  old_string: string;
  new_string: string;
  replace_all?: boolean;
}

/** Writes an edit; a third text stands for all occurrences. */
const edit = (old_string: string, new_string: string, all?: "all"): Edit => ({
  old_string,
  new_string,
  ...(all && { replace_all: true }),
});

const nothing = edit("", "");

/** Asks for edits the way a model does: the first by itself, the others beside it. */
const ask = ([first, ...edits]: readonly Edit[]): Record<string, unknown> => ({ file_path: "f", ...first, edits });

const openDesk = (file: string | undefined): Promise<GroundDesk> =>
  openGroundDesk(openMemory, file === undefined ? {} : { f: file }, ({ backend }) => codingTools({ backend }));

async function openRead(file: string | undefined): Promise<GroundDesk> {
  const desk = await openDesk(file);
  if (file !== undefined) await desk.say("Read", { file_path: "f" });
  return desk;
}

const versionOf = async ({ backend, root }: GroundDesk): Promise<string | undefined> =>
  (await backend.fs.stat(`${root}/f`))?.version;

interface Made {
  why: string;
  file: string | undefined;
  edits: Edit[];
  /** The file afterwards, byte by byte. */
  after: string;
  says?: string;
}

const made: Made[] = [
  {
    why: "one on what the one before has made",
    file: "a\n",
    edits: [edit("a", "b"), edit("b", "c"), edit("c", "d")],
    after: "d\n",
  },
  {
    why: "one that overlaps the place of the one before",
    file: "abcd",
    edits: [edit("bc", "XY"), edit("aX", "1"), edit("Yd", "2")],
    after: "12",
  },
  {
    why: "one whose text becomes unique only by the one before",
    file: "x x",
    edits: [edit("x x", "x y"), edit("x", "z")],
    after: "z y",
  },
  {
    why: "two that change places",
    file: "left right",
    edits: [edit("left", "\x01"), edit("right", "left"), edit("\x01", "right")],
    after: "right left",
  },
  {
    why: "patterns of a replacement, which are none",
    file: "a b c",
    edits: [edit("a", "$&$&"), edit("b", "$1$<n>$$"), edit("c", "$`$'\\0")],
    after: "$&$& $1$<n>$$ $`$'\\0",
  },
  {
    why: "patterns that an earlier one has put in",
    file: "a",
    edits: [edit("a", "$& .* \\n [x]"), edit("$& .* \\n [x]", "b")],
    after: "b",
  },
  {
    why: "all occurrences among single ones",
    file: "a a b",
    edits: [edit("a", "b", "all"), edit("b b b", "c"), edit("c", "cc", "all"), edit("c", "d", "all")],
    after: "dd",
    says: "success: Made 4 edits (6 occurrences) in ROOT/f.",
  },
  {
    why: "all of what overlaps itself, from the left",
    file: "aaaaa",
    edits: [edit("aa", "b", "all"), edit("ba", "c")],
    after: "bc",
    says: "success: Made 2 edits (3 occurrences) in ROOT/f.",
  },
  {
    why: "line breaks of every kind where there is a mark and CRLF",
    file: "\xef\xbb\xbfa\r\nb\r\n",
    edits: [edit("a\nb", "a\n1\r\nb"), edit("1\r\nb", "2\nb"), edit("\nb\n", "\n")],
    after: "\xef\xbb\xbfa\r\n2\r\n",
  },
  {
    why: "one that takes the last line end out, before one that puts some in",
    file: "a\r\nb",
    edits: [edit("a\nb", "ab"), edit("ab", "a\nb\nc")],
    after: "a\r\nb\r\nc",
  },
  {
    why: "one that empties the file, before one that fills it: mark and line ends stay",
    file: "\xef\xbb\xbfa\r\nb\r\n",
    edits: [edit("a\nb\n", ""), edit("", "c\nd\n"), edit("d", "e\nf")],
    after: "\xef\xbb\xbfc\r\ne\r\nf\r\n",
  },
  {
    why: "mixed line ends, each kept where it stands",
    file: "a\r\nb\nc\rd",
    edits: [edit("b\nc", "B\nC"), edit("a\nB", "A\nB"), edit("C\nd", "C\nD")],
    after: "A\r\nB\nC\rD",
  },
  {
    why: "UTF-16, where every character has a NUL",
    file: "\xff\xfea\0\n\0b\0",
    edits: [edit("a\nb", "a\nc"), edit("c", "\u00e9")],
    after: "\xff\xfea\0\n\0\xe9\0",
  },
  {
    why: "one form of an accent, then the other",
    file: "caf\xc3\xa9",
    edits: [edit("caf\u00e9", "cafe\u0301"), edit("cafe\u0301", "x")],
    after: "x",
  },
  {
    why: "characters of two units, side by side",
    file: "\xf0\x9f\xa6\x8a\xf0\x9f\xa6\x8a",
    edits: [edit("🦊🦊", "🦊🐢"), edit("🦊", "🐢🐢"), edit("🐢", "🦊", "all")],
    after: "\xf0\x9f\xa6\x8a".repeat(3),
    says: "success: Made 3 edits (5 occurrences) in ROOT/f.",
  },
  {
    why: "names that every object has",
    file: "{}",
    edits: [edit("{}", "__proto__"), edit("__proto__", "constructor")],
    after: "constructor",
  },
  {
    why: "no first one",
    file: "a",
    edits: [nothing, edit("a", "b"), edit("b", "c")],
    after: "c",
    says: "success: Made 2 edits (2 occurrences) in ROOT/f.",
  },
  {
    why: "a file that is not there, filled and then changed",
    file: undefined,
    edits: [edit("", "a\nb\n"), edit("b", "c")],
    after: "a\nc\n",
    says: "success: Created ROOT/f.",
  },
  {
    why: "an empty file, filled and then changed",
    file: "",
    edits: [edit("", "a\nb"), edit("b", "c")],
    after: "a\nc",
  },
  {
    why: "as many as there may be",
    file: "0",
    edits: Array.from({ length: 101 }, (_, index) => edit(`${index}`, `${index + 1}`)),
    after: "101",
  },
];

interface Refused {
  why: string;
  file: string | undefined;
  edits: Edit[];
  says: string | RegExp;
}

const refused: Refused[] = [
  {
    why: "the first that does not fit",
    file: "a",
    edits: [edit("x", "y"), edit("a", "b")],
    says: "error: Edit 1 of 2: old_string was not found in ROOT/f; nothing was written. Nothing like it is in the file. Read the file again and copy the text exactly.",
  },
  {
    why: "one in the middle whose text an earlier one took away",
    file: "a b",
    edits: [edit("a b", "c"), edit("b", "x"), edit("c", "d")],
    says: "error: Edit 2 of 3: old_string was not found in ROOT/f; nothing was written. Nothing like it is in the file. Read the file again and copy the text exactly.",
  },
  {
    why: "one whose text an earlier one made ambiguous",
    file: "a\nb\n",
    edits: [edit("b", "a"), edit("a", "c")],
    says: "error: Edit 2 of 2: old_string stands 2 times in ROOT/f (lines 1, 2); nothing was written. Add lines around it until it is unique, or set replace_all.",
  },
  {
    why: "the last, with all occurrences of nothing",
    file: "a",
    edits: [edit("a", "b"), edit("a", "c", "all")],
    says: /^error: Edit 2 of 2: old_string was not found in ROOT\/f; nothing was written\./,
  },
  {
    why: "edits that undo each other",
    file: "a\r\nb",
    edits: [edit("a", "c"), edit("c", "a")],
    says: "error: The edits together leave ROOT/f as it was; nothing was written. Say what should change.",
  },
  {
    why: "one that puts in what is there already",
    file: "a\rb",
    edits: [edit("a\nb", "a\rb")],
    says: "error: The edit leaves ROOT/f as it was; nothing was written. Say what should change.",
  },
  {
    why: "one that changes nothing among others",
    file: "ab",
    edits: [edit("a", "x"), edit("b", "b")],
    says: "error: Edit 2 of 2: old_string and new_string are the same; nothing was written. Say what should change.",
  },
  {
    why: "one that differs only in its line ends",
    file: "a\nb",
    edits: [edit("a\nb", "x\ny"), edit("x\ny", "x\r\ny")],
    says: "error: Edit 2 of 2: old_string and new_string are the same; nothing was written. Say what should change.",
  },
  {
    why: "an empty text in the middle",
    file: "ab",
    edits: [edit("a", "x"), edit("", "y")],
    says: "error: Edit 2 of 2: old_string is empty but ROOT/f is not; nothing was written. Use the text to replace, or Write for the whole file.",
  },
  {
    why: "nothing at all",
    file: "ab",
    edits: [nothing],
    says: "error: old_string and new_string are the same; nothing was written. Say what should change.",
  },
  {
    why: "nothing, twice",
    file: "ab",
    edits: [nothing, nothing],
    says: "error: old_string and new_string are the same; nothing was written. Say what should change.",
  },
  {
    why: "half a character in the last one",
    file: "ab",
    edits: [edit("a", "x"), edit("b", "\ud83e")],
    says: "error: new_string has half of a surrogate pair in it; nothing was written. Send the whole character.",
  },
  {
    why: "halves that only together are one",
    file: "ab",
    edits: [edit("a", "\ud83e"), edit("b", "\udd8a")],
    says: "error: new_string has half of a surrogate pair in it; nothing was written. Send the whole character.",
  },
  {
    why: "the other form of an accent",
    file: "caf\xc3\xa9 a",
    edits: [edit("a", "b", "all"), edit("cbfe\u0301", "x")],
    says: "error: Edit 2 of 2: old_string was not found in ROOT/f; nothing was written. Line 1 differs only in the form of accented characters (Unicode NFC or NFD). The file has:\n     1\tcbf\u00e9 b",
  },
  {
    why: "a lone carriage return where there are CRLFs",
    file: "a\r\nb",
    edits: [edit("a", "x"), edit("x\r", "y")],
    says: /^error: Edit 2 of 2: old_string was not found in ROOT\/f; nothing was written\. old_string has a carriage return by itself/,
  },
  {
    why: "one that grows without bound",
    file: "a".repeat(2000),
    edits: [edit("a", "b".repeat(1000), "all"), edit("b", "c".repeat(1000), "all")],
    says: /^error: old_string stands more than 1000000 times in the file; nothing was written\./,
  },
  {
    why: "one that makes too much of little",
    file: "a".repeat(1000),
    edits: [edit("a", "b".repeat(100_000), "all")],
    says: "error: 1000 replacements would make the file too large; nothing was written. Replace less at once.",
  },
  {
    why: "a first one that fills a file which is not there, and a second that does not fit",
    file: undefined,
    edits: [edit("", "a"), edit("b", "c")],
    says: "error: Edit 2 of 2: old_string was not found in ROOT/f; nothing was written. Nothing like it is in the file. Read the file again and copy the text exactly.",
  },
  {
    why: "a file that is not there",
    file: undefined,
    edits: [edit("a", "b"), edit("", "c")],
    says: "error: ROOT/f does not exist. Use Glob to find the file.",
  },
  {
    why: "bytes that are no text, behind one that fits",
    file: "a\xff",
    edits: [edit("a", "b"), edit("b", "c")],
    says: "error: ROOT/f is not valid UTF-8 or UTF-16 text, so an edit would damage it; nothing was written. Use a program that knows its encoding.",
  },
];

describe("several edits of one call", () => {
  test.each(made)("make $why", async ({ file, edits, after, says }) => {
    const desk = await openRead(file);
    const count = edits.filter((each) => each !== nothing).length;
    expect(await desk.say("Edit", ask(edits))).toBe(
      says ??
        (count === 1
          ? "success: Replaced 1 occurrence in ROOT/f."
          : `success: Made ${count} edits (${count} occurrences) in ROOT/f.`),
    );
    expect(await desk.raw("f")).toBe(after);
    await desk.close();
  });

  test.each(refused)("refuse $why, and the file is the very same", async ({ file, edits, says }) => {
    const desk = await openRead(file);
    const before = await versionOf(desk);
    const said = await desk.say("Edit", ask(edits));
    if (typeof says === "string") expect(said).toBe(says);
    else expect(said).toMatch(says);
    expect([await desk.raw("f"), await versionOf(desk)]).toEqual([file, before]);
    await desk.close();
  });

  test.each<[why: string, more: object]>([
    ["a text for the list", { edits: '[{"old_string":"a","new_string":"b"}]' }],
    ["one for the list", { edits: { old_string: "a", new_string: "b" } }],
    ["nothing for one", { edits: [null] }],
    ["a text for one", { edits: ["a"] }],
    ["a list for one", { edits: [["a", "b"]] }],
    ["one without its old text", { edits: [{ new_string: "b" }] }],
    ["one without its new text", { edits: [{ old_string: "b" }] }],
    ["a number for a text", { edits: [{ old_string: 1, new_string: "b" }] }],
    ["a word for yes", { edits: [{ old_string: "a", new_string: "b", replace_all: "all" }] }],
    ["names of a prototype", { edits: [JSON.parse('{"__proto__":{"old_string":"a","new_string":"b"}}')] }],
    ["one too many", { edits: Array.from({ length: 101 }, () => edit("a", "b")) }],
  ])("take no %s", async (_why, more) => {
    const desk = await openRead("ab");
    const before = await versionOf(desk);
    const { state } = await desk.call("Edit", { file_path: "f", ...edit("a", "c"), ...more });
    expect([state, await desk.raw("f"), await versionOf(desk)]).toEqual(["error", "ab", before]);
    await desk.close();
  });

  test("of a notebook may pass through what is no JSON, but not end there", async () => {
    const notebook = '{"cells":[]}';
    const desk = await openGroundDesk(openMemory, { "f.ipynb": notebook }, ({ backend }) => codingTools({ backend }));
    await desk.say("Read", { file_path: "f.ipynb" });
    const says = await desk.say("Edit", { ...ask([edit("[]}", "["), edit("[", "[1]")]), file_path: "f.ipynb" });
    expect([says.slice(0, 6), await desk.raw("f.ipynb")]).toEqual(["error:", notebook]);
    const done = await desk.say("Edit", { ...ask([edit("[]}", "["), edit("[", "[1]}")]), file_path: "f.ipynb" });
    expect([done, await desk.raw("f.ipynb")]).toEqual([
      "success: Made 2 edits (2 occurrences) in ROOT/f.ipynb.",
      '{"cells":[1]}',
    ]);
    await desk.close();
  });

  test("of a file that was not read, or has changed since, are refused whatever they are", async () => {
    const desk = await openDesk("ab");
    const edits = ask([edit("a", "x"), edit("b", "y")]);
    expect(await desk.say("Edit", edits)).toMatch(/^error: ROOT\/f .*read/);
    await desk.say("Read", { file_path: "f" });
    await desk.put("f", "abc");
    const before = await versionOf(desk);
    expect(await desk.say("Edit", edits)).toMatch(
      /^error: ROOT\/f has changed since it was read; nothing was written\./,
    );
    expect([await desk.raw("f"), await versionOf(desk)]).toEqual(["abc", before]);
    await desk.close();
  });

  test("of calls side by side are each made whole, on what the others left", async () => {
    const desk = await openRead("0 0 0 0\n");
    const calls = Array.from({ length: 6 }, (_, who) =>
      desk.say("Edit", ask([edit("\n", `<${who}`), edit(`<${who}`, `<${who}>`), edit(`<${who}>`, `<${who}>\n`)])),
    );
    const said = new Set(await Promise.all(calls));
    const [zeros, marks] = [(await desk.raw("f"))?.slice(0, 7), (await desk.raw("f"))?.slice(7)];
    expect([[...said], zeros, marks?.match(/<\d>/g)?.sort(), marks?.replace(/<\d>/g, "")]).toEqual([
      ["success: Made 3 edits (3 occurrences) in ROOT/f."],
      "0 0 0 0",
      ["<0>", "<1>", "<2>", "<3>", "<4>", "<5>"],
      "\n",
    ]);
    await desk.close();
  });

  test("that are aborted before they are written change nothing", async () => {
    const inner = memoryBackend({ files: { "/f": "ab" } });
    const controller = new AbortController();
    const reason = new Error("enough");
    const backend: Backend = {
      ...inner,
      fs: {
        ...inner.fs,
        read: async (path, options) => {
          const result = await inner.fs.read(path, options);
          controller.abort(reason);
          return result;
        },
      },
    };
    const toolkit = new Toolkit({ tools: codingTools({ backend }) });
    const before = await inner.fs.stat("/f");
    const result = await toolkit.run(
      { name: "Edit", input: { ...ask([edit("a", "x"), edit("b", "y")]), file_path: "/f" } },
      { signal: controller.signal },
    );
    expect([result.state, await inner.fs.stat("/f")]).toEqual(["interrupted", before]);
  });

  test("of a large file with CRLF let timers have their turn, and end with the signal", async () => {
    const backend = memoryBackend({ files: { "/f": "line\r\n".repeat(200_000) } });
    const toolkit = new Toolkit({ tools: codingTools({ backend }) });
    const before = await backend.fs.stat("/f");
    const controller = new AbortController();
    const edits = Array.from({ length: 100 }, (_, index) =>
      edit(index % 2 === 0 ? "line\n" : "LINE\n", index % 2 === 0 ? "LINE\n" : "line\n", "all"),
    );
    const timer = setTimeout(() => controller.abort(new Error("enough")), 0);
    const result = await toolkit.run(
      { name: "Edit", input: { ...ask(edits), file_path: "/f" } },
      { signal: controller.signal },
    );
    clearTimeout(timer);
    expect([result.state, await backend.fs.stat("/f")]).toEqual(["interrupted", before]);
  });
});

/** Gives the text after the edits, or undefined when one of them does not fit: by splitting and joining. */
function model(text: string, edits: readonly Edit[]): string | undefined {
  let now = text;
  for (const { old_string, new_string, replace_all } of edits) {
    const parts = now.split(old_string);
    let places = 0;
    // An overlap counts as another place.
    for (let at = now.indexOf(old_string); at >= 0; at = now.indexOf(old_string, at + 1)) places += 1;
    if (old_string === new_string || places === 0 || (places > 1 && replace_all !== true)) return undefined;
    now = parts.join(new_string);
  }
  return now === text ? undefined : now;
}

const letters = ["a", "b", "ab", "\n", "$&", "\u00e9", "e\u0301", "🦊", " "] as const;

const randomPiece = (random: Random, most: number): string =>
  Array.from({ length: random.below(most + 1) }, () => random.pick(letters)).join("");

/** Makes edits most of which fit, so that a failing one may stand at any place. */
function randomEdits(random: Random, text: string): Edit[] {
  const edits: Edit[] = [];
  let now = text;
  for (let count = 1 + random.below(6); count > 0; count -= 1) {
    const characters = Array.from(now);
    const start = random.below(characters.length + 1);
    const old = random.once(12) ? "not there" : characters.slice(start, start + 1 + random.below(5)).join("");
    if (old === "") continue;
    const all = random.once(2) || now.indexOf(old) !== now.lastIndexOf(old);
    const next = edit(old, randomPiece(random, 3), all && !random.once(12) ? "all" : undefined);
    edits.push(next);
    now = model(now, [next]) ?? now;
  }
  return edits;
}

const forms = [
  { name: "LF", write: (text: string) => text },
  { name: "CRLF", write: (text: string) => text.replaceAll("\n", "\r\n") },
  { name: "a mark and CRLF", write: (text: string) => `\ufeff${text.replaceAll("\n", "\r\n")}` },
] as const;

/** Turns text into bytes, each as a character. */
const rawOf = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

describe("random edits of one call", () => {
  test.each(forms)("do what a plain model does, all or none: $name", async ({ write }) => {
    await forAll(150, async (random) => {
      const text = `first\n${randomPiece(random, 12)}\nlast`;
      const edits = randomEdits(random, text);
      if (edits.length === 0) return;
      const desk = await openRead(rawOf(write(text)));
      const before = await versionOf(desk);
      const { state } = await desk.call("Edit", ask(edits));
      const after = model(text, edits);
      const isSame = (await versionOf(desk)) === before;
      const what = JSON.stringify({ text, edits });
      expect({ state, file: await desk.raw("f"), isSame }, what).toEqual({
        state: after === undefined ? "error" : "success",
        file: rawOf(write(after ?? text)),
        isSame: after === undefined,
      });
      await desk.close();
    });
  });

  test("do what the same edits do one call after another, with line ends of every kind", async () => {
    await forAll(150, async (random) => {
      const ends = ["\n", "\r\n", "\r"] as const;
      const text = `first\n${randomPiece(random, 12)}\nlast\n`;
      const file = rawOf(text.replaceAll("\n", () => random.pick(ends)));
      const edits = randomEdits(random, text);
      if (edits.length === 0) return;
      const [together, apart] = [await openRead(file), await openRead(file)];
      const { state } = await together.call("Edit", ask(edits));
      const states: string[] = [];
      for (const each of edits) {
        states.push((await apart.call("Edit", ask([each]))).state);
        if (states.at(-1) === "error") break;
        // Where no line end is left, only one call knows what they were.
        if (!/[\r\n]/.test((await apart.raw("f")) ?? "")) return;
      }
      const fits = states.every((each) => each === "success") && (await apart.raw("f")) !== file;
      expect([state, await together.raw("f")], JSON.stringify({ file, edits })).toEqual(
        fits ? ["success", await apart.raw("f")] : ["error", file],
      );
      await together.close();
      await apart.close();
    });
  });
});
