/** Where a search takes place. */

import type { Boundary } from "../files/boundary.ts";
import type { HostPaths } from "../paths/host-paths.ts";

/** What a search may look at. */
export interface SearchGround {
  paths: HostPaths;
  boundary: Boundary;
  /** Where this process sees what it has open; undefined where the host does not show it. */
  openFiles: string | undefined;
  /** The path that is searched, as the caller gave it. */
  path: string;
  /** The same without symlinks, inside the boundary. */
  real: string;
}
