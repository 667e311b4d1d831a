/** Puts the text editor into the page. */
import { useEffect, useRef } from "preact/hooks";
import type { EditedText } from "../editor/document.ts";
import { createTextEditor, type TextEditor } from "../editor/text-editor.ts";
import { useStore } from "../store/use-store.ts";

/** Draws the editor of a text. */
export function CodeEditor({ text }: { text: EditedText }) {
  const { keeper } = useStore();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor | null>(null);
  useEffect(() => {
    if (host.current === null) return;
    editor.current = createTextEditor(host.current, (changed) => keeper.edited(changed));
    return () => editor.current?.close();
  }, [keeper]);
  useEffect(() => editor.current?.show(text), [text]);
  return <div ref={host} class="code" onFocusOut={() => void keeper.flush()} />;
}
