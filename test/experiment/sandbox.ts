/** Starts a place in which command lines can be run for real, and nothing comes of it. */

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, lstatSync, openSync, readlinkSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ENVIRONMENT, PASSING, ROOTS, SETUP, TREE, WORK } from "./tree.ts";

/** What to run. */
export interface Job {
  command: string;
  /** Defaults to `bash`. */
  shell?: "bash" | "sh";
  /** Milliseconds. Defaults to 1000. */
  timeout?: number;
  /** Whether the output is wanted. */
  output?: boolean;
}

/** What came of it. */
export interface Outcome {
  /** The exit code; -1 where a signal ended it. */
  code: number;
  timedOut: boolean;
  /** What is different afterwards: files, processes, the state of the shell. Everything is made good again. */
  changes: readonly string[];
  output?: string;
  error?: string;
}

/** A running sandbox; runs one line at a time. */
export interface Sandbox {
  run(job: Job): Promise<Outcome>;
  close(): void;
}

/** Starts a sandbox. */
export type StartSandbox = () => Promise<Sandbox>;

/** More memory than this cannot be filled with files, in each place that can be written to. */
const PLACE_SIZE = String(64 << 20);
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
/** What of the system's settings programs need; nothing private among them. */
const settings =
  "group nsswitch.conf ld.so.cache ld.so.conf ld.so.conf.d alternatives localtime timezone os-release debian_version hosts services protocols magic mime.types terminfo bash_completion.d manpath.config locale.alias";

/**
 * Finds a way to start sandboxes that works on this machine: bubblewrap, else the namespaces of the kernel by `unshare`.
 *
 * @returns The way, or the reason why there is none.
 */
export async function findSandbox(): Promise<StartSandbox | string> {
  if (process.platform !== "linux") return "there are no namespaces on this system";
  const failures: string[] = [];
  const ways: (readonly [string, () => readonly string[]])[] = [
    ["bwrap", bubblewrap],
    ["unshare", namespaces],
  ];
  for (const [program, parameters] of ways) {
    for (const asNobody of process.getuid?.() === 0 ? [true, false] : [false]) {
      const start: StartSandbox = () => open(program, parameters(), asNobody);
      const failure = await tryOut(start);
      if (failure === undefined) return start;
      failures.push(`${program}${asNobody ? " as nobody" : ""}: ${failure}`);
    }
  }
  return failures.join("; ");
}

/** Starts a sandbox once, and looks whether it holds. */
async function tryOut(start: StartSandbox): Promise<string | undefined> {
  let sandbox: Sandbox | undefined;
  try {
    sandbox = await start();
    const places = "/usr/bin/x /etc/x /x /experiment/x /proc/sys/kernel/hostname /sys/x /dev/x";
    const leak = `for x in ${places}; do (echo x > $x) 2> /dev/null && exit 3; done
      [ "$(id -u)" != 0 ] && ! grep -q 'CapEff:.*[1-9a-f]' /proc/self/status || exit 4
      grep -v -e '|' -e ' lo:' /proc/net/dev && exit 5
      touch seen`;
    const { code, changes } = await sandbox.run({ command: leak, timeout: 5000 });
    if (code !== 0) return `it does not hold (${code})`;
    return changes.some((change) => change === `created: ${WORK}/seen`) ? undefined : "it sees no changes";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    sandbox?.close();
  }
}

function open(program: string, parameters: readonly string[], asNobody: boolean): Promise<Sandbox> {
  const files = ["driver.mjs", "prelude.sh", "passwd"].map((name) => openSync(here(name), "r"));
  const child = spawn(program, parameters, {
    env: { PATH: process.env.PATH ?? "" },
    cwd: "/",
    stdio: ["pipe", "pipe", "pipe", ...files],
    ...(asNobody && { uid: 65534, gid: 65534 }),
  });
  for (const file of files) closeSync(file);
  return connect(child);
}

/** Talks with what runs inside; when that ends, so do the lines that wait. */
function connect(child: ChildProcess): Promise<Sandbox> {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error("The sandbox has no pipes.");
  const waiting: { resolve(value: Outcome): void; reject(error: Error): void }[] = [];
  let complaint = "";
  let ended: Error | undefined;
  const send = (message: object): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      waiting.push({ resolve, reject });
      stdin.write(`${JSON.stringify(message)}\n`);
    });
  const end = (reason: string): void => {
    ended ??= new Error(`${reason} ${complaint}`.trim());
    for (const { reject } of waiting.splice(0)) reject(ended);
  };
  stderr.on("data", (data: Buffer) => {
    complaint = (complaint + data.toString()).slice(-2000);
  });
  stdin.on("error", () => {});
  child.on("error", (error) => end(error.message));
  child.on("close", (code) => end(`The sandbox ended with ${code}.`));
  createInterface({ input: stdout }).on("line", (line) => waiting.shift()?.resolve(JSON.parse(line)));
  const sandbox: Sandbox = {
    run: ({ timeout = 1000, ...job }) => send({ ...job, timeout }),
    close: () => void child.kill("SIGKILL"),
  };
  return send({ entries: TREE, setup: SETUP, roots: ROOTS, passing: PASSING, cwd: WORK }).then(() => sandbox);
}

