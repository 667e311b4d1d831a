/** Which task waits for which: the way from one to another, and links that may not be made. */

/** What a search needs of a task. */
export interface Linked {
  id: string;
  blockedBy: readonly string[];
}

/**
 * Finds a way from a task to another along what blocks it. Each task is entered once, so the time grows with the number
 * of relations, whatever their shape.
 *
 * @param tasks All tasks by id.
 * @param from The id to start at.
 * @param to The id to reach.
 * @returns The ids on the way, both ends included; undefined when there is none.
 */
export function findPath(tasks: ReadonlyMap<string, Linked>, from: string, to: string): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  // A map is walked in the order of insertion, what is added meanwhile included.
  for (const id of cameFrom.keys()) {
    if (id === to) return wayTo(id, cameFrom);
    for (const next of tasks.get(id)?.blockedBy ?? []) if (!cameFrom.has(next)) cameFrom.set(next, id);
  }
  return undefined;
}

/**
 * Says why a task may not wait for another.
 *
 * @param tasks All tasks by id.
 * @param blocked The id of the task that would wait.
 * @param blocker The id of the task it would wait for.
 * @returns A sentence for the model; undefined when the link may be made.
 */
export function refuseLink(tasks: ReadonlyMap<string, Linked>, blocked: string, blocker: string): string | undefined {
  if (blocked === blocker) return `Task #${blocked} cannot block itself.`;
  const way = findPath(tasks, blocker, blocked);
  if (way === undefined) return undefined;
  const circle = [blocked, ...way].map((id) => `#${id}`).join(" waits for ");
  return `Task #${blocked} cannot wait for #${blocker}: they would wait for each other (${circle}).`;
}

function wayTo(end: string, cameFrom: ReadonlyMap<string, string | undefined>): string[] {
  const way: string[] = [];
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) way.unshift(id);
  return way;
}
