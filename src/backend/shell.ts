/** The shell port: runs one command line. */

/** A piece of what a command printed; pieces never split a character. */
export interface ShellOutput {
  stream: "stdout" | "stderr";
  text: string;
}

/** How a command ended. */
export interface ShellExit {
  /** The exit code; null when a signal ended it. */
  code: number | null;
  /** The name of the signal that ended it, such as `SIGKILL`. */
  signal?: string;
  /** Whether the deadline ended it. */
  timedOut: boolean;
  /** Whether output over the limit was dropped. */
  truncated: boolean;
  /** The working directory afterwards, where the shell keeps one. */
  cwd?: string;
}

/** How to run a command. */
export interface ShellOptions {
  /** Absolute. Defaults to where the session stands, at first the backend's `cwd`. */
  cwd?: string;
  /** Variables added to the session's, for this command alone. */
  env?: Readonly<Record<string, string>>;
  /** Defaults to empty and closed. */
  stdin?: string;
  /** Milliseconds until the command and all it started are killed. Defaults to {@link DEFAULT_SHELL_TIMEOUT}. */
  timeoutMs?: number;
  /** Kills the command and all it started. */
  signal?: AbortSignal;
  /** The most bytes of output that are kept, both streams together. Defaults to {@link DEFAULT_SHELL_OUTPUT}. */
  maxOutputBytes?: number;
  /** Commands of one session share working directory and variables. Defaults to the session `main`. */
  session?: string;
}

/** A running command: its output, in the order it was printed, and its end. */
export interface ShellRun extends AsyncIterable<ShellOutput> {
  /**
   * Resolves once the command has ended, also when nobody reads the output. Rejects with `SHELL_FAILED` when the
   * shell itself broke, and with the signal's reason when it was aborted.
   */
  exit: Promise<ShellExit>;
}

/**
 * Runs command lines.
 *
 * A command gets no variable of the host's own environment, where API keys and tokens live, except those named in
 * {@link SHELL_ENVIRONMENT} and what the application has given the shell; a shell without a host has none to give.
 */
export interface Shell {
  run(command: string, options?: ShellOptions): ShellRun;
  /** Ends what still runs and forgets the sessions. */
  close?(): Promise<void>;
}

/** Milliseconds a command may take when nothing else is said: two minutes. */
export const DEFAULT_SHELL_TIMEOUT = 120_000;

/** Bytes of output that are kept when nothing else is said: 1 MiB. */
export const DEFAULT_SHELL_OUTPUT: number = 1 << 20;

/**
 * The host's variables that a command gets when the application says nothing else; a name that ends with `*` stands for
 * all that begin so. They say where programs are, who and where the person is, and how to print; none is a secret.
 */
export const SHELL_ENVIRONMENT: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TZ",
  "TERM",
  "COLORTERM",
  "NO_COLOR",
  "TMPDIR",
  "TMP",
  "TEMP",
  // Without these, programs of Windows do not start.
  "COMSPEC",
  "PATHEXT",
  "SYSTEMROOT",
  "WINDIR",
];
