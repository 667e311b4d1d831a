/** Tabs, for mouse, keyboard and screen reader (the tabs pattern of WAI-ARIA; arrow keys change the tab at once). */
import type { ComponentChild } from "preact";
import { Icon, type IconName } from "./icon.tsx";

/** One tab. */
export interface Tab<Id extends string> {
  id: Id;
  label: string;
  icon: IconName;
  content(): ComponentChild;
}

/** What tabs need. */
export interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly Tab<Id>[];
  current: Id;
  onChange(id: Id): void;
}

/** Draws the tabs and the content of the current one. */
export function Tabs<Id extends string>({ label, tabs, current, onChange }: TabsProps<Id>) {
  const index = tabs.findIndex(({ id }) => id === current);
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    const steps: Record<string, number> = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1 };
    const step = steps[event.key];
    const next = step === undefined ? undefined : tabs.at(step % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    onChange(next.id);
    event.currentTarget.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, label: name, icon }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-controls="tab-content"
            aria-selected={id === current}
            tabIndex={id === current ? 0 : -1}
            onClick={() => onChange(id)}
          >
            <Icon name={icon} />
            {name}
          </button>
        ))}
      </div>
      <div class="tab-content" id="tab-content" role="tabpanel" aria-labelledby={`tab-${current}`}>
        {tabs[index]?.content()}
      </div>
    </>
  );
}
