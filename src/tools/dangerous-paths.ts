/** The list of dangerous paths has moved; see `base/dangerous-paths.ts`. */

export {
  DANGEROUS_DIRECTORIES,
  DANGEROUS_FILES,
  type DangerousPaths,
  dangerousPaths,
} from "../base/dangerous-paths.ts";
