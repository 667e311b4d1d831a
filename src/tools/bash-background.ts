/** Commands that run in the background of conversations: what is alive of them, which no state can hold. */

import type { Shell, ShellExit, ShellRun } from "../backend/shell.ts";
import { abortable, onAbort } from "../base/abort.ts";
import { errorText, HoldallError } from "../base/errors.ts";
import type { Clock } from "../base/ids.ts";
import { cutText } from "../base/text.ts";
import type { AgentState } from "../state/agent-state.ts";
import { refusal } from "./answer.ts";
import { createKept, type KeptText } from "./bash-kept.ts";
import {
  asLost,
  type BackgroundList,
  type BackgroundRun,
  inOrder,
  listRuns,
  MAX_SHOWN_COMMAND,
  numberOf,
  readRuns,
  writeRuns,
} from "./bash-runs.ts";
import {
  MAX_BACKGROUND_PRINTED,
  MAX_BACKGROUND_RUNS,
  MAX_BACKGROUND_TIME,
  MAX_BACKGROUND_WAITING,
  MAX_ENDED_OUTPUTS,
} from "./limits.ts";

/** How commands in the background are kept. */
export interface BackgroundRunsOptions {
  /** The most that run at one time for one conversation. Defaults to {@link MAX_BACKGROUND_RUNS}. */
  maxRuns?: number;
  /** Stops all of them when it aborts, for good. */
  signal?: AbortSignal;
  /** Tells when one was started. Defaults to `Date.now`. */
  clock?: Clock;
}

/** What to start. */
export interface BackgroundStart {
  shell: Shell;
  command: string;
  /** The conversation; calls without one share a list. */
  state: AgentState | undefined;
  /** Where it runs. Defaults to where the shell stands at first. */
  cwd?: string | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  /** Defaults to {@link MAX_BACKGROUND_TIME}. */
  timeoutMs?: number | undefined;
}

/** What a command has printed since it was last asked. */
export interface BackgroundOutput {
  run: BackgroundRun;
  text: string;
}

/**
 * The commands in the background of any number of conversations. Their list is in each conversation's state; what is
 * alive is here, and ends with {@link BackgroundRuns.close}.
 */
export interface BackgroundRuns {
  /** Lists those of a conversation, oldest first. */
  list(state: AgentState | undefined): BackgroundRun[];
  /**
   * Starts a command and comes back at once.
   *
   * @throws HoldallError when too many run already, or after `close`.
   */
  start(start: BackgroundStart): BackgroundRun;
  /**
   * Gives what a command has printed since the last time.
   *
   * @param state The conversation.
   * @param id The id of the command.
   * @param filter Keeps only the lines it is true for; of an unfinished line it is asked later.
   * @throws HoldallError that names the ids there are. When the filter throws, nothing counts as read.
   */
  read(state: AgentState | undefined, id: string, filter?: (line: string) => boolean): BackgroundOutput;
  /**
   * Stops a command and all it started; waits until it has ended. One that has ended stays as it is.
   *
   * @throws HoldallError that names the ids there are; the signal's reason when the waiting is given up.
   */
  stop(state: AgentState | undefined, id: string, signal?: AbortSignal): Promise<BackgroundRun>;
  /** Stops all of a conversation, such as when it is over or was aborted; what they printed is forgotten. */
  stopAll(sessionId: string): Promise<void>;
  /**
   * Tells a model that a command has ended which it has not looked at since, and what else runs: for
   * `Agent({ reminders: [runs.reminder] })`. It changes nothing.
   *
   * @returns Undefined when there is nothing to tell.
   */
  reminder(state: AgentState): string | undefined;
  /** Stops all of all conversations; none can be started afterwards. */
  close(): Promise<void>;
}

/**
 * Makes a place for commands that run in the background. Whoever makes it closes it.
 *
 * @example
 * const background = backgroundRuns();
 * const toolkit = new Toolkit({ tools: codingTools({ backend, background }) });
 * const agent = new Agent({ model, toolkit, reminders: [background.reminder] });
 * await background.close();
 */
export function backgroundRuns(options: BackgroundRunsOptions = {}): BackgroundRuns {
  const { maxRuns = MAX_BACKGROUND_RUNS, signal, clock = Date.now } = options;
  if (!Number.isInteger(maxRuns) || maxRuns < 1) {
    throw new HoldallError("TOOL_OPTION", `maxRuns cannot be ${maxRuns}. Give a whole number from 1.`);
  }
  const runs = new LiveRuns(maxRuns, clock);
  onAbort(signal, () => void runs.close());
  return runs;
}

