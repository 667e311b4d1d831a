/** A model behind an endpoint: a server on this machine that speaks the protocol. */
import { afterEach, describe, expect, test } from "vitest";
import type { Bench } from "./bench.ts";
import { type Answer, type ModelServer, startModelServer } from "./model-server.ts";

/** Adds the tests. */
export function endpointCases(bench: Bench): void {
  describe("a model behind an endpoint", () => {
    let server: ModelServer | undefined;

    afterEach(() => server?.close());

    async function connect(...answers: Answer[]): Promise<void> {
      const { page } = bench;
      server = await startModelServer(answers);
      const { baseUrl } = server;
      bench.opened.allow(baseUrl);
      await page.getByRole("tab", { name: "Endpoint" }).click();
      await page.getByLabel("Base URL").fill(baseUrl);
      await page.getByLabel("Model", { exact: true }).fill("small-model");
      await page.getByLabel("API key").fill("sk-very-secret");
    }

    async function say(text: string): Promise<void> {
      const { page } = bench;
      await page.getByLabel("Message").fill(text);
      await page.getByLabel("Message").press("Enter");
    }

    test("drives a turn, and its answer streams", async () => {
      const { page, person } = bench;
      const half = createGate();
      await connect(
        (stream) => {
          stream.call("Read", { file_path: "/workspace/README.md" });
          stream.end("tool_calls");
        },
        async (stream) => {
          stream.text("It is about ");
          await half.opened;
          stream.text("coffee.");
          stream.end("stop");
        },
      );
      await say("What is this?");
      await person.conversation.getByText("It is about", { exact: true }).waitFor();
      half.open();
      await person.conversation.getByText("It is about coffee.", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
      await bench.expectStates("Read", ["Done"]);
      expect(server?.asked).toEqual([
        {
          authorization: "Bearer sk-very-secret",
          model: "small-model",
          roles: ["system", "user"],
          last: '"What is this?"',
          tools: ["Bash", "Read", "Write", "Edit", "Glob", "Grep"],
        },
        expect.objectContaining({
          roles: ["system", "user", "assistant", "tool"],
          last: expect.stringContaining("Roastery stock"),
        }),
      ]);
      const stored = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
      );
      expect(stored).toContain("small-model");
      expect(stored).not.toContain("secret");
    });

    test("is let go by Stop", async () => {
      const { page, person } = bench;
      const gone = createGate();
      await connect(async (stream) => {
        stream.text("Well, ");
        await stream.gone;
        gone.open();
      });
      await say("Tell me a story");
      await person.conversation.getByText("Well,").waitFor();
      await page.getByRole("button", { name: "Stop", exact: true }).click();
      await person.conversation.getByText("Stopped.", { exact: true }).waitFor();
      await gone.opened;
    });

    test("is quoted where it refuses, without the key", async () => {
      const { person } = bench;
      await connect((stream) => stream.refuse(401, "Incorrect API key sk-very-secret"));
      await say("Hello");
      const problem = person.conversation.getByRole("alert");
      await problem.waitFor();
      expect(await problem.textContent()).toContain("The server answered 401 (Incorrect API key [redacted])");
      // The browser's own note about the answer.
      bench.opened.faults.splice(
        0,
        bench.opened.faults.length,
        ...bench.opened.faults.filter((fault) => !fault.includes("401")),
      );
    });
  });
}

interface Gate {
  open(): void;
  opened: Promise<void>;
}

function createGate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}
