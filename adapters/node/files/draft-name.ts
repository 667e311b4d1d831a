/** Names of the files that are written before they take their place. */

import { randomBytes } from "node:crypto";

const pattern = /^\.holdall-[0-9a-f]{16}\.tmp$/;

/** Makes a name that nothing else has; short, so that it fits wherever any name does. */
export function newDraftName(): string {
  return `.holdall-${randomBytes(8).toString("hex")}.tmp`;
}

/** Tells whether a name is that of a draft; listings and watchers leave them out. */
export function isDraftName(name: string): boolean {
  return pattern.test(name);
}
