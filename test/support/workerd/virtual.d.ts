declare module "virtual:test-files" {
  /** The test files of the bundle, by their path from the root. */
  export const files: Record<string, () => Promise<unknown>>;
  /** The entries of the package that are free of any host. */
  export const entries: readonly object[];
}
