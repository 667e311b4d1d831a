/** What two parsers make of a line, written alike: every simple command with what is known of its words. */

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Assignment, forEachChild, parse, type SyntaxNode, type Word, type WordPart } from "unbash";

/** A reading: one text per simple command, sorted; undefined where the parser refuses the line. */
export type Reading = readonly string[] | undefined;

/** Stands for a word that is not known before the line runs; the other parser's file has the same. */
export const unknown = "\u2026";

/** Milliseconds and megabytes that the other parser gets for one line: on some broken ones it comes to no end. */
const MOST_TIME = 2000;
const MOST_MEMORY = 256;

/** Reads with the parser that the analysis uses. */
export function readWithUnbash(line: string): Reading {
  const commands: string[] = [];
  let failed = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Script" && (node.errors?.length ?? 0) > 0) failed = true;
    if (node.type === "Command" && (node.name !== undefined || node.redirects.length > 0)) {
      const words = [node.name, ...node.args].map((word) => toText(word));
      const redirects = node.redirects.map((redirect) => redirect.operator);
      commands.push([...words.filter((word) => word !== ""), ...redirects].join(" "));
    }
    forEachChild(node, visit);
  };
  visit(parse(line));
  return failed ? undefined : commands.sort();
}

/** Reads with the parser of the shell in the browser, in a thread that can be ended. */
export interface JustBashReader {
  /** `null` where the parser came to no end. */
  read(line: string): Promise<Reading | null>;
  close(): Promise<void>;
}

/** Starts a reader. */
export function openJustBashReader(): JustBashReader {
  let worker: Promise<Worker> | undefined;
  const end = async (): Promise<void> => {
    const old = await worker;
    worker = undefined;
    await old?.terminate();
  };
  return {
    async read(line) {
      worker ??= startWorker();
      const reading = await ask(await worker, line);
      if (reading === null) await end();
      return reading;
    },
    close: end,
  };
}

/** Loading the parser takes longer than any line may. */
async function startWorker(): Promise<Worker> {
  const worker = new Worker(new URL("./just-bash-reader.mjs", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
  });
  await once(worker, "message");
  return worker;
}

function ask(worker: Worker, line: string): Promise<Reading | null> {
  return new Promise((resolve) => {
    const settle = (reading: Reading | null): void => {
      clearTimeout(timer);
      worker.off("message", settle);
      resolve(reading);
    };
    const timer = setTimeout(() => settle(null), MOST_TIME);
    worker.once("message", settle);
    worker.removeAllListeners("error").once("error", () => settle(null));
    worker.postMessage(line);
  });
}

function toText(word: Word | Assignment | undefined): string {
  if (word === undefined) return "";
  if (word.type === "Word") return wordText(word.value, word.parts);
  const { name, append, index, value } = word;
  const target = `${name}${index === undefined ? "" : `[${index.text}]`}${append ? "+" : ""}=`;
  if (value.type === "Word") return target + wordText(value.value, value.parts);
  const elements = value.elements.map((element) => wordText(element.value, element.parts));
  return elements.includes(unknown) ? unknown : `${target}(${elements.join(" ")})`;
}

function wordText(value: string, parts: readonly WordPart[] | undefined): string {
  return (parts ?? []).every(isKnown) ? value : unknown;
}

function isKnown(part: WordPart): boolean {
  if (part.type === "DoubleQuoted") return part.parts.every((inner) => inner.type === "Literal");
  return /^(Literal|Glob|SingleQuoted|AnsiCQuoted)$/.test(part.type);
}
