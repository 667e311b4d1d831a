/** One entry of the list of events; opened, it shows the event itself. */
import { useSignal } from "@preact/signals";
import { formatTime, oneLine } from "../text/format.ts";
import type { TimelineEntry } from "../timeline/entries.ts";
import { factsOf } from "../timeline/groups.ts";

/** Draws the entry. */
export function EntryRow({ entry, since }: { entry: TimelineEntry; since: number }) {
  const { type, at, pieces, text, event } = entry;
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
        <span class={`dot is-${toneOf(entry)}`} />
        <span class="event-type">{type}</span>
        <span class="event-facts">{oneLine(text === "" ? factsOf(event) : text, 160)}</span>
        {pieces > 1 && <span class="event-pieces">×{pieces}</span>}
      </summary>
      {isOpen.value && <pre>{JSON.stringify(event, null, 2)}</pre>}
    </details>
  );
}

/** A reply that did not come to its end is no good news, whatever kind of event tells it. */
function toneOf({ category, event }: TimelineEntry): string {
  if (event.type !== "REPLY_END") return category;
  return event.finishedReason === "completed" ? "success" : event.finishedReason === "error" ? "error" : "interrupted";
}
