/** Gives pages their workers in one piece, as a build would: by modules, each start would ask the server for hundreds. */
import { build, type Plugin } from "vite";
import { webAliases } from "./aliases.ts";
import { root } from "./sources.ts";

/** The address that Vite gives the file of a worker. */
const WORKER = /^\/(@fs\/)?([^?]+)\?worker_file\b/;

/** By file, for all pages of a run. */
const bundles = new Map<string, Promise<string>>();

/** Answers a development server's requests for workers. */
export function bundledWorkers(): Plugin {
  return {
    name: "bundled-workers",
    configureServer: ({ middlewares }) => {
      middlewares.use((request, response, next) => {
        const [, outside, path] = WORKER.exec(request.url ?? "") ?? [];
        if (path === undefined) return next();
        const headers = { "content-type": "text/javascript", "cache-control": "max-age=3600" };
        bundle(outside === undefined ? root + path : `/${path}`).then(
          (code) => response.writeHead(200, headers).end(code),
          next,
        );
      });
    },
  };
}

function bundle(file: string): Promise<string> {
  const known = bundles.get(file);
  if (known !== undefined) return known;
  const making = makeBundle(file);
  bundles.set(file, making);
  return making;
}

async function makeBundle(file: string): Promise<string> {
  const made = await build({
    configFile: false,
    root,
    logLevel: "error",
    resolve: { alias: webAliases() },
    build: {
      write: false,
      minify: false,
      target: "es2022",
      rolldownOptions: { input: file, output: { codeSplitting: false } },
    },
  });
  const [entry] = Array.isArray(made) ? made.flatMap(({ output }) => output) : "output" in made ? made.output : [];
  if (entry?.type !== "chunk") throw new Error(`${file} gave no code.`);
  return entry.code;
}
