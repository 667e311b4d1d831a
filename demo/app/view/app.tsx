/** The page: a bar on top, four panes, and what lies over them. */
import { useEffect } from "preact/hooks";
import { useStore } from "../store/use-store.ts";
import { hasChanges } from "../store/watch.ts";
import { AgentPane } from "./agent-pane.tsx";
import { AskDialog } from "./ask-dialog.tsx";
import { DropZone } from "./drop-zone.tsx";
import { EditorPane } from "./editor-pane.tsx";
import { EventsPane } from "./events-pane.tsx";
import { FilesPane } from "./files-pane.tsx";
import { OfferDialog } from "./offer-dialog.tsx";
import { OutlookDialog } from "./outlook-dialog.tsx";
import { PaneSwitch } from "./pane-switch.tsx";
import { TopBar } from "./top-bar.tsx";

/** Draws the whole page. */
export function App() {
  const store = useStore();
  useEffect(() => warnBeforeLeaving(() => !store.workspace.value.isSample && hasChanges(store)), [store]);
  return (
    <>
      <a class="skip" href="#agent">
        Skip to the agent
      </a>
      <TopBar />
      <main class="panes" data-pane={store.pane.value}>
        <FilesPane />
        <EditorPane />
        <EventsPane />
        <AgentPane />
      </main>
      <PaneSwitch />
      <DropZone />
      <OfferDialog />
      <AskDialog />
      <OutlookDialog />
      <p class="unseen" role="status" aria-live="polite">
        {store.announcement}
      </p>
    </>
  );
}

/** Files that were changed here are nowhere else. */
function warnBeforeLeaving(isWorthIt: () => boolean): () => void {
  const warn = (event: BeforeUnloadEvent): void => {
    if (isWorthIt()) event.preventDefault();
  };
  addEventListener("beforeunload", warn);
  return () => removeEventListener("beforeunload", warn);
}
