/** `realpath`: resolves paths. */

import { baseName, isInside, parentPath } from "holdall";
import { type CommandContext, type ExtraCommand, failure, parseArguments, success } from "./types.ts";

const flags = {
  "-e": false,
  "--canonicalize-existing": false,
  "-m": false,
  "--canonicalize-missing": false,
  "-s": false,
  "--strip": false,
  "--no-symlinks": false,
  "-q": false,
  "--quiet": false,
  "-z": false,
  "--zero": false,
  "--relative-to": true,
};

/** Prints the absolute path of each operand; of a missing one only when its folder is there, or with `-m`. */
export const realpath: ExtraCommand = {
  name: "realpath",
  execute: async (args, context) => {
    const { flags: given, operands, unknown } = parseArguments(args, flags);
    if (unknown !== undefined) return failure("realpath", `unrecognized option '${unknown}'`);
    if (operands.length === 0) return failure("realpath", "missing operand");
    const end = given.has("-z") || given.has("--zero") ? "\0" : "\n";
    const base = given.get("--relative-to");
    const result = success();
    for (const operand of operands) {
      const path = await resolve(operand, given, context);
      if (path === undefined) {
        result.exitCode = 1;
        if (!given.has("-q") && !given.has("--quiet"))
          result.stderr += `realpath: ${operand}: No such file or directory\n`;
      } else {
        result.stdout += (base === undefined ? path : relative(path, context.fs.resolvePath(context.cwd, base))) + end;
      }
    }
    return result;
  },
};

async function resolve(
  operand: string,
  given: ReadonlyMap<string, string>,
  { fs, cwd }: CommandContext,
): Promise<string | undefined> {
  if (operand === "") return undefined;
  const path = fs.resolvePath(cwd, operand);
  const strip = given.has("-s") || given.has("--strip") || given.has("--no-symlinks");
  if (await fs.exists(path)) return strip ? path : fs.realpath(path);
  if (given.has("-m") || given.has("--canonicalize-missing")) return path;
  if (given.has("-e") || given.has("--canonicalize-existing") || !(await fs.exists(parentPath(path)))) return undefined;
  const folder = strip ? parentPath(path) : await fs.realpath(parentPath(path));
  return `${folder === "/" ? "" : folder}/${baseName(path)}`;
}

function relative(path: string, base: string): string {
  let up = "";
  let shared = base;
  while (!isInside(path, shared)) {
    shared = parentPath(shared);
    up += "../";
  }
  const rest = path.slice(shared === "/" ? 1 : shared.length + 1);
  return (up + rest).replace(/(?<=.)\/$/, "") || ".";
}
