/** Random sequences of Edit, Write and changes by others, against a plain model of the file, on any backend. */

import { codingTools } from "holdall/tools";
import { describe, expect, test } from "vitest";
import { type GroundDesk, type OpenGround, openGroundDesk } from "../ground.ts";
import { createRandom, type Random } from "../random.ts";
import { utf8 } from "../setup.ts";

/** How the text of the model stands in the file. */
interface Form {
  name: string;
  /** What one line break is in the file. */
  end: string;
  encode(text: string): string;
}

const bytesAsText = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
const utf16 = (text: string): string =>
  text
    .split("")
    .map((unit) => String.fromCharCode(unit.charCodeAt(0) & 255, unit.charCodeAt(0) >> 8))
    .join("");

const forms: Form[] = [
  { name: "UTF-8 with LF", end: "\n", encode: (text) => bytesAsText(utf8(text)) },
  { name: "UTF-8 with CRLF", end: "\r\n", encode: (text) => bytesAsText(utf8(text)) },
  { name: "UTF-8 with a mark and CRLF", end: "\r\n", encode: (text) => `\xef\xbb\xbf${bytesAsText(utf8(text))}` },
  { name: "UTF-16 with LF", end: "\n", encode: (text) => `\xff\xfe${utf16(text)}` },
];

interface Model {
  /** With LF for every line break. */
  text: string;
  /** What a line break is in the file now. */
  end: string;
  /** Whether the tools know the file as it is. */
  isKnown: boolean;
}

/** What a step does to the model; undefined when it must be refused. */
interface Step {
  name: string;
  input: Record<string, unknown>;
  after: string | undefined;
}

const words = ["", "a", "x $& $1", "é", "🦊", "a\nb", "\n", "  ", "\tif", "// end"];

/** Applies one replacement to the model, by splitting and joining. */
function replace(text: string, old: string, fresh: string, all: boolean): string | undefined {
  if (old === "" || old === fresh) return undefined;
  // An overlap counts as another place.
  let places = 0;
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + 1)) places += 1;
  if (places === 0 || (places > 1 && !all)) return undefined;
  return text.split(old).join(fresh);
}

function randomEdit(random: Random, text: string) {
  const characters = Array.from(text);
  const start = random.below(characters.length + 1);
  const old = random.below(8) === 0 ? "not in it" : characters.slice(start, start + 1 + random.below(6)).join("");
  return { old_string: old, new_string: random.pick(words), replace_all: random.below(3) === 0 };
}

function editStep(random: Random, text: string): Step {
  const count = 1 + random.below(3);
  let after: string | undefined = text;
  const made: ReturnType<typeof randomEdit>[] = [];
  for (let index = 0; index < count; index += 1) {
    const edit = randomEdit(random, after ?? text);
    made.push(edit);
    after = after === undefined ? undefined : replace(after, edit.old_string, edit.new_string, edit.replace_all);
  }
  const [first, ...edits] = made;
  // An empty first pair stands for none, and an empty file is filled: both have tests of their own.
  const isSpecial = made.some(({ old_string }) => old_string === "");
  return { name: "Edit", input: { ...first, edits }, after: isSpecial ? undefined : after };
}

async function takeStep(desk: GroundDesk, random: Random, form: Form, model: Model, what: string): Promise<void> {
  const kind = random.below(10);
  // Where there is no line break, there is nothing to tell of which kind the next one shall be.
  if (!model.text.includes("\n")) model.end = "\n";
  if (kind === 0) {
    // Somebody else changes the file.
    model.end = form.end;
    model.text = `${model.text}line ${random.below(9)}\n`;
    model.isKnown = false;
    await desk.put("f.txt", form.encode(model.text.replaceAll("\n", form.end)));
    return;
  }
  if (kind === 1) {
    await desk.say("Read", { file_path: "f.txt" });
    model.isKnown = true;
    return;
  }
  const written = `${random.pick(words)}\n${random.pick(words)}\nend\n`;
  const step: Step =
    kind === 2 ? { name: "Write", input: { content: written }, after: written } : editStep(random, model.text);
  const { state } = await desk.call(step.name, { file_path: "f.txt", ...step.input });
  // Edits that undo each other change nothing, which is refused.
  const isVain = step.name === "Edit" && step.after === model.text;
  const fits = step.after !== undefined && model.isKnown && !isVain;
  expect(state, what + JSON.stringify(step)).toBe(fits ? "success" : "error");
  if (fits && step.after !== undefined) model.text = step.after;
}

/**
 * Adds the tests.
 *
 * @param open Opens a ground.
 * @param seeds How many sequences each form gets.
 */
export function editSequenceCases(open: OpenGround, seeds: number): void {
  describe("sequences of changes", () => {
    test.each(forms)("do what a plain model does: $name", async (form) => {
      for (let seed = 1; seed <= seeds; seed += 1) {
        const random = createRandom(seed * 7919);
        const model: Model = { text: "one\ntwo 🦊\n\tthree é\n\nfive five\n", end: form.end, isKnown: false };
        const start = form.encode(model.text.replaceAll("\n", form.end));
        const desk = await openGroundDesk(open, { "f.txt": start }, ({ backend }) => codingTools({ backend }));
        for (let step = 0; step < 40; step += 1) {
          const what = `${form.name}, seed ${seed}, step ${step}: `;
          await takeStep(desk, random, form, model, what);
          expect(await desk.raw("f.txt"), what + JSON.stringify(model.text)).toBe(
            form.encode(model.text.replaceAll("\n", model.end)),
          );
        }
        await desk.close();
      }
    });
  });
}
