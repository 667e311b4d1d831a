/** Brings what the commands need to a machine that has only Node and npm; does nothing where it is there. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "./browsers.mjs";
import { Fault, root, run, runTool } from "./command.mjs";

const LEAST_NODE = 20;
const STAMP = `${root}node_modules/.holdall-lock`;
const DEBIAN_CHROMIUM = "/usr/bin/chromium";

/** Installs the packages when there are none, or others than the lock names. */
export function preparePackages() {
  const version = process.versions.node;
  if (Number(version.split(".")[0]) < LEAST_NODE)
    throw new Fault(`Node ${version} is too old. Use Node ${LEAST_NODE} or newer.`);
  const lock = readFileSync(`${root}package-lock.json`, "utf8");
  const stamp = createHash("sha256").update(lock).digest("hex");
  if (readIfThere(STAMP) === stamp) return;
  if (!isInstalled(JSON.parse(lock))) install();
  writeFileSync(STAMP, stamp);
}

/**
 * Makes sure that there is a Chromium: the one of CHROMIUM_PATH, the system's, Playwright's own, and else a new one, from
 * the distribution's packages or by Playwright's download.
 */
export async function prepareChromium() {
  if (chromium.path && existsSync(chromium.path)) return;
  if (chromium.path)
    throw new Fault(`CHROMIUM_PATH is "${chromium.path}", which does not exist. Correct it or unset it.`);
  if (await hasPlaywrightChromium()) return;
  if (installFromDistribution()) return;
  console.log("Downloading Chromium with Playwright …");
  runTool("playwright", ["install", ...(isRoot() ? ["--with-deps"] : []), "chromium"]);
  if (await hasPlaywrightChromium()) return;
  throw new Fault(
    "There is no Chromium on this machine, and none could be brought (the reason stands above).\n" +
      "Install Chromium or Chrome, or set CHROMIUM_PATH to its executable, and start again.",
  );
}

function install() {
  console.log("Installing the packages …");
  if (run("npm", ["ci", "--no-audit", "--no-fund"]) === 0) return;
  throw new Fault("The packages could not be installed. Mend what npm says above, and start again.");
}

/**
 * Compares npm's own record of what it put into node_modules with the lock, so that packages added by hand count.
 * @param {{ packages: Record<string, { version?: string, optional?: boolean }> }} lock
 */
function isInstalled({ packages }) {
  const record = readIfThere(`${root}node_modules/.package-lock.json`);
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  return Object.entries(packages).every(([path, { version, optional }]) => {
    return path === "" || installed[path]?.version === version || (optional && !installed[path]);
  });
}

/**
 * Brings the programs without which some tests are left out or use something else: a sandbox, and a searcher to be
 * compared with. Where they cannot be had, the tests say so.
 */
export function prepareTools() {
  const wanted = Object.entries({ bwrap: "bubblewrap", rg: "ripgrep" });
  const missing = wanted.flatMap(([program, name]) => (isInPath(program) ? [] : [name]));
  if (missing.length > 0) installPackages(missing);
}

/** Takes Debian's package. (Ubuntu's package of that name only points to a snap.) */
function installFromDistribution() {
  installPackages(["chromium"]);
  if (!existsSync(DEBIAN_CHROMIUM)) return false;
  // Programs started from here look for themselves; this one has looked already.
  chromium.path = DEBIAN_CHROMIUM;
  return true;
}

/**
 * Installs packages of the distribution, for root on Debian.
 * @param {readonly string[]} names
 */
function installPackages(names) {
  if (!isRoot() || !/^ID="?debian"?$/m.test(readIfThere("/etc/os-release") ?? "")) return;
  console.log(`Installing ${names.join(", ")} with apt-get …`);
  const quiet = { DEBIAN_FRONTEND: "noninteractive" };
  run("apt-get", ["update", "-q"], quiet);
  run("apt-get", ["install", "-y", "-q", "--no-install-recommends", ...names], quiet);
}

/** @param {string} program */
function isInPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}

async function hasPlaywrightChromium() {
  const { chromium: own } = await import("playwright");
  return existsSync(own.executablePath());
}

function isRoot() {
  return process.getuid?.() === 0;
}

/** @param {string} path */
function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
