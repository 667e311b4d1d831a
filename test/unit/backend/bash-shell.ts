/** A small shell over the real bash: what the contract asks for must be what a real shell does. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import {
  DEFAULT_SHELL_OUTPUT,
  DEFAULT_SHELL_TIMEOUT,
  type Shell,
  type ShellExit,
  type ShellOptions,
  type ShellOutput,
  type ShellRun,
} from "holdall";

/** Runs the command after what the session left, and leaves what it changed. */
const SCRIPT = `
state=$1 command=$2 start=$3 lent=$5
cd -- "$start" || exit 1
[ -f "$state.variables" ] && . "$state.variables" 2>/dev/null
[ -n "$4" ] || { [ -f "$state.folder" ] && cd -- "$(cat "$state.folder")"; }
trap 'code=$?; pwd > "$state.folder"; unset command start lent $lent; declare -p > "$state.variables"; exit $code' EXIT
set --
eval "$command"
`;

/** Makes a shell that starts in a folder and keeps its sessions in another one. */
export function bashShell(cwd: string, stateFolder: string): Shell {
  const running = new Map<ChildProcess, () => void>();
  const queues = new Map<string, Promise<unknown>>();
  let isClosed = false;
  const start = async (
    command: string,
    options: ShellOptions,
    print: (piece: ShellOutput) => boolean,
  ): Promise<ShellExit> => {
    options.signal?.throwIfAborted();
    await mkdir(stateFolder, { recursive: true });
    const state = `${stateFolder}/${options.session ?? "main"}`;
    const env = { PATH: process.env.PATH, HOME: cwd, LANG: "C.UTF-8", ...options.env };
    const lent = Object.keys(options.env ?? {}).join(" ");
    const args = ["--norc", "-c", SCRIPT, "bash", state, command, options.cwd ?? cwd, options.cwd ?? "", lent];
    const child = spawn("bash", args, { cwd: "/", env, detached: true });
    const kill = (): void => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    };
    running.set(child, kill);
    if (isClosed) kill();
    let timedOut = false;
    let truncated = false;
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, options.timeoutMs ?? DEFAULT_SHELL_TIMEOUT);
    options.signal?.addEventListener("abort", kill);
    child.stdin.on("error", () => {});
    child.stdin.end(options.stdin ?? "");
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8");
      child[stream].on("data", (text: string) => {
        truncated = !print({ stream, text }) || truncated;
      });
    }
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.once("close", (...end) => resolve(end)),
    );
    clearTimeout(timer);
    running.delete(child);
    options.signal?.removeEventListener("abort", kill);
    options.signal?.throwIfAborted();
    const folder = await readFile(`${state}.folder`, "utf8").catch(() => "");
    return {
      code,
      timedOut,
      truncated,
      ...(signal !== null && { signal }),
      ...(folder !== "" && { cwd: folder.trim() }),
    };
  };
  return {
    run(command, options = {}) {
      const output = keepOutput(options.maxOutputBytes ?? DEFAULT_SHELL_OUTPUT);
      const session = options.session ?? "main";
      const exit = (queues.get(session) ?? Promise.resolve()).then(() => start(command, options, output.print));
      const settled = exit.then(output.end, output.end);
      queues.set(session, settled);
      return { exit, [Symbol.asyncIterator]: output.read } satisfies ShellRun;
    },
    close: async () => {
      isClosed = true;
      for (const kill of running.values()) kill();
      await Promise.all(queues.values());
    },
  };
}

interface Output {
  /** Takes a piece; gives false when some of it had to be dropped. */
  print(piece: ShellOutput): boolean;
  end(): void;
  read(): AsyncIterator<ShellOutput>;
}

function keepOutput(limit: number): Output {
  const pieces: ShellOutput[] = [];
  let left = limit;
  let ended = false;
  let wake = (): void => {};
  return {
    print({ stream, text }) {
      const kept = cutToBytes(text, left);
      left -= Buffer.byteLength(kept);
      if (kept !== "") pieces.push({ stream, text: kept });
      wake();
      if (kept.length === text.length) return true;
      left = 0;
      return false;
    },
    end() {
      ended = true;
      wake();
    },
    async *read() {
      for (let index = 0; ; index += 1) {
        while (index >= pieces.length && !ended) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const piece = pieces[index];
        if (piece === undefined) return;
        yield piece;
      }
    },
  };
}

function cutToBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  let kept = "";
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > limit) break;
    kept += character;
  }
  return kept;
}
