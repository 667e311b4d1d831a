/** Which tools there are and which groups they are in. */

import { HoldallError } from "../base/errors.ts";
import type { AgentState } from "../state/agent-state.ts";
import type { Lookup, ToolEntry } from "../tool/entry.ts";
import { BASIC_GROUP, type ToolGroup, type ToolSchema } from "./group.ts";

/** What a registry knows of a group, beside its tools. */
export type GroupFacts = Omit<ToolGroup, "tools">;

interface Group extends GroupFacts {
  entries: Map<string, ToolEntry>;
  /** Made once and thrown away when the group changes, so that listing is as cheap as the active part is small. */
  schemas: ToolSchema[] | undefined;
}

/** Tools by group. */
export interface Registry {
  addGroup(facts: GroupFacts): void;
  /** Puts a tool into a group; one of the same name there is replaced when `replace` is true. */
  add(entry: ToolEntry, group: string, replace: boolean): void;
  /** Takes a tool out of every group; false when there was none. */
  remove(name: string): boolean;
  /** Finds a tool among the active groups of a conversation, or says why not. */
  find(name: string, state: AgentState | undefined, activator: string | undefined): Lookup;
  /** Finds a tool in any group. */
  entry(name: string): ToolEntry | undefined;
  schemas(state: AgentState | undefined): ToolSchema[];
  /** All groups but `basic`, in the order they were added. */
  groups(): GroupFacts[];
  isActive(group: string, state: AgentState | undefined): boolean;
  /** Every entry with a group it is in. */
  all(): { entry: ToolEntry; group: string }[];
  /** Puts another entry in the place of each entry of a name; false when there is none. */
  replace(name: string, change: (entry: ToolEntry) => ToolEntry): boolean;
}

/** Makes a registry with the empty group `basic`. */
export function createRegistry(): Registry {
  const groups = new Map<string, Group>();
  const addGroup = (facts: GroupFacts): void => {
    if (groups.has(facts.name)) {
      throw new HoldallError(
        "GROUP_DUPLICATE",
        `there is a tool group ${facts.name} already. Choose another name${facts.name === BASIC_GROUP ? `; "${BASIC_GROUP}" is reserved` : ""}.`,
      );
    }
    groups.set(facts.name, { ...facts, entries: new Map(), schemas: undefined });
  };
  addGroup({ name: BASIC_GROUP, description: "", active: true });
  const activeGroups = function* (state: AgentState | undefined): Generator<Group> {
    for (const group of groups.values()) if (isActive(group, state)) yield group;
  };
  return {
    addGroup,
    add(entry, groupName, replace) {
      const group = groups.get(groupName);
      if (group === undefined) throw unknownGroup(groupName, [...groups.keys()]);
      if (group.entries.has(entry.tool.name) && !replace) throw duplicateTool(entry.tool.name, groupName);
      group.entries.set(entry.tool.name, entry);
      group.schemas = undefined;
    },
    remove(name) {
      let found = false;
      for (const group of groups.values()) {
        if (!group.entries.delete(name)) continue;
        group.schemas = undefined;
        found = true;
      }
      return found;
    },
    find(name, state, activator) {
      for (const group of groups.values()) {
        const entry = group.entries.get(name);
        if (entry !== undefined && isActive(group, state)) return { entry };
      }
      const available = (): string[] => [...activeGroups(state)].flatMap((group) => [...group.entries.keys()]);
      const inactive = [...groups.values()].find((group) => group.entries.has(name));
      return { problem: inactive === undefined ? { available } : { available, group: inactive.name, activator } };
    },
    entry(name) {
      for (const group of groups.values()) {
        const entry = group.entries.get(name);
        if (entry !== undefined) return entry;
      }
      return undefined;
    },
    schemas(state) {
      const seen = new Map<string, ToolSchema>();
      for (const group of activeGroups(state)) {
        group.schemas ??= [...group.entries.values()].map(toSchema);
        for (const schema of group.schemas) if (!seen.has(schema.name)) seen.set(schema.name, schema);
      }
      return [...seen.values()];
    },
    groups: () => [...groups.values()].filter((group) => group.name !== BASIC_GROUP),
    isActive: (name, state) => {
      const group = groups.get(name);
      return group !== undefined && isActive(group, state);
    },
    replace(name, change) {
      let found = false;
      for (const group of groups.values()) {
        const entry = group.entries.get(name);
        if (entry === undefined) continue;
        group.entries.set(name, change(entry));
        group.schemas = undefined;
        found = true;
      }
      return found;
    },
    all: () =>
      [...groups.values()].flatMap((group) =>
        [...group.entries.values()].map((entry) => ({ entry, group: group.name })),
      ),
  };
}

function isActive(group: GroupFacts, state: AgentState | undefined): boolean {
  if (group.name === BASIC_GROUP) return true;
  return state?.toolContext.activeGroups?.includes(group.name) ?? group.active === true;
}

function toSchema(entry: ToolEntry): ToolSchema {
  const { name, description, strict } = entry.tool;
  return { name, description, inputSchema: entry.inputSchema, ...(strict === undefined ? {} : { strict }) };
}

function unknownGroup(name: string, known: readonly string[]): HoldallError {
  return new HoldallError(
    "GROUP_UNKNOWN",
    `there is no tool group ${JSON.stringify(name)}. Use one of ${known.join(", ")}, or add the group first.`,
    { data: { known } },
  );
}

function duplicateTool(name: string, group: string): HoldallError {
  return new HoldallError(
    "TOOL_DUPLICATE",
    `there is a tool ${name} in the group ${group} already. Choose another name, or add it with { replace: true }.`,
    { data: { name, group } },
  );
}
