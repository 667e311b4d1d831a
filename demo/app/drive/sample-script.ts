/** The script for the sample: finds why a test fails, mends it, proves it, and writes it down. */
import type { ScriptedAnswer, ScriptedStep } from "holdall/model";
import { lastOutcome } from "./results.ts";

/** What the person is shown as having asked. */
export const SAMPLE_TASK = "A test fails. Find out why, mend it, and prove that it is mended.";

const stock = "/workspace/src/stock.sh";
const changes = "/workspace/CHANGELOG.md";
const runTests = { command: "bash test/run.sh", description: "Run the tests" };

/** The steps, afresh for each reply. Where the person says no, the script goes another way. */
export function sampleScript(): ScriptedStep[] {
  return [
    {
      text: "First I look at what is here.",
      calls: [
        { name: "Glob", input: { pattern: "**/*", path: "/workspace" } },
        { name: "Read", input: { file_path: "/workspace/README.md" } },
      ],
    },
    {
      text: "The README says how to run the tests, so I run them.",
      calls: [{ name: "Bash", input: runTests }],
    },
    (request) => lookForCause(lastOutcome(request, "Bash")),
    (request) => mend(lastOutcome(request, "Read")),
    (request) => prove(lastOutcome(request, "Edit")),
    (request) => readChanges(lastOutcome(request, "Bash")),
    {
      text: "Now I write it down.",
      calls: [
        {
          name: "Edit",
          input: {
            file_path: changes,
            old_string: "# Changes\n",
            new_string: "# Changes\n\n## 1.2\n\n- A coffee of exactly 5 kg is low, as the README says.\n",
          },
        },
      ],
    },
    (request) => {
      const wrote = lastOutcome(request, "Edit").state === "success" ? " It is in the changelog, too." : "";
      return { text: `Done. low_stock compared with < where the README says "at or below"; now it is <=.${wrote}` };
    },
  ];
}

function lookForCause({ state, text }: { state: string; text: string }): ScriptedAnswer {
  if (text.includes("\n0 failed")) {
    return { text: "All tests pass already, so there is nothing to mend. Open the sample again to start over." };
  }
  const said =
    state === "denied"
      ? "I may not run the tests, so I go by reading."
      : "One test fails: a coffee of exactly 5 kg is missing. I look for the place where the limit is used.";
  return {
    text: said,
    calls: [
      { name: "Grep", input: { pattern: "limit", path: "/workspace/src", output_mode: "content" } },
      { name: "Read", input: { file_path: stock } },
    ],
  };
}

function mend({ text }: { text: string }): ScriptedAnswer {
  if (!text.includes("$4 < limit")) {
    return { text: "The line that I know is not there any more. I follow a script, so I stop here." };
  }
  return {
    text: 'Here it is: the README says "at or below", the code says <. I change that one character.',
    calls: [{ name: "Edit", input: { file_path: stock, old_string: "$4 < limit", new_string: "$4 <= limit" } }],
  };
}

function prove({ state }: { state: string }): ScriptedAnswer {
  if (state !== "success") {
    return { text: "The change was not made, so the test still fails. The place is low_stock in src/stock.sh." };
  }
  return { text: "Now the tests again.", calls: [{ name: "Bash", input: runTests }] };
}

function readChanges({ text }: { text: string }): ScriptedAnswer {
  const said = text.includes("\n0 failed") ? "All five pass." : "I could not run them a second time.";
  return { text: said, calls: [{ name: "Read", input: { file_path: changes } }] };
}
