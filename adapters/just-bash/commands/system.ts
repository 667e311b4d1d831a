/** Commands about the machine and the process, for a shell that has neither. */

import { type ExtraCommand, failure, success } from "./types.ts";

/** Accepts every trap and says which of them will not run. */
export const trap: ExtraCommand = {
  name: "trap",
  execute: async (args) => {
    const [action, ...signals] = args[0] === "--" ? args.slice(1) : args;
    const resets =
      action === undefined ||
      action === "-" ||
      action === "" ||
      action === "-l" ||
      action === "-p" ||
      signals.length === 0;
    if (resets) return success();
    return success("", `trap: this shell runs no traps: the commands for ${signals.join(", ")} are ignored\n`);
  },
};

/** Prints the mask; there is none to set. */
export const umask: ExtraCommand = {
  name: "umask",
  execute: async (args) => success(args.length === 0 ? "0022\n" : args.includes("-S") ? "u=rwx,g=rx,o=rx\n" : ""),
};

/** Prints that nothing is limited by the host; limits cannot be set. */
export const ulimit: ExtraCommand = {
  name: "ulimit",
  execute: async (args) => success(args.some((arg) => /^\d+$/.test(arg)) ? "" : "unlimited\n"),
};

/** Prints that there is one processor: a script that starts as many jobs as this starts one. */
export const nproc: ExtraCommand = {
  name: "nproc",
  execute: async () => success("1\n"),
};

const system: readonly (readonly [flag: string, long: string, value: string])[] = [
  ["s", "--kernel-name", "Linux"],
  ["n", "--nodename", "localhost"],
  ["r", "--kernel-release", "5.15.0-generic"],
  ["v", "--kernel-version", "#1 SMP PREEMPT"],
  ["m", "--machine", "x86_64"],
  ["o", "--operating-system", "GNU/Linux"],
];

/** Prints what just-bash says of itself elsewhere, such as in `$OSTYPE`. */
export const uname: ExtraCommand = {
  name: "uname",
  execute: async (args) => {
    const long = args.filter((arg) => arg.startsWith("--"));
    const short = args.filter((arg) => /^-[^-]/.test(arg)).flatMap((arg) => [...arg.slice(1)]);
    const wrong = short.find((flag) => flag !== "a" && !system.some(([one]) => one === flag));
    if (wrong !== undefined) return failure("uname", `invalid option -- '${wrong}'`);
    const all = short.includes("a") || long.includes("--all");
    const wanted = system.filter(([flag, name]) => all || short.includes(flag) || long.includes(name));
    return success(`${(wanted.length > 0 ? wanted : system.slice(0, 1)).map(([, , value]) => value).join(" ")}\n`);
  },
};

/** Runs a command; nothing hangs up here. */
export const nohup: ExtraCommand = {
  name: "nohup",
  execute: async ([command, ...args], { exec, cwd, exportedEnv, signal }) => {
    if (command === undefined) return failure("nohup", "missing operand", 125);
    if (exec === undefined) return failure("nohup", `failed to run command '${command}'`, 126);
    const quoted = `'${command.replaceAll("'", "'\\''")}'`;
    return exec(quoted, { cwd, args, ...(exportedEnv && { env: exportedEnv }), ...(signal && { signal }) });
  },
};
