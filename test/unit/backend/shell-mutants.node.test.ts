import { rm } from "node:fs/promises";
import type { Shell, ShellExit, ShellOutput, ShellRun } from "holdall";
import { shellContract } from "holdall/testing";
import { describe, expect, test } from "vitest";
import { bashShell } from "./bash-shell.ts";
import { diskFileSystem, temporaryFolder } from "./disk-file-system.ts";

/** A shell with one fault, and the beginning of the names of the cases that must find it. */
interface Mutant {
  fault: string;
  found: string;
  make(shell: Shell, folder: string): Shell;
}

const mutants: readonly Mutant[] = [
  {
    fault: "always succeeds",
    found: "exit: is the code",
    make: (shell) => withExit(shell, (exit) => ({ ...exit, code: 0 })),
  },
  {
    fault: "mixes the streams",
    found: "output: both streams",
    make: (shell) => withPieces(shell, (piece) => ({ ...piece, stream: "stdout" })),
  },
  {
    fault: "cuts characters",
    found: "output: characters",
    make: (shell) => withPieces(shell, (piece) => ({ ...piece, text: piece.text.slice(0, 7) })),
  },
  {
    fault: "gives output only once",
    found: "output: can be read after",
    make: (shell) => ({ ...shell, run: (...given) => silent(shell.run(...given)) }),
  },
  {
    fault: "keeps all output",
    found: "output: over the limit",
    make: (shell) => ({
      ...shell,
      run: (command, { maxOutputBytes: _, ...options } = {}) => shell.run(command, options),
    }),
  },
  {
    fault: "loses the input",
    found: "input: is what is given",
    make: (shell) => ({ ...shell, run: (command, { stdin: _, ...options } = {}) => shell.run(command, options) }),
  },
  {
    fault: "has one session for all",
    found: "session: others",
    make: (shell) => ({ ...shell, run: (command, options) => shell.run(command, { ...options, session: "main" }) }),
  },
  { fault: "forgets sessions", found: "session: keeps", make: forgetful },
  {
    fault: "ignores the directory it is told",
    found: "session: runs a command where",
    make: (shell) => ({ ...shell, run: (command, { cwd: _, ...options } = {}) => shell.run(command, options) }),
  },
  {
    fault: "ignores variables",
    found: "session: variables given",
    make: (shell) => ({ ...shell, run: (command, { env: _, ...options } = {}) => shell.run(command, options) }),
  },
  {
    fault: "passes on the host's environment",
    found: "environment: has nothing",
    make: (shell) => ({
      ...shell,
      run: (command, options) =>
        shell.run(command, { ...options, env: { ...options?.env, SERVICE_TOKEN: "of the host" } }),
    }),
  },
  {
    fault: "keeps the variables of one command",
    found: "environment: a variable",
    make: keepsEnvironment,
  },
  {
    fault: "does not say that time was up",
    found: "deadline: ends",
    make: (shell) => withExit(shell, (exit) => ({ ...exit, timedOut: false })),
  },
  {
    fault: "resolves when it was aborted",
    found: "abort: ",
    make: (shell) => ({ ...shell, run: (...given) => resolving(shell.run(...given)) }),
  },
  {
    fault: "rejects on a mistake in the syntax",
    found: "syntax: a mistake",
    make: (shell) => withExit(shell, (exit) => (exit.code === 0 ? exit : Promise.reject(new Error("syntax error")))),
  },
  {
    fault: "has a code of its own for unknown commands",
    found: "syntax: a command that does not exist",
    make: (shell) => withExit(shell, (exit) => ({ ...exit, code: exit.code === 127 ? 1 : exit.code })),
  },
  {
    fault: "works on other files",
    found: "files: ",
    make: (shell, folder) => ({ ...shell, run: (command, options) => shell.run(command, { ...options, cwd: folder }) }),
  },
  {
    fault: "does not name signals",
    found: "signals: ",
    make: (shell) => withExit(shell, ({ signal: _, ...exit }) => ({ ...exit, code: 137 })),
  },
  {
    fault: "lets commands run on when it is closed",
    found: "close: ",
    make: (shell) => ({ run: (...given) => shell.run(...given), close: async () => {} }),
  },
];

describe("the shell contract", () => {
  test.each(mutants)("finds a shell that $fault", async ({ found, make }) => {
    const folders: string[] = [];
    const whole: Shell[] = [];
    const create = async () => {
      const [cwd, state, other] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
      folders.push(cwd, state, other);
      const shell = bashShell(cwd, state);
      whole.push(shell);
      return { shell: make(shell, other), fs: diskFileSystem(), cwd };
    };
    const cases = shellContract({ create, can: { abortBusyLoop: true, signals: true } }).filter(({ name }) =>
      name.startsWith(found),
    );
    // The slow ones of a group say nothing that the first does not.
    const outcomes = await Promise.allSettled(cases.slice(0, 3).map(({ run }) => run()));
    await Promise.all(whole.map((shell) => shell.close?.()));
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
    expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
  });

  test("refuses to skip what it does not have", () => {
    const create = () => ({ shell: bashShell("/", "/"), fs: diskFileSystem(), cwd: "/" });
    expect(() => shellContract({ create, skip: [{ name: "exit: is", reason: "a slip" }] })).toThrow("There is no case");
  });
});

function withExit(shell: Shell, change: (exit: ShellExit) => ShellExit | Promise<ShellExit>): Shell {
  return {
    ...shell,
    run: (...given) => {
      const running = shell.run(...given);
      return { exit: running.exit.then(change), [Symbol.asyncIterator]: () => running[Symbol.asyncIterator]() };
    },
  };
}

function withPieces(shell: Shell, change: (piece: ShellOutput) => ShellOutput): Shell {
  return {
    ...shell,
    run: (...given) => {
      const running = shell.run(...given);
      return {
        exit: running.exit,
        async *[Symbol.asyncIterator]() {
          for await (const piece of running) yield change(piece);
        },
      };
    },
  };
}

function silent(running: ShellRun): ShellRun {
  let ended = false;
  void running.exit.then(
    () => {
      ended = true;
    },
    () => {},
  );
  return {
    exit: running.exit,
    async *[Symbol.asyncIterator]() {
      if (!ended) yield* running;
    },
  };
}

function resolving(running: ShellRun): ShellRun {
  return {
    exit: running.exit.catch(() => ({ code: 1, timedOut: false, truncated: false })),
    [Symbol.asyncIterator]: () => running[Symbol.asyncIterator](),
  };
}

function keepsEnvironment(shell: Shell): Shell {
  let kept: Readonly<Record<string, string>> = {};
  return {
    ...shell,
    run: (command, options) => {
      kept = { ...kept, ...options?.env };
      return shell.run(command, { ...options, env: kept });
    },
  };
}

function forgetful(shell: Shell): Shell {
  let count = 0;
  return {
    ...shell,
    run: (command, options) => {
      count += 1;
      return shell.run(command, { ...options, session: `s${count}` });
    },
  };
}
