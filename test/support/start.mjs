/**
 * Serves the playground: `npm start`. It is built first, because a strict content security policy and a development server
 * do not go together; `npm start -- --dev` serves the sources instead, `--port 8080` takes another port.
 */
import { parseArgs } from "node:util";
import { Fault, main, root } from "./command.mjs";
import { prepareChromium, preparePackages } from "./setup.mjs";

const DEFAULT_PORT = "4173";

await main(import.meta, async () => {
  const { values } = parseArgs({
    options: { dev: { type: "boolean" }, port: { type: "string", default: DEFAULT_PORT } },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port)) throw new Fault(`--port takes a number, not "${values.port}".`);
  preparePackages();
  await prepareChromium().catch(tellThatAnyBrowserWillDo);
  const url = values.dev ? await serveSources(port) : await serveBuild(port);
  console.log(`\nThe playground is at ${url} (Ctrl+C ends it)`);
});

/** @param {number} port */
async function serveBuild(port) {
  const { build, preview } = await import("vite");
  await build({ configFile: `${root}vite.config.ts`, logLevel: "warn" });
  const server = await preview({ configFile: `${root}vite.config.ts`, preview: { port } });
  return server.resolvedUrls?.local[0];
}

/** @param {number} port */
async function serveSources(port) {
  const { createServer } = await import("vite");
  const server = await createServer({ configFile: `${root}vite.config.ts`, server: { port } });
  await server.listen();
  return server.resolvedUrls?.local[0];
}

/** The page is for whatever browser the person has, also one on another machine, so a missing one is no fault here. */
function tellThatAnyBrowserWillDo(error) {
  if (!(error instanceof Fault)) throw error;
  console.warn(`${error.message}\nServing all the same: open the page in any browser that reaches this machine.`);
}
