/** The order of test files: those that take long begin first, so that at the end no processor waits for the last of them. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that wait for browsers, sandboxes or other programs. Vitest knows how long a file takes only where it has run
 * before, and else goes by its size.
 */
const LONG = /\/test\/(e2e|experiment)\/|\/test\/guard\/packed\.|\/test\/adapters\/cloudflare\./;

/** Puts the long files of each project first. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return LONG.test(moduleId);
}
