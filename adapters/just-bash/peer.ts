/** The optional peer as the public surface names it; its own types stay out of ours, for those who have not installed it. */

/** What is needed of just-bash: the module `just-bash/browser`. */
export interface JustBashModule {
  readonly Bash: new (...parameters: never[]) => object;
}

/** Gives just-bash, for hosts where a plain import of `just-bash/browser` does not reach it. */
export type LoadJustBash = () => Promise<JustBashModule>;
