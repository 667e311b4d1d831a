/** The tab of the script. */
import { runScript, scriptTask } from "../drive/drivers.ts";
import { useStore } from "../store/use-store.ts";

/** Draws the tab. */
export function ScriptTab() {
  const store = useStore();
  const isSample = store.workspace.value.isSample;
  return (
    <div class="setup">
      <p>
        <strong>This is a script, not a model.</strong>{" "}
        <span class="more">
          It needs no key and says the same each time, but its tool calls are real: they work on the files here, and ask
          you first.
          {!isSample && " It was written for the sample; with your files it lists, reads, searches and leaves a note."}
        </span>
      </p>
      <div class="task-row">
        <q class="task">{scriptTask(store)}</q>
        <button
          type="button"
          class="button main"
          disabled={store.run.value !== undefined}
          onClick={() => void runScript(store)}
        >
          Run the script
        </button>
      </div>
    </div>
  );
}
