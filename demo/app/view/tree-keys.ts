/** Where the keyboard goes in the tree. */
import type { TreeRow } from "../workspace/tree.ts";

/** Gives the row that a key leads to; undefined when it leads nowhere. Letters go to the next name that begins so. */
export function nextRow(rows: readonly TreeRow[], from: TreeRow, key: string): TreeRow | undefined {
  const index = rows.indexOf(from);
  if (key === "ArrowDown") return rows[index + 1];
  if (key === "ArrowUp") return rows[index - 1];
  if (key === "Home") return rows[0];
  if (key === "End") return rows.at(-1);
  if (key === "ArrowRight")
    return from.isExpanded && rows[index + 1]?.level === from.level + 1 ? rows[index + 1] : undefined;
  if (key.length !== 1) return undefined;
  const wanted = key.toLowerCase();
  return [...rows.slice(index + 1), ...rows.slice(0, index)].find(({ name }) => name.toLowerCase().startsWith(wanted));
}
