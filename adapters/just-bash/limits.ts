/** Every bound of a shell over just-bash, in one place. */

/** What a command line may use; a command over a limit ends with code 126 and says which one it was. */
export interface ShellLimits {
  /** Bytes of one command line. Defaults to 1 MiB. */
  sourceBytes: number;
  /** Commands that one command line may run. Defaults to 1,000,000. */
  commands: number;
  /** Rounds of one loop, in the shell, awk, sed and jq. Defaults to 1,000,000. */
  loopRounds: number;
  /** Calls of functions within functions. Defaults to 100. */
  callDepth: number;
  /** Bytes that all commands together print, kept or not. Defaults to 64 MiB. */
  printedBytes: number;
  /** Bytes of one variable, one here-document or one file that is read. Defaults to 64 MiB. */
  valueBytes: number;
  /** Bytes that are held at one time. Defaults to 256 MiB. */
  heldBytes: number;
  /** Elements of one array, and results of one brace expansion. Defaults to 100,000. */
  elements: number;
  /** Entries that one walk through folders meets. Defaults to 1,000,000. */
  walkedEntries: number;
}

/** The limits when nothing else is said. */
export const DEFAULT_SHELL_LIMITS: Readonly<ShellLimits> = {
  sourceBytes: 1 << 20,
  commands: 1_000_000,
  loopRounds: 1_000_000,
  callDepth: 100,
  printedBytes: 64 << 20,
  valueBytes: 64 << 20,
  heldBytes: 256 << 20,
  elements: 100_000,
  walkedEntries: 1_000_000,
};

/** The longest time a command may be given: a day. A larger number would overflow the timers of some hosts. */
export const MAX_TIMEOUT = 86_400_000;

/** Milliseconds after the deadline, or after an abort, until a command that did not stop is given up. */
export const STOP_GRACE = 250;

/** Milliseconds that a worker has to stop a command by itself after an abort; then the worker is ended. */
export const WORKER_GRACE = 50;

/** Milliseconds a worker has to start and load just-bash. */
export const WORKER_START = 30_000;

/** Workers that run at one time; further runs wait for one. */
export const MAX_WORKERS = 4;

/** Sessions a shell remembers; the one that was used longest ago is forgotten first. */
export const MAX_SESSIONS = 1000;

/** UTF-16 units of names and values that a session keeps between calls; what does not fit is forgotten. */
export const MAX_SESSION_TEXT: number = 1 << 20;

/** Paths whose mode or time a shell remembers; the oldest are forgotten first. */
export const MAX_FILE_FACTS = 10_000;

/** Paths a stat cache holds; when it is full it starts afresh. */
export const MAX_CACHED_PATHS = 20_000;

/** Bytes that endless devices such as `/dev/zero` give before they end. */
export const DEVICE_BYTES: number = 1 << 20;

/** Makes the limits as just-bash names them. */
export function engineLimits(limits: ShellLimits, timeoutMs: number): Record<string, number> {
  return {
    maxExecutionTimeMs: timeoutMs,
    maxSourceBytes: limits.sourceBytes,
    maxCommandCount: limits.commands,
    maxLoopIterations: limits.loopRounds,
    maxAwkIterations: limits.loopRounds,
    maxSedIterations: limits.loopRounds,
    maxJqIterations: limits.loopRounds,
    maxCallDepth: limits.callDepth,
    maxOutputSize: limits.printedBytes,
    maxStringLength: limits.valueBytes,
    maxHeredocSize: limits.valueBytes,
    maxInputBytes: limits.heldBytes,
    maxLiveBytes: limits.heldBytes,
    maxArrayElements: limits.elements,
    maxBraceExpansionResults: limits.elements,
    maxTraversalEntries: limits.walkedEntries,
    maxTraversalWork: limits.walkedEntries,
    maxGlobOperations: limits.walkedEntries,
    maxFileDescriptors: 1024,
  };
}
