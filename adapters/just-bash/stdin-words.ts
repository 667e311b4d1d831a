/** Gives `/dev/stdin` its meaning: just-bash has no such file, but knows the standard input of each command. */

import { isSimpleCommand, literalOf, literalWord, type Script, visit } from "./syntax.ts";

const path = "/dev/stdin";

/** Commands for which `-` among the arguments is the standard input. */
const dashIsStdin: ReadonlySet<string> = new Set(
  "awk base64 cat comm cut diff expand fold grep egrep fgrep head jq join md5sum nl od paste rev sed sha1sum sha256sum sort split tac tail tee uniq unexpand wc xargs".split(
    " ",
  ),
);

/** Replaces the argument `/dev/stdin` by `-`, and drops the redirection `< /dev/stdin`, in a fresh tree. */
export function resolveStdin(script: Script): void {
  visit(script, (node) => {
    if ("redirections" in node && Array.isArray(node.redirections))
      node.redirections = node.redirections.filter((one) => !readsStdin(one));
    if (!isSimpleCommand(node) || !dashIsStdin.has(literalOf(node.name) ?? "")) return;
    node.args = node.args.map((word) => (literalOf(word) === path ? literalWord("-") : word));
  });
}

function readsStdin(redirection: {
  operator?: unknown;
  fd?: unknown;
  target?: Parameters<typeof literalOf>[0];
}): boolean {
  return redirection.operator === "<" && (redirection.fd ?? 0) === 0 && literalOf(redirection.target ?? null) === path;
}
