/** Compares ways of doing the same thing, side by side in one process. */

/** Milliseconds that each subject runs before anything counts. */
const WARM_UP_TIME = 400;

/** One way of doing it. */
export interface Subject {
  name: string;
  /** Does it once. A promise is waited for before the next. */
  run(): unknown;
}

/** A way that is held against the base. */
export interface Candidate extends Subject {
  /** What its time may be, as a multiple of the base's. */
  atMost?: number;
}

/** What time is. */
export type Clock = "cpu" | "wall";

/** What to compare. */
export interface Comparison {
  title: string;
  /** What the multiples refer to; measured in the same rounds. */
  base: Subject;
  candidates: readonly Candidate[];
  /** Defaults to 15. */
  rounds?: number;
  /** Milliseconds that each subject runs in a round. Defaults to 40. */
  roundTime?: number;
  /**
   * `cpu` counts what this process used of the processors, so that other programs on the machine hardly matter; `wall` is
   * for subjects that wait for somebody else, such as a disk or a worker. Defaults to `cpu`.
   */
  clock?: Clock;
}

/** What was measured of a subject. */
export interface Measurement {
  name: string;
  /** Microseconds for one run: the median over the rounds. */
  time: number;
  /** The median over the rounds of its time divided by the base's time in the same round. */
  ratio: number;
  atMost?: number;
}

/**
 * Runs base and candidates in turns, so that what else the machine does meets all alike, and prints the medians.
 */
export async function compare(comparison: Comparison): Promise<Measurement[]> {
  const { title, base, candidates, rounds = 15, roundTime = 40, clock = "cpu" } = comparison;
  const subjects: readonly Candidate[] = [base, ...candidates];
  // Until the engine has compiled it, a subject is another program.
  for (const subject of subjects) await timeRuns(subject, WARM_UP_TIME, clock);
  const times = subjects.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < subjects.length; turn += 1) {
      // Each round begins with another subject: none always runs on another's garbage.
      const index = (round + turn) % subjects.length;
      times[index]?.push(await timeRuns(subjects[index] ?? base, roundTime, clock));
    }
  }
  const measurements = subjects.map((subject, index) => measure(subject, times[index] ?? [], times[0] ?? []));
  print(title, measurements);
  return measurements;
}

function measure({ name, atMost }: Candidate, times: readonly number[], baseTimes: readonly number[]): Measurement {
  const ratio = median(times.map((time, round) => time / (baseTimes[round] ?? Number.NaN)));
  return { name, time: median(times), ratio, ...(atMost !== undefined && { atMost }) };
}

/** Microseconds for one run, from as many as fit into the given milliseconds. */
async function timeRuns(subject: Subject, milliseconds: number, clock: Clock): Promise<number> {
  const limit = milliseconds * 1000;
  const start = now(clock);
  for (let [runs, count] = [0, 1]; ; ) {
    await repeat(subject, count);
    runs += count;
    const time = now(clock) - start;
    if (time >= limit) return time / runs;
    // The clock is asked seldom enough not to be measured itself.
    if (time < limit / 20) count *= 2;
  }
}

async function repeat({ run }: Subject, count: number): Promise<void> {
  // The first result tells whether there is anything to wait for: an await that is not needed would be measured too.
  const first = run();
  if (first instanceof Promise) {
    await first;
    for (let index = 1; index < count; index += 1) await run();
  } else {
    for (let index = 1; index < count; index += 1) run();
  }
}

/** Microseconds from some beginning. */
function now(clock: Clock): number {
  if (clock === "wall") return performance.now() * 1000;
  const { user, system } = process.cpuUsage();
  return user + system;
}

function print(title: string, measurements: readonly Measurement[]): void {
  console.log(`\n${title}`);
  for (const { name, time, ratio, atMost } of measurements) {
    const verdict = atMost === undefined ? "" : `reach ≤ ${atMost} ×  ${ratio <= atMost ? "reached" : "NOT REACHED"}`;
    console.log(
      `  ${name.padEnd(36)} ${toText(time).padStart(10)} ${ratio.toFixed(2).padStart(8)} ×  ${verdict}`.trimEnd(),
    );
  }
}

function toText(microseconds: number): string {
  return microseconds < 1000 ? `${microseconds.toFixed(2)} µs` : `${(microseconds / 1000).toFixed(2)} ms`;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = sorted.slice(sorted.length % 2 === 0 ? middle - 1 : middle, middle + 1);
  return sorted.length % 2 === 0 ? (low + high) / 2 : low;
}
