/**
 * Runs inside of the sandbox: makes the files, runs one line after another, and tells what each left behind.
 *
 * Reads JSON by line: first what to set up, then what to run. Answers with JSON by line.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  ftruncateSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createInterface } from "node:readline";

/** Lets a program end by itself before it is killed. */
const GRACE = 200;
/** How long processes may take to end after the shell that started them, at least. */
const LAST_BREATH = 2000;
/** As much of the output is handed back where it is asked for. */
const KEPT_OUTPUT = 1 << 16;
/** What the shell says when it has told all of its state. */
const LAST_WORDS = "that is all\n";
/** Every file gets this time, so that nothing depends on when it was made. */
const LONG_AGO = new Date("2020-02-02T02:02:02Z");
/** What git knows about the files was found out later, or it would look again. */
const LATER = new Date("2020-02-03T02:02:02Z");

/** Where the output, the errors and the state of the shell go: to files, which a program can open like a pipe by name. */
const printed = [1, 2, 3].map((name) => openSync(`/printed/${name}`, "a+"));
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { entries, setup, roots, passing, cwd } = JSON.parse((await lines.next()).value);
make(entries);
for (const command of setup) {
  const { status, stderr } = spawnSync("/bin/bash", ["-ec", command], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}
age();
const pristine = record();
let before = look();
let state;
const own = processes();
state = (await run({ command: ":", timeout: 5000 })).state;
answer({ ready: true });

for await (const line of lines) {
  const job = JSON.parse(line);
  const { state: left, ...outcome } = await run(job);
  const now = look();
  // What was killed may have left behind what would have gone.
  const isLeft = (change) => outcome.timedOut && passing.some((path) => change.startsWith(`created: ${path}/`));
  const changes = difference(before, now).filter((change) => !isLeft(change));
  if (left !== "" && left !== state) changes.push(...stateDifference(state, left));
  if (outcome.survivors.length > 0) changes.push(...outcome.survivors.map((name) => `process still running: ${name}`));
  answer({ ...outcome, changes });
  if (changes.length === 0 && now.size === before.size) continue;
  restore();
  before = look();
}

function answer(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Runs a line in a shell of its own; bash tells its state as it ends. What is printed goes to files of limited size. */
async function run({ command, shell = "bash", timeout, output = false }) {
  const words = shell === "bash" ? ["-c", command] : ["-c", 'exec "$0" -c "$1"', shell, command];
  for (const file of printed) ftruncateSync(file);
  const child = spawn("/bin/bash", words, { cwd, detached: true, stdio: ["ignore", ...printed] });
  let timedOut = false;
  let timer = setTimeout(() => {
    timedOut = true;
    signal(strangers(), "SIGTERM");
    // Cleared with the line, or it would kill the next one.
    timer = setTimeout(() => signal(strangers(), "SIGKILL"), GRACE);
  }, timeout);
  const code = await new Promise((resolve) => {
    child.on("error", () => resolve(-1));
    child.on("exit", (status) => resolve(status ?? -1));
  });
  clearTimeout(timer);
  const survivors = timedOut ? [] : await outliving(Math.max(LAST_BREATH, timeout / 2));
  while (strangers().length > 0) {
    signal(strangers(), "SIGKILL");
    await pause(2);
  }
  const [out, error, told] = printed.map(textOf);
  // A shell that was killed while it told its state has told too little to compare.
  const state = timedOut && !told.endsWith(LAST_WORDS) ? "" : told.split("\n").filter(isTelling).join("\n");
  return { code, timedOut, survivors, state, ...(output && { output: out, error }) };
}

function textOf(file) {
  const bytes = Buffer.alloc(KEPT_OUTPUT);
  return bytes.toString("utf8", 0, readSync(file, bytes, 0, KEPT_OUTPUT, 0));
}

/** Where the shell found programs of the system is no news. */
function isTelling(line) {
  return line !== "" && !/^builtin hash -p \/(usr\/(local\/)?)?bin\/|hash table empty$/.test(line);
}

/** Gives the names of the processes that go on although the shell has ended. */
async function outliving(patience) {
  for (let waited = 0; waited < patience; waited += 5) {
    if (strangers().length === 0) return [];
    await pause(5);
  }
  return strangers().map((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ").trim() || String(id);
    } catch {
      return String(id);
    }
  });
}

function processes() {
  return new Set(readdirSync("/proc").filter((name) => /^\d+$/.test(name)));
}

/** Gives the processes that are neither this one nor what it came with; the dead are not counted. */
function strangers() {
  return [...processes()].filter((id) => !own.has(id) && isAlive(id)).map(Number);
}

function isAlive(id) {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${id}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function signal(ids, name) {
  for (const id of ids) {
    try {
      process.kill(id, name);
    } catch {
      // It has ended in the meantime.
    }
  }
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function make(list) {
  for (const { path, text, link, mode } of list) {
    mkdirSync(path.slice(0, path.lastIndexOf("/")) || "/", { recursive: true });
    if (link !== undefined) symlinkSync(link, path);
    else if (text === undefined) mkdirSync(path, { recursive: true });
    else writeFileSync(path, text);
    if (mode !== undefined) chmodSync(path, mode);
  }
}

/** Gives every path below the roots with what `lstat` says; the roots themselves too. */
function* walk() {
  const open = [...roots];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const stat = lstatSync(path, { bigint: true });
    yield [path, stat];
    // Whoever takes away the right to look has changed the mode.
    if (stat.isDirectory()) for (const name of namesIn(path)) open.push(`${path}/${name}`);
  }
}

function namesIn(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/**
 * The time of change (`ctime`) cannot be set by a program, so it tells of any change of content, mode or links. Only in
 * some folders files may come and go.
 */
function look() {
  const seen = new Map();
  for (const [path, { mode, nlink, size, mtimeNs, ctimeNs, ino }] of walk()) {
    seen.set(path, { mode, nlink, ino, ...(!passing.includes(path) && { size, mtimeNs, ctimeNs }) });
  }
  return seen;
}

function difference(old, now) {
  const found = [];
  for (const [path, stat] of now) {
    const was = old.get(path);
    if (was === undefined) found.push(`created: ${path}`);
    else {
      const facts = Object.keys(stat).filter((fact) => stat[fact] !== was[fact]);
      if (facts.length > 0) found.push(`changed: ${path} (${facts.join(", ")})`);
    }
  }
  for (const path of old.keys()) if (!now.has(path)) found.push(`removed: ${path}`);
  return found;
}

function stateDifference(old, now) {
  const known = new Set(old.split("\n"));
  const left = now.split("\n").filter((line) => !known.has(line));
  return left.length > 0
    ? left.map((line) => `state of the shell: ${line}`)
    : ["state of the shell: something is gone"];
}

function age() {
  for (const [path] of [...walk()].reverse()) {
    const time = path.includes("/.git/") ? LATER : LONG_AGO;
    lutimesSync(path, time, time);
  }
}

/** Remembers all there is, to make it again. */
function record() {
  const all = [];
  for (const [path, stat] of walk()) {
    const mode = Number(stat.mode & 0o7777n);
    if (stat.isSymbolicLink()) all.push({ path, link: readlinkSync(path) });
    else if (stat.isFile()) all.push({ path, text: readFileSync(path), mode });
    else if (!roots.includes(path)) all.push({ path, mode });
  }
  return all;
}

function restore() {
  for (const root of roots) {
    chmodSync(root, 0o755);
    for (const name of namesIn(root)) remove(`${root}/${name}`);
  }
  // Folders that may not be written to are closed when all is in them.
  make(pristine.map((entry) => (entry.mode === undefined || entry.text !== undefined ? entry : { path: entry.path })));
  for (const { path, mode, text } of pristine) if (mode !== undefined && text === undefined) chmodSync(path, mode);
  age();
}

function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    spawnSync("/bin/chmod", ["-R", "u+rwx", path]);
    rmSync(path, { recursive: true, force: true });
  }
}
