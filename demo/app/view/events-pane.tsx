/** The pane of the events: all that the agent and its tools tell, as it happens. */
import { useComputed, useSignal } from "@preact/signals";
import { useStore } from "../store/use-store.ts";
import { count, formatTime } from "../text/format.ts";
import type { Category } from "../timeline/entries.ts";
import { groupEntries, type TimelineItem } from "../timeline/groups.ts";
import { EntryRow } from "./entry-row.tsx";
import { Icon } from "./icon.tsx";
import { useStickToEnd } from "./stick-to-end.ts";

const categories: readonly { category: Category; label: string }[] = [
  { category: "reply", label: "Reply" },
  { category: "model", label: "Model" },
  { category: "text", label: "Text" },
  { category: "call", label: "Calls" },
  { category: "permission", label: "Questions" },
  { category: "progress", label: "Progress" },
];

/** Draws the pane. */
export function EventsPane() {
  const { events } = useStore();
  const hidden = useSignal<ReadonlySet<Category>>(new Set());
  const text = useSignal("");
  const items = useComputed(() => groupEntries(events.value, { hidden: hidden.value, text: text.value }));
  const toggle = (category: Category): void => {
    const next = new Set(hidden.value);
    if (!next.delete(category)) next.add(category);
    hidden.value = next;
  };
  const number = events.value.reduce((sum, { pieces }) => sum + pieces, 0);
  return (
    <section class="pane events" aria-labelledby="events-title">
      <header class="pane-head">
        <h2 id="events-title">Events</h2>
        <span class="quiet">{number > 0 && count(number, "event")}</span>
        <label class="filter-text">
          <span class="unseen">Filter events by text</span>
          <Icon name="search" />
          <input
            type="search"
            placeholder="Filter"
            value={text}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </label>
      </header>
      <fieldset class="chips filter" aria-label="Kinds of events">
        {categories.map(({ category, label }) => (
          <button
            key={category}
            type="button"
            class="chip"
            aria-pressed={!hidden.value.has(category)}
            onClick={() => toggle(category)}
          >
            {label}
          </button>
        ))}
      </fieldset>
      {events.value[0] === undefined ? (
        <p class="empty">Run something, and every event shows here.</p>
      ) : (
        <EventList items={items.value} since={events.value[0].at} />
      )}
    </section>
  );
}

function EventList({ items, since }: { items: readonly TimelineItem[]; since: number }) {
  const scroller = useStickToEnd<HTMLElement>();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section ref={scroller} class="events-list scroll" tabIndex={0} aria-label="List of events">
      <ol>
        {items.map((item) => (
          <li key={item.key}>
            {item.kind === "entry" ? (
              <EntryRow entry={item.entry} since={since} />
            ) : (
              <CallGroup group={item} since={since} />
            )}
          </li>
        ))}
        {items.length === 0 && <li class="empty">No event fits the filter.</li>}
      </ol>
    </section>
  );
}

function CallGroup({ group, since }: { group: Extract<TimelineItem, { kind: "call" }>; since: number }) {
  const { name, state, startedAt, endedAt, entries } = group;
  return (
    <details class="event-group">
      <summary>
        <span class="event-time">+{formatTime(startedAt - since)}</span>
        <span class={`dot is-${state}`} />
        <span class="event-name">{name}</span>
        <span class="quiet">
          {state}
          {endedAt !== undefined && ` in ${formatTime(endedAt - startedAt)}`},{" "}
          {count(
            entries.reduce((sum, { pieces }) => sum + pieces, 0),
            "event",
          )}
        </span>
      </summary>
      <ol>
        {entries.map((entry) => (
          <li key={entry.key}>
            <EntryRow entry={entry} since={since} />
          </li>
        ))}
      </ol>
    </details>
  );
}
