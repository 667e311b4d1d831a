/** The public surface of `holdall/testing`: the contracts of file systems and shells, for any test framework. */

export type { ContractCase, ContractSkip } from "./contract-case.ts";
export { type FileSystemContractOptions, type FileSystemGround, fileSystemContract } from "./file-system-contract.ts";
export type { FsAbility } from "./fs-subject.ts";
export { type ShellContractGround, type ShellContractOptions, shellContract } from "./shell-contract.ts";
export type { ShellAbility } from "./shell-subject.ts";
