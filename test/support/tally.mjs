/** A vitest reporter that counts tests by runtime and writes the counts, and the flaky tests, to the file that TALLY_FILE names. */
import { writeFileSync } from "node:fs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

export default class Tally {
  /**
   * @param {readonly import("vitest/node").TestModule[]} modules
   * @param {readonly unknown[]} unhandled Errors outside any test.
   */
  onTestRunEnd(modules, unhandled) {
    /** @type {Record<string, Count>} */
    const runtimes = {};
    /** @type {string[]} Tests that passed, but not at once, and what was wrong with them before. */
    const flaky = [];
    for (const module of modules) {
      const { name } = module.project;
      const count = runtimes[name] ?? { passed: 0, failed: 0, skipped: 0 };
      runtimes[name] = count;
      for (const test of module.children.allTests()) {
        count[toState(test.result().state)] += 1;
        if (test.diagnostic()?.flaky) {
          const [reason = "no reason is known"] = (test.result().errors ?? []).map(
            ({ message }) => message.split("\n")[0],
          );
          flaky.push(`${name}: ${module.relativeModuleId} > ${test.fullName}: ${reason}`);
        }
      }
      // A file that does not load and a hook that fails are failures although no test says so.
      count.failed += [module, ...module.children.allSuites()].filter((part) => part.errors().length > 0).length;
    }
    writeFileSync(process.env.TALLY_FILE, JSON.stringify({ runtimes, flaky, unhandled: unhandled.length }));
  }
}

/** A test that was begun and not ended counts as failed. */
function toState(state) {
  return state === "pending" ? "failed" : state;
}
