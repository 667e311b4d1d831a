/** `mktemp`: makes a file or folder with a name that is not taken. */

import { type ExtraCommand, failure, parseArguments, success } from "./types.ts";

const flags = {
  "-d": false,
  "--directory": false,
  "-u": false,
  "--dry-run": false,
  "-q": false,
  "--quiet": false,
  "-t": false,
  "-p": true,
  "--tmpdir": true,
  "--suffix": true,
};
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** Prints the name; the template's last run of at least three `X` is replaced. The default is `/tmp/tmp.XXXXXXXXXX`. */
export const mktemp: ExtraCommand = {
  name: "mktemp",
  execute: async (args, { fs, cwd, env }) => {
    // `--tmpdir` alone means the default folder.
    const {
      flags: given,
      operands,
      unknown,
    } = parseArguments(
      args.map((arg) => (arg === "--tmpdir" ? "--tmpdir=" : arg)),
      flags,
    );
    if (unknown !== undefined) return failure("mktemp", `unrecognized option '${unknown}'`);
    if (operands.length > 1) return failure("mktemp", "too many templates");
    const [template = "tmp.XXXXXXXXXX"] = operands;
    const slots = /X{3,}(?=[^X]*$)/.exec(template);
    if (slots === null) return failure("mktemp", `too few X's in template '${template}'`);
    const folder =
      given.get("-p") ?? given.get("--tmpdir") ?? (operands.length === 0 || given.has("-t") ? "" : undefined);
    const name = template.replace(slots[0], () => randomLetters(slots[0].length)) + (given.get("--suffix") ?? "");
    const path = folder === undefined ? name : `${folder || env.get("TMPDIR") || "/tmp"}/${name}`;
    const absolute = fs.resolvePath(cwd, path);
    const directory = given.has("-d") || given.has("--directory");
    try {
      if (given.has("-u") || given.has("--dry-run")) return success(`${path}\n`);
      if (directory) await fs.mkdir(absolute);
      else await fs.writeFile(absolute, "");
      await fs.chmod(absolute, directory ? 0o700 : 0o600);
      return success(`${path}\n`);
    } catch (error) {
      const reason =
        error instanceof Error && error.message.startsWith("ENOENT")
          ? "No such file or directory"
          : "Permission denied";
      return failure(
        "mktemp",
        `failed to create ${directory ? "directory" : "file"} via template '${template}': ${reason}`,
      );
    }
  },
};

function randomLetters(count: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) =>
    letters.charAt(byte % letters.length),
  ).join("");
}
