/** A CodeMirror editor in a shadow root. There it brings its styles as sheets made by script, which a strict CSP allows. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { Annotation, EditorState, type Extension, Transaction } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { EditedText } from "./document.ts";
import { languageOf } from "./languages.ts";
import { editorTheme } from "./theme.ts";

/** The editor of the page. */
export interface TextEditor {
  /** Shows a text. The same file with another text keeps cursor, scroll position and undo history. */
  show(text: EditedText): void;
  close(): void;
}

/** Marks what did not come from the person. */
const fromOutside = Annotation.define<boolean>();

/** Makes an editor. `onEdit` gets the whole text each time the person has changed it. */
export function createTextEditor(host: HTMLElement, onEdit: (text: string) => void): TextEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const view = new EditorView({ root, parent: root });
  let shown: EditedText | undefined;
  const tell = EditorView.updateListener.of((update) => {
    const isOwn = update.transactions.every((transaction) => transaction.annotation(fromOutside) !== true);
    if (update.docChanged && isOwn) onEdit(update.state.sliceDoc());
  });
  return {
    show(next) {
      const isSame = shown?.path === next.path && shown.lineBreak === next.lineBreak;
      shown = next;
      if (!isSame) view.setState(EditorState.create({ doc: next.text, extensions: extensionsFor(next, tell) }));
      else if (view.state.sliceDoc() !== next.text) view.dispatch(changeTo(view.state, next.text));
    },
    close: () => view.destroy(),
  };
}

function extensionsFor({ path, text, lineBreak }: EditedText, tell: Extension): Extension[] {
  return [
    // With a fixed line break, any other stays in the text as it is. Without, a pasted CR LF becomes LF.
    text.includes("\r") ? EditorState.lineSeparator.of(lineBreak) : [],
    lineNumbers(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    // Tab is left to the page, so that the keyboard gets out again.
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.contentAttributes.of({ "aria-label": `Text of ${path}` }),
    languageOf(path, text.length),
    // Prose has no lines of its own.
    /\.(?:md|txt)$/i.test(path) ? EditorView.lineWrapping : [],
    editorTheme,
    tell,
  ];
}

/** Replaces only what differs, so that the cursor stays where it was. */
function changeTo(state: EditorState, text: string): Parameters<EditorView["dispatch"]>[0] {
  const before = state.doc;
  const after = state.toText(text);
  const length = Math.min(before.length, after.length);
  const [old, fresh] = [before.toString(), after.toString()];
  let from = 0;
  while (from < length && old[from] === fresh[from]) from += 1;
  let tail = 0;
  while (tail < length - from && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1;
  return {
    changes: { from, to: before.length - tail, insert: after.slice(from, after.length - tail) },
    annotations: [fromOutside.of(true), Transaction.addToHistory.of(false)],
  };
}