/** A command that is alive, or whose output has not been read to its end. */
interface LiveRun {
  run: BackgroundRun;
  waiting: KeptText;
  stop: AbortController;
  /** Resolves when it has ended. */
  over: Promise<void>;
}

class LiveRuns implements BackgroundRuns {
  readonly #maxRuns: number;
  readonly #clock: Clock;
  /** By conversation, then by id, in the order they were started. */
  readonly #sessions = new Map<string, Map<string, LiveRun>>();
  #isClosed = false;

  constructor(maxRuns: number, clock: Clock) {
    this.#maxRuns = maxRuns;
    this.#clock = clock;
  }

  list(state: AgentState | undefined): BackgroundRun[] {
    return this.#merge(state).runs;
  }

  start({ shell, command, state, cwd, env, timeoutMs = MAX_BACKGROUND_TIME }: BackgroundStart): BackgroundRun {
    if (this.#isClosed) throw refusal("Nothing can run in the background any more. Run the command in the foreground.");
    const list = this.#merge(state);
    const running = list.runs.filter(({ status }) => status === "running");
    if (running.length >= this.#maxRuns) {
      throw refusal(
        `${running.length} commands run in the background already, which is the most. Stop one with KillShell, or wait until one ends:\n${listRuns(running)}`,
      );
    }
    const id = `bash_${list.nextId}`;
    const stop = new AbortController();
    const started = shell.run(command, {
      // A session of its own: in that of the conversation, the next command would wait for the end of this one.
      session: `${sessionOf(state)}.${id}`,
      timeoutMs,
      signal: stop.signal,
      maxOutputBytes: MAX_BACKGROUND_PRINTED,
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
    });
    const run: BackgroundRun = {
      id,
      command: cutText(command, MAX_SHOWN_COMMAND),
      status: "running",
      ending: "",
      exitCode: null,
      seen: false,
      startedAt: this.#clock(),
    };
    const waiting = createKept(MAX_BACKGROUND_WAITING / 4, (MAX_BACKGROUND_WAITING / 4) * 3);
    const live: LiveRun = { run, waiting, stop, over: follow(run, waiting, started, stop) };
    void live.over.then(() => this.#forgetOldest());
    this.#sessionAt(sessionOf(state)).set(id, live);
    writeRuns(state, { runs: [...list.runs, run], nextId: list.nextId + 1 });
    return { ...run };
  }

  read(state: AgentState | undefined, id: string, filter?: (line: string) => boolean): BackgroundOutput {
    const run = this.#find(state, id);
    const live = this.#liveRun(state, run.id);
    const text = live === undefined ? "" : takeText(live, filter);
    if (run.status !== "running") this.#see(state, run);
    return { run, text };
  }

  async stop(state: AgentState | undefined, id: string, signal?: AbortSignal): Promise<BackgroundRun> {
    const found = this.#find(state, id);
    const live = this.#liveRun(state, found.id);
    if (live?.run.status === "running") {
      live.stop.abort(stopped());
      await abortable(live.over, signal);
    }
    return this.#see(state, live?.run ?? found);
  }

  async stopAll(sessionId: string): Promise<void> {
    const session = [...(this.#sessions.get(sessionId)?.values() ?? [])];
    this.#sessions.delete(sessionId);
    for (const { stop } of session) stop.abort(stopped());
    await Promise.all(session.map(({ over }) => over));
  }

  // A function of its own, so that it can be handed to an agent as it is.
  readonly reminder = (state: AgentState): string | undefined => {
    const { runs } = this.#merge(state);
    const told = runs.filter(({ status, seen }) => status === "running" || !seen);
    if (told.every(({ status }) => status === "running")) return undefined;
    return `A command in the background has ended, and you have not looked at it since:\n${listRuns(told)}\nSee what one printed with BashOutput, stop one that runs with KillShell.`;
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions.keys()].map((sessionId) => this.stopAll(sessionId)));
  }

  /** Puts what the state says and what is alive together; what only the state knows to be running is lost. */
  #merge(state: AgentState | undefined): BackgroundList {
    const stored = readRuns(state);
    const live = new Map(this.#sessions.get(sessionOf(state)));
    const runs = stored.runs.map((run) => {
      const found = live.get(run.id);
      live.delete(run.id);
      if (found !== undefined) return { ...found.run };
      return run.status === "running" ? asLost(run) : run;
    });
    for (const { run } of live.values()) runs.push({ ...run });
    const highest = Math.max(0, ...runs.map(numberOf));
    return { runs: inOrder(runs), nextId: Math.max(stored.nextId, highest + 1) };
  }

  #find(state: AgentState | undefined, id: string): BackgroundRun {
    const { runs } = this.#merge(state);
    const found = runs.find((run) => run.id === id.trim());
    if (found !== undefined) return found;
    const known = runs.length === 0 ? "None was started." : `There are:\n${listRuns(runs)}`;
    throw refusal(`No command in the background has the id ${JSON.stringify(cutText(id, 80))}. ${known}`);
  }

  /** Remembers that the model knows of an end, also of one that was forgotten meanwhile; then the list is all there is. */
  #see(state: AgentState | undefined, ended: BackgroundRun): BackgroundRun {
    const known = { ...ended, seen: true };
    const list = this.#merge(state);
    const live = this.#liveRun(state, ended.id);
    if (live !== undefined) live.run.seen = true;
    writeRuns(state, { ...list, runs: list.runs.map((run) => (run.id === ended.id ? known : run)) });
    return known;
  }

