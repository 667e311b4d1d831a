/** Contract cases about what a session keeps from one command to the next. */

import { holds, same } from "./expect.ts";
import { run, type ShellCase } from "./shell-subject.ts";

/** Cases about sessions. */
export const shellSessionCases: readonly ShellCase[] = [
  {
    name: "session: starts in the working directory",
    check: async (subject) => {
      same((await run(subject, "pwd")).stdout, `${subject.cwd}\n`, "the directory");
    },
  },
  {
    name: "session: keeps the directory a command went to, also when it fails",
    check: async (subject) => {
      const inside = (name: string): string => (subject.cwd === "/" ? `/${name}` : `${subject.cwd}/${name}`);
      const moved = await run(subject, "mkdir -p sub/deep && cd sub && false");
      same([moved.code, moved.cwd ?? inside("sub")], [1, inside("sub")], "the exit");
      same((await run(subject, "pwd; cd deep")).stdout, `${inside("sub")}\n`, "the directory afterwards");
      same((await run(subject, "pwd; echo x > here")).stdout, `${inside("sub/deep")}\n`, "the directory after that");
      same((await subject.fs.stat(inside("sub/deep/here")))?.kind, "file", "a file made with a relative path");
      same(
        (await run(subject, "(cd /; pwd) > /dev/null; pwd")).stdout,
        `${inside("sub/deep")}\n`,
        "the directory after a subshell",
      );
    },
  },
  {
    name: "session: runs a command where it is told to",
    check: async (subject) => {
      const inside = subject.cwd === "/" ? "/other" : `${subject.cwd}/other`;
      await subject.fs.makeDirectory(inside);
      same((await run(subject, "pwd", { cwd: inside })).stdout, `${inside}\n`, "the directory");
    },
  },
  {
    name: "session: a directory that does not exist is an exit with a code and a message",
    check: async (subject) => {
      const missing = subject.cwd === "/" ? "/missing" : `${subject.cwd}/missing`;
      const ran = await run(subject, "echo ran", { cwd: missing });
      holds(ran.code !== 0 && ran.stdout === "" && ran.stderr !== "", "the command does not run");
    },
  },
  {
    name: "session: keeps variables, exported or not",
    check: async (subject) => {
      await run(subject, "plain='a b'; export shared=\"q'uote\"");
      await run(subject, "line=$'one\\ntwo'");
      same(
        (await run(subject, 'echo "$plain|$shared|$line"; unset plain')).stdout,
        "a b|q'uote|one\ntwo\n",
        "the variables",
      );
      same((await run(subject, 'echo "[$plain]"')).stdout, "[]\n", "a variable that was taken away");
    },
  },
  {
    name: "session: others have a directory and variables of their own",
    check: async (subject) => {
      await run(subject, "mkdir sub; cd sub; x=main");
      const other = { session: "other" };
      same((await run(subject, 'echo "[$x]"; pwd', other)).stdout, `[]\n${subject.cwd}\n`, "a new session");
      await run(subject, "x=other; cd /", other);
      const inside = subject.cwd === "/" ? "/sub" : `${subject.cwd}/sub`;
      same(
        (await run(subject, 'echo "$x"; pwd', { session: "main" })).stdout,
        `main\n${inside}\n`,
        "the session without a name",
      );
      same((await run(subject, 'echo "$x"; pwd', other)).stdout, "other\n/\n", "the other session");
    },
  },
  {
    name: "session: variables given with a command are there for it",
    check: async (subject) => {
      const env = { GIVEN: "a b", QUOTED: `"it's" $HOME`, LINES: "1\n2", UNICODE_: "é🦊" };
      const ran = await run(subject, 'printf "%s|" "$GIVEN" "$QUOTED" "$LINES" "$UNICODE_"', { env });
      same(ran.stdout, `a b|"it's" $HOME|1\n2|é🦊|`, "the variables");
    },
  },
  {
    name: "session: commands of different sessions run at the same time",
    check: async (subject) => {
      const all = await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          run(subject, `n=${index}; echo $n; echo $n > f${index}; cat f${index}`, { session: `s${index}` }),
        ),
      );
      same(
        all.map(({ stdout }) => stdout),
        Array.from({ length: 5 }, (_, index) => `${index}\n${index}\n`),
        "the outputs",
      );
    },
  },
  {
    name: "session: commands started together in one session do not mix",
    check: async (subject) => {
      const all = await Promise.all(
        Array.from({ length: 5 }, (_, index) => run(subject, `echo a${index}; echo b${index}`)),
      );
      same(
        all.map(({ stdout }) => stdout),
        Array.from({ length: 5 }, (_, index) => `a${index}\nb${index}\n`),
        "the outputs",
      );
    },
  },
];
