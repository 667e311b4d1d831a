/** The permission checks of the file tools; loaded when the first call is decided over. */

import type { Backend } from "../backend/backend.ts";
import { type DangerousPaths, dangerousPaths } from "../base/dangerous-paths.ts";
import { isInside, parentPath } from "../base/path.ts";
import type { PermissionFinding } from "../permission/decision.ts";
import type { PermissionCheck } from "../permission/subject.ts";
import type { FileInput, FileRules, WhyNot, WritePermission } from "./file-permission.ts";
import { allowFolder, matchPath, type RealPath, realPathOf } from "./path-rules.ts";
import { toPath } from "./paths.ts";

/** Makes the rule half of the seam: globs over `file_path`, and the folder of the file as a suggestion. */
export function fileRuleChecks(tool: string, backend: Backend): FileRules {
  const realPath = oncePerInput(backend);
  return {
    matchRule: async (content, input, rule) => matchPath(backend, rule, content, await realPath(input)),
    locateRule: async (content, { file_path }) => [
      { layer: "rule", code: "rule", message: `The rule ${content} is about this.`, ...wholePath(file_path) },
    ],
    generateSuggestions: async ({ file_path }) => [allowFolder(tool, parentPath(toPath(backend, file_path)))],
  };
}

/** The place of a path in the input. */
function wholePath(path: string): Pick<PermissionFinding, "field" | "start" | "end"> {
  return { field: "file_path", start: 0, end: path.length };
}

/**
 * Makes the seam of a tool that writes files: a call that cannot succeed is denied with the reason, a dangerous file is
 * asked about whatever rules say; in the modes `accept_edits` and `dont_ask` files in a working directory pass. Both
 * look at the path and at what it really is.
 *
 * @param tool The name of the tool.
 * @param backend Where the files are; its `cwd` is a working directory.
 * @param added What is dangerous beside the defaults.
 * @param whyNot Tells what stands against a call from the start.
 */
export function writeChecks(tool: string, backend: Backend, added: DangerousPaths, whyNot?: WhyNot): WritePermission {
  const isDangerous = dangerousPaths(added);
  return {
    ...fileRuleChecks(tool, backend),
    async checkPermissions({ file_path }, check) {
      const fault = await whyNot?.(file_path, check.state);
      if (fault !== undefined) return { behavior: "deny", reason: "the call cannot succeed", message: fault };
      const { path, real } = await realPathOf(backend, file_path);
      if (isDangerous(path) || isDangerous(real)) {
        const message = `${path} is a sensitive file: ${tool} needs a confirmation for it.`;
        const findings = [{ layer: "path", code: "dangerous-path", message, ...wholePath(file_path) }];
        return { behavior: "ask", bypassImmune: true, reason: "dangerous path", message, findings };
      }
      const edits = check.mode === "accept_edits" || check.mode === "dont_ask";
      if (!edits || !(await isInWorkspace(backend, real, check))) return { behavior: "passthrough" };
      return { behavior: "allow", reason: "inside a working directory" };
    },
  };
}

/** Tells whether a real path lies in the working directory of a backend or of a check, real paths on both sides. */
export async function isInWorkspace({ fs, cwd }: Backend, real: string, check: PermissionCheck): Promise<boolean> {
  // A working directory that the backend cannot reach holds none of its files.
  const realFolder = (folder: string): Promise<string | undefined> => fs.realpath(folder).catch(() => undefined);
  const folders = await Promise.all([cwd, ...check.workingDirectories].map(realFolder));
  return folders.some((folder) => folder !== undefined && isInside(real, folder));
}

/** Many rules look at the same call: its path is looked up for the first one only. */
function oncePerInput(backend: Backend): (input: FileInput) => Promise<RealPath> {
  const known = new WeakMap<FileInput, Promise<RealPath>>();
  return (input) => {
    const path = known.get(input) ?? realPathOf(backend, input.file_path);
    known.set(input, path);
    return path;
  };
}