/** Node itself, where the sandbox sees it. */
function nodePath(): string {
  return process.execPath.startsWith("/usr/") ? process.execPath : "/experiment/node";
}

function bubblewrap(): readonly string[] {
  const bind = (path: string): string[] => ["--ro-bind-try", path, path];
  return [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL"],
    ...["--hostname", "sandbox", "--clearenv"],
    ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ["--setenv", name, value]),
    ...bind("/usr"),
    ...systemFolders().flatMap(([path, target]) => (target ? ["--symlink", target, path] : bind(path))),
    ...settings.split(" ").flatMap((name) => bind(`/etc/${name}`)),
    ...["--proc", "/proc", "--dev", "/dev", "--dir", "/sys"],
    ...[...ROOTS, "/printed"].flatMap((path) => ["--perms", "0755", "--size", PLACE_SIZE, "--tmpfs", path]),
    ...["--ro-bind-data", "3", "/experiment/driver.mjs", "--ro-bind-data", "4", "/experiment/prelude.sh"],
    ...["--ro-bind-data", "5", "/etc/passwd"],
    ...(nodePath() === process.execPath ? [] : ["--ro-bind", process.execPath, nodePath()]),
    ...["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", WORK],
    ...["--", nodePath(), "/experiment/driver.mjs"],
  ];
}

/** `/bin` and its kin: folders, or symlinks into `/usr`. */
function systemFolders(): [path: string, target: string | undefined][] {
  return ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]
    .filter((path) => existsSync(path))
    .map((path) => [path, lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined]);
}

/** The same by hand: a root of its own out of read-only mounts, then an ordinary user in it. */
function namespaces(): readonly string[] {
  const system = systemFolders().map(([path, target]) => (target ? `ln -s ${target} .${path}` : `bind ${path}`));
  const script = `
set -e
bind() { [ -e "$1" ] || return 0; if [ -d "$1" ]; then mkdir -p ".$1"; else mkdir -p ".\${1%/*}"; : > ".$1"; fi
  mount --rbind "$1" ".$1"; mount -o remount,bind,ro,nosuid "$1" ".$1" 2> /dev/null || mount -o remount,bind,ro,nosuid ".$1"; }
mount -t tmpfs -o mode=755,size=16M tmpfs /mnt
cd /mnt
bind /usr
${system.join("\n")}
for name in ${settings}; do bind "/etc/$name"; done
mkdir -p proc sys dev/shm experiment old ${[...ROOTS, "/printed"].map((path) => `.${path}`).join(" ")}
for name in null zero full random urandom tty; do : > "dev/$name"; mount --bind "/dev/$name" "dev/$name"; done
ln -s /proc/self/fd dev/fd; ln -s fd/0 dev/stdin; ln -s fd/1 dev/stdout; ln -s fd/2 dev/stderr
cat <&3 > experiment/driver.mjs; cat <&4 > experiment/prelude.sh; cat <&5 > etc/passwd
exec 3<&- 4<&- 5<&-
${nodePath() === process.execPath ? "" : `: > .${nodePath()}; mount --bind '${process.execPath}' .${nodePath()}`}
for place in /printed ${ROOTS.join(" ")}; do mount -t tmpfs -o mode=777,size=${PLACE_SIZE},nosuid tmpfs ".$place"; done
mount -t proc -o nosuid proc proc
for name in sys irq bus sysrq-trigger; do [ -e "proc/$name" ] || continue
  mount --bind "proc/$name" "proc/$name"; mount -o remount,bind,ro "proc/$name" "proc/$name"; done
hostname sandbox
pivot_root . old
cd /
umount -l /old
mount -o remount,bind,ro /
cd ${WORK}
exec env -i ${Object.entries(ENVIRONMENT)
    .map(([name, value]) => `'${name}=${value}'`)
    .join(" ")} \\
  unshare --user --map-user=1000 --map-group=1000 -- setpriv --no-new-privs --bounding-set=-all --inh-caps=-all \\
  ${nodePath()} /experiment/driver.mjs`;
  return [
    ...["--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child", "--net", "--ipc", "--uts"],
    ...["sh", "-c", script],
  ];
}
