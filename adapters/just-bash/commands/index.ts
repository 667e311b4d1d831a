/** Commands that scripts expect and just-bash lacks; small ones, and none that reaches beyond the shell. */

import { mktemp } from "./mktemp.ts";
import { realpath } from "./realpath.ts";
import { nohup, nproc, trap, ulimit, umask, uname } from "./system.ts";
import type { ExtraCommand } from "./types.ts";

/** All of them. */
export const extraCommands: readonly ExtraCommand[] = [mktemp, nohup, nproc, realpath, trap, ulimit, umask, uname];
