/**
 * Runs the tests in every runtime of this machine: `npm test`. Parameters are vitest's: `npm test -- --project node
 * test/unit/toolkit` runs some files in one runtime.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firefox, webkit } from "./browsers.mjs";
import { build } from "./build.mjs";
import { Fault, main, runTool } from "./command.mjs";
import { prepareChromium, preparePackages, prepareTools } from "./setup.mjs";

/** A whole run without one of these fails. */
const REQUIRED = ["node", "workerd", "chromium"];
const OPTIONAL = { firefox, webkit };
const ORDER = [...REQUIRED, ...Object.keys(OPTIONAL), "types"];
/** What the temporary files of a run may need, in bytes. */
const MIN_ROOM = 8 * 2 ** 30;
/** Tests that need nothing built. */
const SOURCES_ONLY = /^(\.\/)?test\/(unit|adapters|scenario|experiment|types)(\/|$)/;

/**
 * @typedef {object} Result
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * Prepares the machine, runs the tests, and tells what ran where.
 * @param {readonly string[]} parameters
 * @param {number} [retries] How often a test that failed is tried again. What passes only then is named as flaky.
 * @returns {Promise<Result>}
 */
export async function runTests(parameters, retries = 0) {
  preparePackages();
  const projects = chosenProjects(parameters);
  const wants = (name) => projects.length === 0 || projects.includes(name);
  if (wants("chromium")) await prepareChromium();
  if (wants("node")) prepareTools();
  if (wants("node") && !parameters.some((each) => SOURCES_ONLY.test(each))) build();
  const { code, runtimes, flaky, unhandled } = runVitest([
    ...parameters,
    ...(retries > 0 ? [`--retry=${retries}`] : []),
  ]);
  if (parameters.length === 0) requireRuntimes(runtimes);
  tell(runtimes, parameters.length === 0);
  if (flaky.length > 0) console.log(`\nFlaky, passed only when tried again:\n  ${flaky.join("\n  ")}`);
  const sum = (key) => Object.values(runtimes).reduce((total, count) => total + count[key], 0);
  const failed = sum("failed") + unhandled;
  return { passed: sum("passed"), failed: code === 0 ? failed : Math.max(failed, 1), skipped: sum("skipped") };
}

/**
 * The line that closes a run.
 * @param {Result} result
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function chosenProjects(parameters) {
  return parameters.flatMap((each, index) => {
    if (each.startsWith("--project=")) return [each.slice("--project=".length)];
    return parameters[index - 1] === "--project" ? [each] : [];
  });
}

function runVitest(parameters) {
  const folder = mkdtempSync(join(roomyFolder(), "holdall-tests-"));
  // Some tests run as another user.
  chmodSync(folder, 0o755);
  const file = join(folder, "tally.json");
  const hasReporter = parameters.some((each) => each.startsWith("--reporter"));
  const reporters = [...(hasReporter ? [] : ["--reporter=default"]), "--reporter=./test/support/tally.mjs"];
  try {
    const code = runTool("vitest", ["run", ...reporters, ...parameters], { TALLY_FILE: file, TMPDIR: folder });
    return { code, ...readTally(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Temporary files are best kept in memory: the tests write so many that they would mostly wait for a disk. */
function roomyFolder() {
  const shared = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(shared);
    if (bavail * bsize >= MIN_ROOM) return shared;
  } catch {
    // Only Linux has it.
  }
  return tmpdir();
}

function readTally(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new Fault("vitest ended before it had run the tests; its reason stands above.");
  }
}

function requireRuntimes(runtimes) {
  for (const name of REQUIRED) {
    const { passed, failed } = runtimes[name] ?? { passed: 0, failed: 0 };
    if (passed + failed > 0) continue;
    console.error(`No test ran in ${name}, which is never left out. Look for its start-up error above.`);
    runtimes[name] = { passed: 0, failed: 1, skipped: 0 };
  }
}

function tell(runtimes, whole) {
  console.log("\nRuntimes");
  for (const name of Object.keys(runtimes).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))) {
    const { passed, failed, skipped } = runtimes[name];
    const parts = [`${passed} ok`, skipped > 0 && `${skipped} skipped`, failed > 0 && `${failed} FAILED`];
    console.log(`  ${name.padEnd(9)} ${parts.filter(Boolean).join(", ")}`);
  }
  if (!whole) return;
  for (const [name, { path, missing }] of Object.entries(OPTIONAL)) {
    if (!path) console.log(`  ${name.padEnd(9)} left out: ${missing}`);
  }
}

await main(import.meta, async () => {
  const result = await runTests(process.argv.slice(2));
  // Alone on a line and without a margin: other programs read it.
  console.log(`\n${closingLine(result)}`);
  return result.failed === 0 ? 0 : 1;
});
