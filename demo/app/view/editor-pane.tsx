/** The pane of the editor: one file as text, or what has changed in it. */
import { baseName, relativePath } from "holdall";
import type { OpenDocument } from "../editor/document.ts";
import { downloadFile } from "../store/download.ts";
import { attempt } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";
import { ROOT } from "../workspace/limits.ts";
import { BytesView } from "./bytes-view.tsx";
import { ChangesView } from "./changes-view.tsx";
import { CodeEditor } from "./code-editor.tsx";
import { Icon } from "./icon.tsx";

const savingTexts = { saved: "Saved", editing: "Editing…", conflict: "Conflict" } as const;

/** Draws the pane. */
export function EditorPane() {
  const { document } = useStore();
  return (
    <section class="pane editor" aria-labelledby="editor-title">
      {document.value === undefined ? <Nothing /> : <Opened document={document.value} />}
    </section>
  );
}

function Nothing() {
  return (
    <>
      <header class="pane-head">
        <h2 id="editor-title">Editor</h2>
      </header>
      <p class="empty">Choose a file to read or edit it.</p>
    </>
  );
}

function Opened({ document: { path, content, loaded } }: { document: OpenDocument }) {
  const store = useStore();
  const { editorView, saving, statuses } = store;
  const status = statuses.value.get(path) ?? "same";
  const isText = content.kind === "text";
  const showsChanges = editorView.value === "changes" && status !== "same";
  return (
    <>
      <header class="pane-head">
        <h2 id="editor-title" class="path" title={path}>
          <span>{relativePath(path, ROOT).slice(0, -baseName(path).length)}</span>
          {baseName(path)}
        </h2>
        {isText && <span class={`quiet saving ${saving.value}`}>{savingTexts[saving.value]}</span>}
        {status !== "same" && (
          <button
            type="button"
            class="small-button"
            aria-pressed={showsChanges}
            onClick={() => {
              editorView.value = showsChanges ? "text" : "changes";
            }}
          >
            Changes
          </button>
        )}
        {content.kind !== "missing" && (
          <button
            type="button"
            class="plain-button"
            title="Download this file"
            onClick={() => attempt(store, downloadFile(store, path))}
          >
            <Icon name="download" />
            <span class="unseen">Download this file</span>
          </button>
        )}
      </header>
      {saving.value === "conflict" && <Conflict />}
      <div class="pane-body">
        {showsChanges && <ChangesView path={path} content={content} />}
        {/* Kept in the page while the changes are shown, so that cursor and undo history survive. */}
        <div class="fill" hidden={showsChanges}>
          {loaded === undefined ? <BytesView path={path} content={content} /> : <CodeEditor text={loaded} />}
        </div>
      </div>
    </>
  );
}

function Conflict() {
  const { keeper } = useStore();
  return (
    <div class="notice bad" role="alert">
      <div>Somebody else changed this file while you typed.</div>
      <button type="button" class="small-button" onClick={() => void keeper.settle("mine")}>
        Keep mine
      </button>
      <button type="button" class="small-button" onClick={() => void keeper.settle("theirs")}>
        Take theirs
      </button>
    </div>
  );
}
