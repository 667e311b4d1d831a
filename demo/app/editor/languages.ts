/** Chooses how a file is coloured by its name. */
import { css } from "@codemirror/lang-css";
import { html } from "@codemirror/lang-html";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { StreamLanguage } from "@codemirror/language";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import type { Extension } from "@codemirror/state";
import { extension } from "holdall";

const byExtension: Readonly<Record<string, () => Extension>> = {
  ".bash": () => StreamLanguage.define(shell),
  ".cjs": () => javascript(),
  ".css": () => css(),
  ".cts": () => javascript({ typescript: true }),
  ".htm": () => html(),
  ".html": () => html(),
  ".js": () => javascript(),
  ".json": () => json(),
  ".jsx": () => javascript({ jsx: true }),
  ".map": () => json(),
  ".md": () => markdown(),
  ".mjs": () => javascript(),
  ".mts": () => javascript({ typescript: true }),
  ".sh": () => StreamLanguage.define(shell),
  ".svg": () => html(),
  ".ts": () => javascript({ typescript: true }),
  ".tsx": () => javascript({ jsx: true, typescript: true }),
  ".xml": () => html(),
};

/** Longer texts are shown without colours, so that typing stays quick. */
const MAX_COLOURED = 500_000;

/** Gives the language of a file; nothing for one that is not known. */
export function languageOf(path: string, length: number): Extension {
  return length > MAX_COLOURED ? [] : (byExtension[extension(path)]?.() ?? []);
}
