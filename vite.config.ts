/** Builds the playground, and names the runtimes that the tests run in. */
import { userInfo } from "node:os";
import { playwright } from "@vitest/browser-playwright";
import type { Plugin } from "vite";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { webAliases } from "./test/support/aliases.ts";
import { chromium, firefox, webkit } from "./test/support/browsers.mjs";
import { bundledWorkers } from "./test/support/bundled-workers.ts";
import { minibrowser } from "./test/support/minibrowser.ts";
import { LongFirst } from "./test/support/sequencer.ts";
import { readManifest, root, sourceAliases } from "./test/support/sources.ts";
import { inWorkerd } from "./test/support/workerd/plugin.ts";

const shared = "test/{unit,adapters,scenario}/**/*.test.ts";
const nodeOnly = "**/*.node.test.ts";
const browserOnly = "**/*.browser.test.ts";

// Firefox refuses to start for root with somebody else's home.
if (process.getuid?.() === 0) process.env.HOME = userInfo().homedir;

type Turn = Pick<NonNullable<TestProjectInlineConfiguration["test"]>, "sequence" | "maxWorkers">;

/**
 * Projects of one turn run at once: Chromium and Firefox beside workerd, and then WebKit beside the files for Node. A page
 * keeps about one processor busy, and workerd less. More at once would starve each other on a small machine, and with less
 * a processor would have nothing to do at the end of a turn.
 */
const first: Turn = { sequence: { groupOrder: 0 }, maxWorkers: 1 };
const second: Turn = { sequence: { groupOrder: 1 }, maxWorkers: 2 };

/** On a busy machine anything may take long; what never comes is told by these. */
const patience = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } } as const;

const node: TestProjectInlineConfiguration = {
  resolve: { alias: sourceAliases() },
  test: {
    name: "node",
    include: [shared, "test/{guard,e2e,experiment}/**/*.test.ts"],
    exclude: [browserOnly],
    ...patience,
    // Loading the sources anew for each file takes longer than the tests.
    isolate: false,
    // Many files wait for a process or a browser of their own; two at once use that time.
    ...second,
  },
};

const workerd: TestProjectInlineConfiguration = {
  plugins: [inWorkerd()],
  test: {
    name: "workerd",
    include: [shared],
    exclude: [nodeOnly, browserOnly],
    ...first,
    globalSetup: "test/support/workerd/global-setup.ts",
    // One worker, one file after another: the files only wait for it.
    isolate: false,
    fileParallelism: false,
    ...patience,
  },
};

const types: TestProjectInlineConfiguration = {
  test: {
    name: "types",
    include: [],
    typecheck: {
      enabled: true,
      only: true,
      include: ["test/types/**/*.test-d.ts"],
      tsconfig: "test/types/tsconfig.json",
      ignoreSourceErrors: true,
    },
  },
};

/** Without these, Chromium looks for hosts of its maker at every start. */
const quiet = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

type BrowserOptions = NonNullable<NonNullable<TestProjectInlineConfiguration["test"]>["browser"]>;

/** Browsers of one project share a server, so that each source is prepared once for all of them. */
function browsers(options: BrowserOptions): TestProjectInlineConfiguration {
  return {
    resolve: { alias: webAliases() },
    plugins: [bundledWorkers()],
    // Browsers are given nothing newer than they know (`using`, for one).
    oxc: { target: "es2022" },
    // All there is to prepare is named, so that no dependency is found in the middle of a run, which would reload the page.
    optimizeDeps: { noDiscovery: true, include: preparedDependencies() },
    // Nameless: the projects are called after their instances.
    test: {
      include: [shared],
      exclude: [nodeOnly],
      ...patience,
      // One page for all files: loading the sources anew for each takes longer than the tests.
      isolate: false,
      browser: {
        enabled: true,
        headless: true,
        fileParallelism: false,
        ui: false,
        screenshotFailures: false,
        ...options,
      },
    },
  };
}

function preparedDependencies(): string[] {
  const { dependencies } = readManifest();
  return [...Object.keys(dependencies), "just-bash/browser", "zod"];
}

const chromiumInstance = {
  browser: "chromium",
  name: "chromium",
  provider: playwright({ launchOptions: { ...(chromium.path && { executablePath: chromium.path }), args: quiet } }),
  ...first,
} as const;

const firefoxInstance = {
  browser: "firefox",
  name: "firefox",
  // Drives a stock Firefox, not a build of Playwright's own.
  // Async stacks, on in a driven Firefox, slow every promise down.
  provider: playwright({
    launchOptions: {
      channel: "moz-firefox",
      firefoxUserPrefs: { "javascript.options.asyncstack": false },
      ...(firefox.path && { executablePath: firefox.path }),
    },
  }),
  ...first,
} as const;

const playwrightProjects = browsers({
  provider: playwright(),
  instances: [chromiumInstance, ...(firefox.path ? [firefoxInstance] : [])],
});

const webkitProject = browsers({
  headless: false,
  provider: minibrowser({ binary: webkit.path ?? "" }),
  instances: [{ browser: "webkit", name: "webkit", ...second }],
});

/** The development server puts styles into the page as text, which the page's own policy refuses. What is built keeps it. */
function withoutPolicy(): Plugin {
  const policy = /<meta\s+http-equiv="Content-Security-Policy"[^>]*>/;
  return { name: "without-policy", apply: "serve", transformIndexHtml: (html) => html.replace(policy, "") };
}

export default defineConfig(({ mode }) => ({
  // Vitest reads this file too, and looks for tests from its root.
  root: mode === "test" ? root : `${root}demo`,
  base: "./",
  resolve: { alias: webAliases() },
  worker: { format: "es" },
  plugins: [withoutPolicy()],
  build: {
    outDir: `${root}demo/dist`,
    emptyOutDir: true,
    target: "es2022",
    // Both would put script into the page that a strict content security policy refuses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The simulated shell is one file of 1.3 MB and the reader of PDF documents one of 1.6 MB, loaded when first needed.
    chunkSizeWarningLimit: 1700,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  test: {
    sequence: { sequencer: LongFirst },
    projects: [node, workerd, types, playwrightProjects, ...(webkit.path ? [webkitProject] : [])],
  },
}));
