/** The engine that decides over every call of the page, and what it would say to a call that nobody has made. */
import { type PermissionDecision, PermissionEngine, type PermissionMode } from "holdall";
import type { Store } from "../store/store.ts";

/** Rules and modes are in the conversation's state, so one engine serves all. */
export const permission: PermissionEngine = new PermissionEngine();

/** What the engine would say in each mode. */
export type Outlook = Readonly<Record<PermissionMode, PermissionDecision>>;

/** Tells what would happen to a call in each mode, under the rules of the conversation; nothing runs. */
export async function lookAhead({ toolkit, conversation }: Store, name: string, input: unknown): Promise<Outlook> {
  const tool = toolkit.value.get(name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return permission.explain(tool, input, { state: conversation.value.state });
}
