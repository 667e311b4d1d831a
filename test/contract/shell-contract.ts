/** The contract of shells: what every adapter promises, whatever runs the commands. */

import type { FileSystem, Shell } from "holdall";
import { type ContractCase, type ContractSkip, makeCases } from "./contract-case.ts";
import { shellEndCases } from "./shell-end.ts";
import { shellEnvironmentCases } from "./shell-environment.ts";
import { shellOutputCases } from "./shell-output.ts";
import { shellSessionCases } from "./shell-session.ts";
import type { ShellAbility, ShellCase } from "./shell-subject.ts";

/** A fresh shell and what it stands on. */
export interface ShellContractGround {
  shell: Shell;
  /** The files that its commands see. */
  fs: FileSystem;
  /** Where it stands at first: an empty directory, absolute. */
  cwd: string;
}

/** What the contract is checked on. */
export interface ShellContractOptions {
  /** Makes a fresh shell over a fresh directory. */
  create(): ShellContractGround | Promise<ShellContractGround>;
  /** Takes it down, after the shell was closed. */
  destroy?(ground: ShellContractGround): void | Promise<void>;
  /** Cases it cannot fulfil. */
  skip?: readonly ContractSkip[];
  /** What it can do beyond what is required; cases about the rest are left out. */
  can?: Readonly<Partial<Record<ShellAbility, boolean>>>;
}

const definitions: readonly ShellCase[] = [
  ...shellOutputCases,
  ...shellSessionCases,
  ...shellEnvironmentCases,
  ...shellEndCases,
];

/**
 * Makes the cases of the shell contract.
 *
 * @param options What to check, and what it can do.
 * @example
 * for (const { name, run } of shellContract({ create, can: { abortBusyLoop: true } })) test(name, run);
 */
export function shellContract({ create, destroy, skip = [], can = {} }: ShellContractOptions): ContractCase[] {
  return makeCases(definitions, {
    can,
    skip,
    open: async () => create(),
    close: async (ground) => {
      await ground.shell.close?.();
      await destroy?.(ground);
    },
  });
}
