/** The modes of permission in the words of the page. */
import type { PermissionMode } from "holdall";

/** One mode. */
export interface Mode {
  mode: PermissionMode;
  label: string;
  hint: string;
}

/** All modes, the usual one first. */
export const modes: readonly Mode[] = [
  { mode: "default", label: "Ask first", hint: "Reading is free; everything else asks you." },
  { mode: "accept_edits", label: "Accept edits", hint: "Edits of files pass; commands ask you." },
  { mode: "explore", label: "Look only", hint: "Only reading; everything else is denied." },
  { mode: "dont_ask", label: "Never ask", hint: "What would ask you is denied." },
  { mode: "bypass", label: "Allow everything", hint: "Nothing asks you. Only deny rules still hold." },
];
