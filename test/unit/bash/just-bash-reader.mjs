/** A thread that reads lines with the parser of the shell in the browser, and answers what `readWithUnbash` would say. */
import { parentPort } from "node:worker_threads";
import { parse } from "just-bash";

const unknown = "\u2026";

parentPort?.on("message", (line) => parentPort?.postMessage(read(line)));
parentPort?.postMessage("ready");

function read(line) {
  const commands = [];
  try {
    collect(parse(line), commands);
  } catch {
    return undefined;
  }
  return commands.sort();
}

function isNode(value) {
  return typeof value === "object" && value !== null;
}

function collect(node, commands) {
  if (Array.isArray(node)) {
    for (const one of node) collect(one, commands);
    return;
  }
  if (!isNode(node)) return;
  if (node.type === "SimpleCommand") {
    const { name, args, redirections } = node;
    const words = [name, ...(Array.isArray(args) ? args : [])].map((word) => (isNode(word) ? justBashText(word) : ""));
    const operators = Array.isArray(redirections) ? redirections.map((one) => one.operator) : [];
    const text = [...words.filter((word) => word !== ""), ...operators].join(" ");
    if (text !== "") commands.push(text);
  }
  if (node.type === "Statement" && node.deferredError !== undefined) throw new Error("a deferred error");
  for (const value of Object.values(node)) collect(value, commands);
}

function justBashText({ parts }) {
  let text = "";
  for (const part of Array.isArray(parts) ? parts : []) {
    if (part.type === "DoubleQuoted") {
      const inner = justBashText(part);
      if (inner === unknown) return unknown;
      text += inner;
    } else if (/^(Literal|SingleQuoted|Escaped)$/.test(part.type ?? "")) text += String(part.value);
    else if (part.type === "Glob") text += String(part.pattern);
    else if (part.type === "TildeExpansion") text += `~${typeof part.user === "string" ? part.user : ""}`;
    else return unknown;
  }
  return text;
}
