/** Gives up changes of an overlay, so that the base shows through again. */

import { lookAt } from "./base-facts.ts";
import { plainPaths } from "./changes.ts";
import { copyFromBase } from "./copy-up.ts";
import { type EditGround, makeParents } from "./edits.ts";
import { descend } from "./tree.ts";

/** Gives up the changes at some paths and below, or all. */
export async function discard(ground: EditGround, paths: readonly string[] | undefined): Promise<void> {
  const { state, draft } = ground;
  const chosen = plainPaths(paths === undefined ? {} : { paths });
  if (chosen === undefined || chosen.includes("/")) {
    for (const [name, { node }] of state.root.entries) {
      draft.puts.push([`/${name}`, undefined]);
      if (node !== undefined) draft.replaced.push(node);
    }
    return;
  }
  for (const path of chosen) await discardPath(ground, path);
}

async function discardPath(ground: EditGround, path: string): Promise<void> {
  const { session, state, draft, options } = ground;
  const step = descend(state.root, path);
  if (step.kind === "entry" && step.entry.node !== undefined) draft.replaced.push(step.entry.node);
  if (step.kind === "entry" && !step.isHidden) {
    draft.puts.push([path, undefined]);
    return;
  }
  if (step.kind === "beyond" && !step.isHidden) return;
  // What hides the base here hides more than this path: it stays, and what the base has is copied.
  if ((await lookAt(session.base, path, options)) === undefined) {
    if (step.kind === "entry") draft.puts.push([path, undefined]);
    return;
  }
  await makeParents(ground, path, path);
  draft.puts.push([path, { node: await copyFromBase(ground, path) }]);
}
