/** Everything that holds a change back: types, lint, format, sizes, tests. Goes on after a failure, so that one run tells all. */
import { build } from "./build.mjs";
import { check } from "./check.mjs";
import { Fault, main } from "./command.mjs";
import { measureSizes } from "./size.mjs";
import { closingLine, runTests } from "./test.mjs";

/** A machine that many share may hold a test up. It is named then, so that nobody overlooks it. */
const RETRIES = 1;

await main(import.meta, async () => {
  const faults = [];
  if (check(false) > 0) faults.push("check");
  try {
    build();
    if (!(await measureSizes())) faults.push("size");
  } catch (error) {
    console.error(error instanceof Fault ? error.message : error);
    faults.push("build");
  }
  const result = await runTests([], RETRIES);
  if (faults.length > 0) console.error(`\nBesides the tests, these failed: ${faults.join(", ")}. See above.`);
  console.log(`\n${closingLine({ ...result, failed: result.failed + faults.length })}`);
  return result.failed + faults.length === 0 ? 0 : 1;
});