  #liveRun(state: AgentState | undefined, id: string): LiveRun | undefined {
    return this.#sessions.get(sessionOf(state))?.get(id);
  }

  #sessionAt(sessionId: string): Map<string, LiveRun> {
    const session = this.#sessions.get(sessionId) ?? new Map<string, LiveRun>();
    this.#sessions.set(sessionId, session);
    return session;
  }

  #forgetOldest(): void {
    const ended = [...this.#sessions].flatMap(([sessionId, session]) =>
      [...session.values()].filter(({ run }) => run.status !== "running").map(({ run }) => ({ sessionId, run })),
    );
    ended.sort((one, other) => one.run.startedAt - other.run.startedAt);
    for (const { sessionId, run } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED_OUTPUTS))) {
      const session = this.#sessions.get(sessionId);
      session?.delete(run.id);
      if (session?.size === 0) this.#sessions.delete(sessionId);
    }
  }
}

function sessionOf(state: AgentState | undefined): string {
  return state?.sessionId ?? "";
}

function stopped(): DOMException {
  return new DOMException("The command was stopped.", "AbortError");
}

/** Reads what a command prints until it ends; never rejects. */
async function follow(run: BackgroundRun, waiting: KeptText, started: ShellRun, stop: AbortController): Promise<void> {
  const { signal } = stop;
  // Whichever of output and exit fails first is reported; the other must not count as unhandled.
  started.exit.catch(() => {});
  try {
    for await (const { text } of started) waiting.push(text);
    const exit = await started.exit;
    if (exit.truncated)
      waiting.push(`\n[It printed more than ${MAX_BACKGROUND_PRINTED >> 20} MiB; the rest was dropped.]\n`);
    end(run, signal.aborted ? wasStopped : endOf(exit));
  } catch (error) {
    const ending = `failed with the shell itself: ${cutText(errorText(error), 120)}`;
    end(run, signal.aborted ? wasStopped : { status: "failed", ending, exitCode: null });
    // Nobody listens to it any more, and nobody could stop it later.
    stop.abort(stopped());
  }
}

type Ending = Pick<BackgroundRun, "status" | "ending" | "exitCode">;

const wasStopped: Ending = { status: "stopped", ending: "been stopped", exitCode: null };

function end(run: BackgroundRun, ending: Ending): void {
  Object.assign(run, ending);
}

/** UTF-16 units of the name of a signal that are shown. */
const MAX_SHOWN_SIGNAL = 40;

function endOf({ code, signal, timedOut }: ShellExit): Ending {
  // What is no whole number would not survive in the state, which is JSON.
  const exitCode = Number.isSafeInteger(code) ? code : null;
  const ending = timedOut
    ? "run out of its time and was killed"
    : signal !== undefined
      ? `been killed by ${cutText(signal, MAX_SHOWN_SIGNAL)}`
      : exitCode === null
        ? "ended without an exit code"
        : `ended with exit code ${exitCode}`;
  return { status: "ended", ending, exitCode };
}

function takeText({ run, waiting }: LiveRun, filter: ((line: string) => boolean) | undefined): string {
  if (filter === undefined) return waiting.take();
  const isRunning = run.status === "running";
  const lines = waiting.peek(isRunning).split("\n");
  // What follows the last line end is a line only when there is something.
  const last = lines.pop() ?? "";
  const kept = lines.filter((line) => filter(line.replace(/\r$/, ""))).map((line) => `${line}\n`);
  if (last !== "" && filter(last)) kept.push(last);
  waiting.take(isRunning);
  return kept.join("");
}
