/** The storages of the browser against their raw selves, in a real Chromium: runs the page and prints what it says. */
import { makeProfile, servePage, startBrowser } from "../e2e/storage/chromium.ts";

// Measurements are started from the root of the package.
const folder = `${process.cwd()}/test/bench`;
const server = await servePage({
  page: `${folder}/browser-storage-page.ts`,
  "bench-worker": `${folder}/browser-storage-worker.ts`,
});
const profile = await makeProfile();
const running = await startBrowser(profile.folder);
try {
  console.log(`\nChromium ${running.browser.version()}`);
  const page = await running.open("about:blank");
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "log") console.log(message.text());
    else faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.stack ?? error.message));
  await page.goto(server.url);
  await page.evaluate(() => bench.run());
  if (faults.length > 0) throw new Error(`The page has faults:\n${faults.join("\n")}`);
} finally {
  await running.kill();
  await profile.remove();
  await server.close();
}
