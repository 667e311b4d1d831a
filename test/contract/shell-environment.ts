/** Contract cases about the variables that commands find. */

import { SHELL_ENVIRONMENT } from "holdall";
import { same } from "./expect.ts";
import { run, type ShellCase } from "./shell-subject.ts";

/** Cases about the environment. */
export const shellEnvironmentCases: readonly ShellCase[] = [
  {
    name: "environment: has nothing of the host's beyond the allow list",
    check: async (subject) => {
      // Written by every program and script runner there is, and by tests of an adapter on purpose.
      const { stdout } = await run(subject, "env | sed -n 's/^\\([A-Za-z_][A-Za-z0-9_]*\\)=.*/\\1/p' | sort");
      const names = stdout.split("\n").filter((name) => name !== "");
      same(
        names.filter((name) => !isOfShell.test(name) && !isAllowed(name)),
        [],
        "the variables that are neither allowed nor the shell's own",
      );
    },
  },
  {
    name: "environment: a variable that is given for one command is gone for the next",
    check: async (subject) => {
      const env = { GIVEN_ONCE: "yes" };
      same((await run(subject, 'echo "[$GIVEN_ONCE]"', { env })).stdout, "[yes]\n", "the command it is given to");
      same((await run(subject, 'echo "[$GIVEN_ONCE]"')).stdout, "[]\n", "the next command");
    },
  },
  {
    name: "environment: an exported variable reaches the programs of later commands",
    check: async (subject) => {
      await run(subject, "export PASSED_ON='a b'");
      same((await run(subject, "env | grep '^PASSED_ON='")).stdout, "PASSED_ON=a b\n", "the next command");
    },
  },
];

/** What a shell sets by itself. */
const isOfShell =
  /^(_|PWD|OLDPWD|SHLVL|IFS|PS[0-9]|OPTIND|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|EUID|UID|PPID|SHELLOPTS|BASH.*)$/;

function isAllowed(name: string): boolean {
  return SHELL_ENVIRONMENT.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one));
}
