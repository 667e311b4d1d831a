/** Contract cases about how commands are ended: deadline, abort, close. */

import { holds, rejectsWith, same, settle, within } from "./expect.ts";
import { finish, run, type ShellCase, type ShellSubject } from "./shell-subject.ts";

/** Cases about ending. */
export const shellEndCases: readonly ShellCase[] = [
  ...["while true; do :; done", "sleep 60", "while true; do echo x; done > /dev/null", "sleep 60 | cat"].map(
    (command): ShellCase => ({
      name: `deadline: ends ${JSON.stringify(command)} and says so`,
      check: async (subject) => {
        const ran = await within(run(subject, `echo before; ${command}; echo after`, { timeoutMs: 400 }), 15_000);
        same([ran.timedOut, ran.stdout.replace(/^before\n/, "")], [true, ""], "the exit and the output");
        holds(ran.code !== 0, "the code is not 0");
        same((await run(subject, "echo next")).stdout, "next\n", "the next command");
      },
    }),
  ),
  {
    name: "deadline: does not touch a command that ends in time",
    check: async (subject) => {
      const ran = await run(subject, "echo quick", { timeoutMs: 15_000 });
      same([ran.code, ran.timedOut, ran.stdout], [0, false, "quick\n"], "the exit");
    },
  },
  {
    name: "abort: before the start, nothing runs and the exit rejects with the reason",
    check: async (subject) => {
      const reason = new Error("given up before");
      const running = subject.shell.run("echo ran > ran.txt", { signal: AbortSignal.abort(reason) });
      await rejectsWith(finish(running), reason, "the command");
      same((await run(subject, "ls")).stdout, "", "the files");
    },
  },
  {
    name: "abort: ends a command that waits, and the exit rejects with the reason",
    check: (subject) => abortsIn(subject, "sleep 60"),
  },
  {
    name: "abort: ends a loop that never waits, and the exit rejects with the reason",
    needs: "abortBusyLoop",
    check: (subject) => abortsIn(subject, "while true; do :; done"),
  },
  {
    name: "abort: after the end, nothing happens",
    check: async (subject) => {
      const controller = new AbortController();
      const running = subject.shell.run("echo done", { signal: controller.signal });
      same((await finish(running)).stdout, "done\n", "the output");
      controller.abort(new Error("too late"));
      same((await running.exit).code, 0, "the exit");
    },
  },
  {
    name: "signals: the exit names the one that ended the command",
    needs: "signals",
    check: async (subject) => {
      const { code, signal, timedOut } = await run(subject, "kill -9 $$");
      same([code, signal, timedOut], [null, "SIGKILL", false], "the exit");
    },
  },
  {
    name: "close: ends what runs, in every session",
    check: async (subject) => {
      const running = ["main", "other"].map((session) => subject.shell.run("sleep 60", { session }));
      const ends = running.map((one) =>
        one.exit.then(
          ({ code }) => code !== 0,
          () => true,
        ),
      );
      await within(Promise.resolve(subject.shell.close?.()), 15_000);
      same(await within(Promise.all(ends), 3000), [true, true], "whether the commands were ended");
    },
  },
];

async function abortsIn(subject: ShellSubject, command: string): Promise<void> {
  const controller = new AbortController();
  const reason = new Error("given up under way");
  const running = subject.shell.run(`echo started; ${command}; echo never > never.txt`, { signal: controller.signal });
  const end = settle(running.exit);
  // Shells that print at the end only never say that they have started.
  await Promise.race([
    running[Symbol.asyncIterator]()
      .next()
      .catch(() => {}),
    end,
    new Promise((resolve) => void setTimeout(resolve, 300)),
  ]);
  controller.abort(reason);
  await rejectsWith(within(running.exit, 15_000), reason, command);
  await end;
  const next = await run(subject, "echo next; ls");
  same(next.stdout, "next\n", "the next command");
}
