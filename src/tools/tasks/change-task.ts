/** Changes one task in a list: checks everything first, so that a change is made whole or not at all. */

import { refusal } from "../answer.ts";
import { mergeMetadata } from "./metadata.ts";
import { refuseLink } from "./relations.ts";
import { requireTask, type Task, type TaskList, type TaskStatus, toSubject } from "./task-list.ts";

/** The fields to change; what is left out stays. */
export interface TaskChanges {
  /** Blank: stays. */
  subject?: string | undefined;
  description?: string | undefined;
  status?: TaskStatus | "deleted" | undefined;
  owner?: string | undefined;
  add_blocks?: readonly string[] | undefined;
  add_blocked_by?: readonly string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/**
 * Changes a task.
 *
 * @param list The list; its tasks are changed in place, but only when every change is possible.
 * @param task The task, one of the list.
 * @param changes The fields to change; the status `deleted` is for the caller.
 * @returns The names of the fields that were really changed.
 * @throws HoldallError for a relation to an unknown task, to itself or in a circle, and for too much metadata.
 */
export function changeTask(list: TaskList, task: Task, changes: TaskChanges): string[] {
  const metadata = mergeMetadata(task.metadata, changes.metadata ?? {});
  const blocks = newLinks(list, changes.add_blocks, (id) => ({ blocked: id, blocker: task.id }));
  const blockedBy = newLinks(list, changes.add_blocked_by, (id) => ({ blocked: task.id, blocker: id }));
  checkLinks(list, [...blocks, ...blockedBy]);
  const fields: string[] = [];
  const set = (field: string, changed: boolean): void => {
    if (changed) fields.push(field);
  };
  set("subject", replace(task, "subject", toSubject(changes.subject ?? "") || undefined));
  set("description", replace(task, "description", changes.description));
  set("add_blocks", addLinks(list, blocks));
  set("add_blocked_by", addLinks(list, blockedBy));
  set("status", replace(task, "status", changes.status === "deleted" ? undefined : changes.status));
  set("owner", replace(task, "owner", changes.owner?.trim()));
  set("metadata", JSON.stringify(metadata) !== JSON.stringify(task.metadata));
  task.metadata = metadata;
  return fields;
}

/** One task that waits for another. */
interface Link {
  blocked: string;
  blocker: string;
}

/** Makes links of ids as a model writes them, leaving out those there are already. */
function newLinks(list: TaskList, ids: readonly string[] | undefined, toLink: (id: string) => Link): Link[] {
  const links = [...new Set((ids ?? []).map((id) => requireTask(list, id).id))].map(toLink);
  return links.filter(({ blocked, blocker }) => !requireTask(list, blocked).blockedBy.includes(blocker));
}

/** Tries the links one after the other on a copy of the relations. */
function checkLinks(list: TaskList, links: readonly Link[]): void {
  const tasks = new Map(list.tasks.map(({ id, blockedBy }) => [id, { id, blockedBy: [...blockedBy] }]));
  for (const { blocked, blocker } of links) {
    const problem = refuseLink(tasks, blocked, blocker);
    if (problem !== undefined) throw refusal(`${problem} Nothing was changed.`);
    tasks.get(blocked)?.blockedBy.push(blocker);
  }
}

function addLinks(list: TaskList, links: readonly Link[]): boolean {
  for (const { blocked, blocker } of links) requireTask(list, blocked).blockedBy.push(blocker);
  return links.length > 0;
}

function replace<K extends "subject" | "description" | "status" | "owner">(
  task: Task,
  key: K,
  value: Task[K] | undefined,
): boolean {
  if (value === undefined || value === task[key]) return false;
  task[key] = value;
  return true;
}
