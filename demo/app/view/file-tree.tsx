/** The tree of files, for mouse, keyboard and screen reader (the tree pattern of WAI-ARIA). */
import { useComputed, useSignal } from "@preact/signals";
import { parentPath } from "holdall";
import { useRef } from "preact/hooks";
import { useStore } from "../store/use-store.ts";
import { type TreeRow, visibleRows } from "../workspace/tree.ts";
import { Icon } from "./icon.tsx";
import { nextRow } from "./tree-keys.ts";

const marks = { same: "", new: "new", changed: "changed" } as const;

/** Draws the tree. */
export function FileTree() {
  const store = useStore();
  const list = useRef<HTMLDivElement>(null);
  const active = useSignal<string | undefined>(undefined);
  const rows = useComputed(() => visibleRows(store.entries.value, store.expanded.value, store.statuses.value));
  const openPath = store.document.value?.path;
  const stop =
    rows.value.find(({ path }) => path === active.value) ??
    rows.value.find(({ path }) => path === openPath) ??
    rows.value[0];

  const toggle = (path: string, isExpanded: boolean): void => {
    const expanded = new Set(store.expanded.value);
    if (isExpanded) expanded.add(path);
    else expanded.delete(path);
    store.expanded.value = expanded;
  };
  const choose = ({ path, kind, isExpanded }: TreeRow): void => {
    active.value = path;
    if (kind === "directory") {
      toggle(path, !isExpanded);
      return;
    }
    store.pane.value = "editor";
    void store.keeper.open(path);
  };
  const focus = (path: string): void => {
    active.value = path;
    const index = rows.value.findIndex((row) => row.path === path);
    const element = list.current?.children[index];
    if (element instanceof HTMLElement) element.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (stop === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === "Enter" || key === " ") choose(stop);
    else if (key === "ArrowRight" && stop.kind === "directory" && !stop.isExpanded) toggle(stop.path, true);
    else if (key === "ArrowLeft" && stop.isExpanded) toggle(stop.path, false);
    else if (key === "ArrowLeft" && stop.level > 1) focus(parentPath(stop.path));
    else {
      const next = nextRow(rows.value, stop, key);
      if (next === undefined) return;
      focus(next.path);
    }
    event.preventDefault();
  };

  if (rows.value.length === 0) return <p class="empty">No files yet. Open some, or take the sample.</p>;
  return (
    <div ref={list} class="tree" role="tree" aria-labelledby="files-title" onKeyDown={onKeyDown}>
      {rows.value.map((row) => (
        <Row key={row.path} row={row} isOpen={row.path === openPath} isStop={row === stop} onChoose={choose} />
      ))}
    </div>
  );
}

interface RowProps {
  row: TreeRow;
  isOpen: boolean;
  /** Whether the tab key stops here. */
  isStop: boolean;
  onChoose(row: TreeRow): void;
}

function Row({ row, isOpen, isStop, onChoose }: RowProps) {
  const { kind, level, name, position, siblings, status, isExpanded } = row;
  const isFolder = kind === "directory";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the tree around it
    <div
      class={`row ${kind} ${status}`}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isOpen}
      aria-expanded={isFolder ? isExpanded : undefined}
      tabIndex={isStop ? 0 : -1}
      style={{ "--level": level }}
      onClick={() => onChoose(row)}
    >
      <span class="twist">{isFolder && <Icon name="chevron" />}</span>
      <Icon name={isFolder ? "folder" : "file"} />
      <span class="row-name">{name}</span>
      {status !== "same" && (
        <span class="mark">{isFolder ? <span class="unseen">has changes</span> : marks[status]}</span>
      )}
    </div>
  );
}
