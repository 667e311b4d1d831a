/** On narrow screens: which of the panes is shown. */
import type { Pane } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";
import { Icon, type IconName } from "./icon.tsx";

const panes: readonly { pane: Pane; label: string; icon: IconName }[] = [
  { pane: "files", label: "Files", icon: "folder" },
  { pane: "editor", label: "Editor", icon: "edit" },
  { pane: "events", label: "Events", icon: "list" },
  { pane: "agent", label: "Agent", icon: "spark" },
];

/** Draws the switch. */
export function PaneSwitch() {
  const store = useStore();
  return (
    <nav class="switch" aria-label="Panes">
      {panes.map(({ pane, label, icon }) => (
        <button
          key={pane}
          type="button"
          aria-current={store.pane.value === pane ? "true" : undefined}
          onClick={() => {
            store.pane.value = pane;
          }}
        >
          <Icon name={icon} />
          {label}
        </button>
      ))}
    </nav>
  );
}
