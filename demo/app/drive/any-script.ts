/** The script for files it does not know: it lists, reads, searches, counts, and leaves a note. */
import { baseName } from "holdall";
import type { ScriptedAnswer, ScriptedStep } from "holdall/model";
import { lastOutcome } from "./results.ts";

/** What the person is shown as having asked. */
export const ANY_TASK = "Look through these files and leave a note about them.";

const note = "/workspace/NOTE-OF-THE-SCRIPT.md";
const open = "- Open points: not looked for yet";

/** The steps, afresh for each reply. */
export function anyScript(): ScriptedStep[] {
  let paths: string[] = [];
  return [
    {
      text: "I am a script and do not know these files, so I do what makes sense with any.",
      calls: [{ name: "Glob", input: { pattern: "**/*", path: "/workspace" } }],
    },
    (request) => {
      paths = lastOutcome(request, "Glob")
        .text.split("\n")
        .filter((line) => line.startsWith("/workspace/"));
      return look(paths);
    },
    {
      text: "How much is it in all?",
      calls: [{ name: "Bash", input: { command: "find . -type f | wc -l", description: "Count the files" } }],
    },
    (request) => writeNote(paths, lastOutcome(request, "Bash")),
    (request) => completeNote(lastOutcome(request, "Write").state, lastOutcome(request, "Grep").text),
    (request) => ({
      text:
        lastOutcome(request, "Edit").state === "success"
          ? `Done: the note is in ${baseName(note)}. Nothing else was touched.`
          : "The note stays as it was first written. Nothing else was touched.",
    }),
  ];
}

function look(paths: readonly string[]): ScriptedAnswer {
  const first =
    paths.find((path) => /readme/i.test(baseName(path))) ?? paths.find((path) => /\.\w+$/.test(path)) ?? paths[0];
  if (first === undefined) return { text: "There are no files here. Open some, then run the script again." };
  return {
    text: "I read the file that says most about the others, and search for open points.",
    calls: [
      { name: "Read", input: { file_path: first, limit: 40 } },
      { name: "Grep", input: { pattern: "TODO|FIXME", path: "/workspace", output_mode: "content", head_limit: 20 } },
    ],
  };
}

function writeNote(paths: readonly string[], { state, text }: { state: string; text: string }): ScriptedAnswer {
  const number = state === "success" ? text.trim().split(/\s+/)[0] : `at least ${paths.length}`;
  const names = paths.slice(0, 10).map((path) => `  - ${path.replace("/workspace/", "")}`);
  const content = ["# A note of the script", "", `- Files: ${number}`, "- Some of them:", ...names, open, ""].join(
    "\n",
  );
  return { text: "I write down what I have seen.", calls: [{ name: "Write", input: { file_path: note, content } }] };
}

function completeNote(state: string, found: string): ScriptedAnswer {
  if (state !== "success") return { text: "I may not write, so there is no note. Nothing was changed." };
  const lines = found.split("\n").filter((line) => /TODO|FIXME/.test(line)).length;
  return {
    text: "One line is left to fill in.",
    calls: [{ name: "Edit", input: { file_path: note, old_string: open, new_string: `- Open points: ${lines}` } }],
  };
}
