/** Finds the words that tell a call from the others. */
import { relativePath, type ToolCallBlock } from "holdall";
import { ROOT } from "../workspace/limits.ts";
import type { IconName } from "./icon.tsx";

/** How a call is shown. */
export interface CallText {
  icon: IconName;
  /** A path, a pattern, or what the model says the call is for. */
  subject: string;
  /** The command line, for a shell. */
  command: string | undefined;
}

const icons: Readonly<Record<string, IconName>> = {
  Bash: "terminal",
  Edit: "edit",
  Glob: "search",
  Grep: "search",
  Read: "file",
  Write: "edit",
};

/** Describes a call by its input, as far as that has been written. */
export function describeCall({ name, input }: Pick<ToolCallBlock, "name" | "input">): CallText {
  const values = readInput(input);
  const text = (key: string): string | undefined => (typeof values[key] === "string" ? values[key] : undefined);
  const path = text("file_path");
  return {
    icon: icons[name] ?? "spark",
    subject: path === undefined ? (text("pattern") ?? text("description") ?? "") : relativePath(path, ROOT),
    command: text("command"),
  };
}

/** Lays the input out; text that is not JSON (yet) stays as it is. */
export function prettyInput(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input), null, 2);
  } catch {
    return input;
  }
}

/** Reads an input as an object; empty while it is not complete. */
export function readInput(input: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
