/** `tar`, `gzip`, `unzip` and their kin: reading what is in an archive, or writing. */

import type { Call } from "../state.ts";
import { refuseHazard } from "./call.ts";
import { type Grammar, readGrammar } from "./grammar.ts";
import { givenOption, judgeOperands, readOptions, valueText } from "./options.ts";

const sources = {
  tar: "R -tzjJavZk f< C: list gzip gunzip bzip2 xz zstd auto-compress verbose wildcards no-wildcards numeric-owner full-time force-local file< directory: exclude: strip-components: occurrence? | t*",
  // To the standard output anything goes; else the last of -t, -l and -d counts.
  stdout: "R -cdklntvqfN19 stdout to-stdout list test decompress uncompress keep quiet verbose force | r*",
  test: "R -ltvqN list test quiet verbose | r*",
  unzip: "R -lvtpZ1qzC | r t*",
};
const grammars = new Map<string, Grammar>();

/** Judges an archiver that only looks; false where it may change something, and its other grammar applies. */
export function judgeArchive(call: Call): boolean {
  const { name } = call;
  const [first] = call.args;
  // Behind `--` nothing is an option.
  const end = call.args.findIndex(({ text }) => text === "--");
  const options = end < 0 ? call.args : call.args.slice(0, end);
  if (name === "tar" || name === "bsdtar") {
    // The first word may be a cluster without its dash.
    const text = first?.text ?? "";
    const old = /^[tzjJavZ]*f?$/.test(text) && text !== "";
    // Any other first word without a dash is such a cluster, too.
    if (!old && !text.startsWith("-")) return false;
    if (!(old && text.includes("t")) && !options.some((option) => /^(-[zjJavZ]*t|--list$)/.test(option.text ?? "")))
      return false;
    const args =
      old && first !== undefined
        ? [{ ...first, text: `-${text}`, prefix: `-${text}` }, ...call.args.slice(1)]
        : call.args;
    return read({ ...call, args }, "tar");
  }
  if (/^(gzip|gunzip|bzip2|bunzip2|xz|unxz)$/.test(name)) {
    const looks = (pattern: RegExp): boolean => options.some(({ text }) => text !== undefined && pattern.test(text));
    if (looks(/^-[a-zA-Z]*c|^--(to-)?stdout$/)) return read(call, "stdout");
    return looks(/^-[a-zA-Z]*[lt]|^--(list|test)$/) && read(call, "test");
  }
  if (name === "unzip" && /^-[lvtpZ]/.test(first?.text ?? "")) return read(call, "unzip");
  return false;
}

function read(call: Call, kind: keyof typeof sources): boolean {
  const grammar = grammars.get(kind) ?? readGrammar(sources[kind]);
  grammars.set(kind, grammar);
  const parsed = readOptions(call, grammar);
  judgeOperands(call, parsed);
  if (kind !== "tar") return true;
  const file = givenOption(parsed, ["f", "file"]);
  // Without a file it is a tape, with a colon a file of another machine.
  if (valueText(file?.value)?.includes(":") !== false) refuseHazard(call, "option", file?.index ?? 0);
  return true;
}
