/** Contract cases about what commands print, read and leave in files. */

import { bytesOf, holds, same, textOf, within } from "./expect.ts";
import { readAll, run, type ShellCase, textOfStream } from "./shell-subject.ts";

/** Cases about input and output. */
export const shellOutputCases: readonly ShellCase[] = [
  {
    name: "exit: is the code of the command",
    check: async (subject) => {
      for (const [command, code] of [
        ["true", 0],
        ["false", 1],
        ["exit 3", 3],
        ["(exit 42)", 42],
        ["false || true", 0],
        ["true && false", 1],
        ["", 0],
        ["  # nothing", 0],
      ] as const) {
        const { code: is, timedOut, truncated } = await run(subject, command);
        same([is, timedOut, truncated], [code, false, false], `the end of ${JSON.stringify(command)}`);
      }
    },
  },
  {
    name: "output: both streams are given apart, each in order",
    check: async (subject) => {
      const ran = await run(subject, "echo one; echo two >&2; echo three; echo four >&2");
      same([ran.stdout, ran.stderr], ["one\nthree\n", "two\nfour\n"], "the streams");
    },
  },
  {
    name: "output: the pieces of both streams come as they were printed",
    needs: "ordered",
    check: async (subject) => {
      const { pieces } = await run(subject, "echo one; echo two >&2; echo three; echo four >&2");
      same(pieces.map(({ text }) => text).join(""), "one\ntwo\nthree\nfour\n", "all text");
    },
  },
  {
    name: "output: characters of all scripts stay whole, also in long output",
    check: async (subject) => {
      const ran = await run(
        subject,
        `echo 'é 漢字 🦊 👩‍👩‍👧'; for i in $(seq 1 300); do printf '${"漢🦊é".repeat(10)}'; done`,
      );
      same(ran.stdout, `é 漢字 🦊 👩‍👩‍👧\n${"漢🦊é".repeat(3000)}`, "the text");
      for (const { text } of ran.pieces)
        holds(!/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(text), "no piece begins or ends within a character");
    },
  },
  {
    name: "output: can be read after the command has ended, or not at all",
    check: async (subject) => {
      const late = subject.shell.run("echo kept; echo also >&2; exit 5");
      same((await within(late.exit, 50_000)).code, 5, "the code");
      const pieces = await readAll(late);
      same([textOfStream(pieces, "stdout"), textOfStream(pieces, "stderr")], ["kept\n", "also\n"], "the output");
      // More than a pipe and the buffer of its reader hold together, in few steps: some shells are slow.
      const line = "a line that nobody reads, ".repeat(64);
      const unread = subject.shell.run(`for i in $(seq 1 250); do echo '${line}'; done`);
      same((await within(unread.exit, 50_000)).code, 0, "the code of a command whose output nobody reads");
    },
  },
  {
    name: "output: reading may stop early, and the command still ends",
    check: async (subject) => {
      const running = subject.shell.run("for i in $(seq 1 200); do echo $i; done; exit 4");
      for await (const { text } of running) if (text !== "") break;
      same((await within(running.exit, 50_000)).code, 4, "the code");
    },
  },
  {
    name: "output: over the limit it is dropped, on whole characters, and the exit says so",
    check: async (subject) => {
      const long = await run(subject, "for i in $(seq 1 400); do printf '漢'; done; echo end >&2; exit 6", {
        maxOutputBytes: 1000,
      });
      same([long.code, long.truncated], [6, true], "the exit");
      const bytes = bytesOf(long.stdout + long.stderr).length;
      holds(bytes <= 1000 && bytes > 900, `no more bytes than allowed are kept, and no fewer than need be (${bytes})`);
      holds(/^漢+$/.test(long.stdout.slice(0, 100)), "no character is cut");
      const exact = await run(subject, "printf 12345", { maxOutputBytes: 5 });
      same([exact.stdout, exact.truncated], ["12345", false], "output of exactly the limit");
      same((await run(subject, "printf 123456", { maxOutputBytes: 5 })).truncated, true, "one byte more");
    },
  },
  {
    name: "input: is empty and closed when none is given",
    check: async (subject) => {
      const ran = await run(subject, "cat; echo done", { timeoutMs: 10_000 });
      same([ran.stdout, ran.timedOut], ["done\n", false], "the output");
    },
  },
  {
    name: "input: is what is given, byte for byte",
    check: async (subject) => {
      const stdin = "first\nsécond 🦊\nno line end";
      same((await run(subject, "cat", { stdin })).stdout, stdin, "what is copied");
      same(
        (await run(subject, 'read line; echo "[$line]"; cat', { stdin: "first\nsecond\n" })).stdout,
        "[first]\nsecond\n",
        "what is read line by line",
      );
      same((await run(subject, "wc -l | tr -d ' '", { stdin: "1\n2\n3\n" })).stdout, "3\n", "what is counted");
    },
  },
  {
    name: "syntax: several lines, loops, here documents, pipes and substitutions work",
    check: async (subject) => {
      const script = [
        "for word in b a c; do",
        '  echo "$word"',
        "done | sort",
        "cat <<END",
        "here $((1 + 2))",
        "END",
        "echo $(echo nested) | tr a-z A-Z",
      ].join("\n");
      same((await run(subject, script)).stdout, "a\nb\nc\nhere 3\nNESTED\n", "the output");
    },
  },
  {
    name: "syntax: a mistake is an exit with a code and a message, not a rejection",
    check: async (subject) => {
      for (const command of ["if then", "echo 'open", "(", "done"]) {
        const ran = await run(subject, command);
        holds(ran.code !== 0 && ran.code !== null, `${command} has a code other than 0`);
        holds(ran.stderr !== "", `${command} has a message`);
      }
      same((await run(subject, "echo still here")).stdout, "still here\n", "the next command");
    },
  },
  {
    name: "syntax: a command that does not exist exits with 127 and names it",
    check: async (subject) => {
      const ran = await run(subject, "no-such-command-anywhere --flag");
      same(ran.code, 127, "the code");
      holds(ran.stderr.includes("no-such-command-anywhere"), "the message names it");
    },
  },
  {
    name: "files: commands and the file system see the same ones",
    check: async (subject) => {
      const { fs, cwd } = subject;
      const path = (name: string): string => (cwd === "/" ? `/${name}` : `${cwd}/${name}`);
      await fs.write(path("given.txt"), bytesOf("from outside\n"));
      const ran = await run(
        subject,
        "cat given.txt; echo one > made.txt; echo two >> made.txt; mkdir -p 'a b/c'; echo x > 'a b/c/d e'; mv given.txt moved.txt; rm -f missing",
      );
      same([ran.stdout, ran.code], ["from outside\n", 0], "the command");
      same(textOf((await fs.read(path("made.txt"))).bytes), "one\ntwo\n", "a file it made");
      same(textOf((await fs.read(path("a b/c/d e"))).bytes), "x\n", "a file with spaces in its path");
      same(
        [(await fs.stat(path("given.txt")))?.kind, (await fs.stat(path("moved.txt")))?.kind],
        [undefined, "file"],
        "a file it moved",
      );
      await fs.write(path("made.txt"), bytesOf("changed\n"));
      await fs.remove(path("moved.txt"));
      same((await run(subject, "cat made.txt; ls")).stdout, "changed\na b\nmade.txt\n", "what it sees afterwards");
    },
  },
];
