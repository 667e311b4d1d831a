/** What the commands of this project share: where they are, how they run programs, how they end. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the package, with a trailing slash. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** A fault that is told without a stack; the message says what to do. */
export class Fault extends Error {}

/**
 * Runs `command` when its file is the program that Node was started with, and ends with the exit code it gives.
 * @param {ImportMeta} meta
 * @param {() => Promise<number | void> | number | void} command
 */
export async function main(meta, command) {
  if (process.argv[1] !== fileURLToPath(meta.url)) return;
  try {
    process.exitCode = (await command()) ?? 0;
  } catch (error) {
    process.exitCode = 1;
    console.error(error instanceof Fault ? `\n${error.message}` : error);
  }
}

/**
 * Runs a program on this terminal.
 * @param {string} program
 * @param {readonly string[]} parameters
 * @param {NodeJS.ProcessEnv} [environment] Added to this process's own.
 * @returns {number} Its exit code.
 */
export function run(program, parameters, environment = {}) {
  const { status } = spawnSync(program, parameters, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...environment },
    // npm is a script there.
    shell: process.platform === "win32" && program === "npm",
  });
  return status ?? 1;
}

/**
 * Runs a command that a package of this project brings, without the half second that npx takes.
 * @param {string} packageName
 * @param {readonly string[]} parameters
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {number} Its exit code.
 */
export function runTool(packageName, parameters, environment) {
  return run(process.execPath, [toolPath(packageName), ...parameters], environment);
}

/**
 * The script behind a package's command.
 * @param {string} packageName
 * @returns {string}
 */
export function toolPath(packageName) {
  const folder = `${root}node_modules/${packageName}/`;
  const { bin } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
  return folder + (typeof bin === "string" ? bin : Object.values(bin)[0]);
}
