/** The pane of the files: opening them, the tree, and taking them away. */
import type { ComponentChildren } from "preact";
import { downloadAll } from "../store/download.ts";
import { openPicked, openSample } from "../store/open.ts";
import { attempt, type Notice } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";
import { count, formatBytes } from "../text/format.ts";
import { MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES } from "../workspace/limits.ts";
import { fromInput } from "../workspace/picked-files.ts";
import { FileTree } from "./file-tree.tsx";
import { Icon } from "./icon.tsx";

/** Draws the pane. */
export function FilesPane() {
  const store = useStore();
  const files = store.entries.value.filter(({ kind }) => kind === "file");
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const { workspace } = store;
  return (
    <section class="pane files" aria-labelledby="files-title">
      <header class="pane-head">
        <h2 id="files-title" class="workspace-name" title={workspace.value.name}>
          {workspace.value.name}
        </h2>
        <button
          type="button"
          class="plain-button"
          title="Download all files as a ZIP"
          disabled={files.length === 0}
          onClick={() => attempt(store, downloadAll(store))}
        >
          <Icon name="download" />
          <span class="unseen">Download all files as a ZIP</span>
        </button>
      </header>
      <fieldset class="openers" aria-label="Open a workspace">
        <Picker name="pick-files">Files…</Picker>
        <Picker name="pick-folder" isFolder>
          Folder…
        </Picker>
        <button type="button" class="small-button" onClick={() => attempt(store, openSample(store))}>
          Sample
        </button>
      </fieldset>
      {store.notice.value && <NoticeBox notice={store.notice.value} />}
      <FileTree />
      <p class="hint">
        {count(files.length, "file")}, {formatBytes(bytes)}. You can drop others anywhere: up to{" "}
        {MAX_FILES.toLocaleString("en")}, {formatBytes(MAX_FILE_BYTES)} each, {formatBytes(MAX_TOTAL_BYTES)} in all.
      </p>
    </section>
  );
}

/** A file input that looks like the buttons beside it. */
function Picker({
  name,
  isFolder = false,
  children,
}: {
  name: string;
  isFolder?: boolean;
  children: ComponentChildren;
}) {
  const store = useStore();
  const take = ({ currentTarget }: { currentTarget: HTMLInputElement }): void => {
    const picked = fromInput(currentTarget.files ?? new DataTransfer().files);
    // Otherwise the same files could not be picked a second time.
    currentTarget.value = "";
    if (picked.length > 0) attempt(store, openPicked(store, picked));
  };
  const prepare = (input: HTMLInputElement | null): void => {
    if (input !== null) input.webkitdirectory = isFolder;
  };
  return (
    <label class="small-button">
      <input ref={prepare} class="unseen" type="file" name={name} multiple onChange={take} />
      {children}
    </label>
  );
}

function NoticeBox({ notice: { tone, text, details = [] } }: { notice: Notice }) {
  const { notice } = useStore();
  const close = (): void => {
    notice.value = undefined;
  };
  return (
    <div class={`notice ${tone}`} role="status">
      <div>
        {text}
        {details.length > 0 && (
          <details>
            <summary>Which, and why</summary>
            <ul>
              {details.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <button type="button" class="plain-button" onClick={close}>
        <Icon name="close" />
        <span class="unseen">Close this message</span>
      </button>
    </div>
  );
}
