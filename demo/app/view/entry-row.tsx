/** One entry of the list of events; opened, it shows the event itself. */
import { useSignal } from "@preact/signals";
import type { TimelineEntry } from "../timeline/entries.ts";
import { factsOf } from "../timeline/groups.ts";
import { formatTime, oneLine } from "./format.ts";

/** Draws the entry. */
export function EntryRow({ entry, since }: { entry: TimelineEntry; since: number }) {
  const { type, category, at, pieces, text, event } = entry;
  const isOpen = useSignal(false);
  return (
    <details
      class="event"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>
        <span class="event-time">+{formatTime(at - since)}</span>
        <span class={`dot is-${category}`} />
        <span class="event-type">{type}</span>
        <span class="event-facts">{oneLine(text === "" ? factsOf(event) : text, 160)}</span>
        {pieces > 1 && <span class="event-pieces">×{pieces}</span>}
      </summary>
      {isOpen.value && <pre>{JSON.stringify(event, null, 2)}</pre>}
    </details>
  );
}
