/**
 * Makes a redirection that cannot be opened fail its command, as in every shell.
 *
 * just-bash expects that a file can always be opened for writing, and breaks as a whole when it cannot. So before each
 * `> file` stands a hidden `< check/file`: opening that fails properly, and the message is put right where it comes out.
 * Words that would do something twice (`> $(next)`) have no check; there a failure ends the script.
 */

import { errorText } from "holdall";
import { literalOf, literalWord, type Redirection, type Script, visit, type Word } from "./syntax.ts";

/** The check of one command line. */
export interface RedirectGuard {
  /** Puts checks into a fresh tree. */
  protect(script: Script): void;
  /** Resolves the path of a check; undefined for any other path. */
  resolve(base: string, path: string, resolve: (base: string, path: string) => string): string | undefined;
  /** The file that a resolved check is about; undefined for any other path. */
  target(path: string): string | undefined;
  /** Notes why a file cannot be opened. */
  fail(target: string, error: unknown): void;
  /** Puts messages of failed checks right. */
  clean(bytes: Uint8Array): Uint8Array;
}

const outputs: ReadonlySet<string> = new Set([">", ">>", ">|", "&>", "&>>"]);
const harmless: ReadonlySet<string> = new Set([
  "Literal",
  "SingleQuoted",
  "DoubleQuoted",
  "Escaped",
  "TildeExpansion",
  "Glob",
]);

/** Files that just-bash opens by itself. */
const built: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/full"]);

/** A descriptor that no script uses. */
const descriptor = 1001;

/**
 * Makes a guard.
 *
 * @param folder A hidden folder, with no slash at its end.
 */
export function createRedirectGuard(folder: string): RedirectGuard {
  const spelled = new Map<string, string>();
  const reasons = new Map<string, string>();
  const isCheck = (path: string): boolean => path.startsWith(`${folder}/`);
  return {
    protect: (script) =>
      visit(script, (node) => {
        if (!("redirections" in node) || !Array.isArray(node.redirections)) return;
        if ("name" in node && literalOf(node.name as Word | null) === "exec") return;
        node.redirections = node.redirections.flatMap((one: Redirection) =>
          needsCheck(one) ? [check(one, folder), one] : [one],
        );
      }),
    resolve: (base, path, resolve) => {
      if (!isCheck(path)) return undefined;
      const target = path.slice(folder.length + 1);
      const resolved = target === "" ? "" : resolve(base, target);
      spelled.set(resolved, target);
      return folder + resolved;
    },
    target: (path) => (isCheck(path) ? path.slice(folder.length) : undefined),
    fail: (target, error) => {
      reasons.set(spelled.get(target) ?? target, reasonOf(error));
    },
    clean: (bytes) => {
      if (reasons.size === 0) return bytes;
      const text = new TextDecoder("latin1").decode(bytes);
      if (!text.includes(`${folder}/`)) return bytes;
      const lines = new TextDecoder().decode(bytes).split("\n");
      return new TextEncoder().encode(lines.map((line) => cleanLine(line, folder, reasons)).join("\n"));
    },
  };
}

function needsCheck({ operator, fdVariable, target }: Redirection): boolean {
  if (!outputs.has(operator) || fdVariable !== undefined || target.type !== "Word") return false;
  return !built.has(literalOf(target) ?? "") && target.parts.every(isHarmless);
}

function isHarmless(part: Word["parts"][number]): boolean {
  if (part.type === "ParameterExpansion") return part.operation === null;
  return harmless.has(part.type) && (part.type !== "DoubleQuoted" || part.parts.every(isHarmless));
}

function check({ target }: Redirection, folder: string): Redirection {
  const parts = target.type === "Word" ? target.parts : [];
  return {
    type: "Redirection",
    fd: descriptor,
    operator: "<",
    target: { type: "Word", parts: [...literalWord(`${folder}/`).parts, ...parts] },
  };
}

function reasonOf(error: unknown): string {
  const [, words = errorText(error)] = /^[A-Z]+: ([^,]+), /.exec(errorText(error)) ?? [];
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function cleanLine(line: string, folder: string, reasons: ReadonlyMap<string, string>): string {
  const at = line.indexOf(`${folder}/`);
  if (at === -1) return line;
  const rest = line.slice(at + folder.length + 1);
  const usual = ": No such file or directory";
  const target = rest.endsWith(usual) ? rest.slice(0, -usual.length) : rest;
  const reason = reasons.get(target);
  return line.slice(0, at) + (reason === undefined ? rest : `${target}: ${reason}`);
}
