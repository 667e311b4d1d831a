/** The lines that one step of a scan has found. */

/** A matching line. */
export interface LineHit {
  /** Where the line starts in the text. */
  from: number;
  /** Where it ends, before its terminator. */
  to: number;
  /** Where its match starts. */
  at: number;
}

/** Lines in order, each once. */
export interface LineHits extends Iterable<LineHit> {
  /** How many there are. */
  readonly count: number;
  /** Where the last one ends that was ever added; -1 before the first. */
  readonly end: number;
  add(from: number, to: number, at: number): void;
  /** Forgets them, but not where the last one ended. */
  clear(): void;
}

/** Numbers for each line. */
const COLUMNS = 3;

/**
 * Makes an empty list, to be filled for one step after the other.
 *
 * Numbers, and always in the same place: millions of lines may be only counted, and an engine that sees objects live from
 * one step to the next comes to put all of them where the collector takes longest.
 */
export function createLineHits(): LineHits {
  const places: number[] = [];
  let count = 0;
  let end = -1;
  return {
    get count() {
      return count;
    },
    get end() {
      return end;
    },
    add(from, to, at) {
      const place = count * COLUMNS;
      places[place] = from;
      places[place + 1] = to;
      places[place + 2] = at;
      count += 1;
      end = to;
    },
    clear() {
      count = 0;
    },
    *[Symbol.iterator]() {
      for (let place = 0; place < count * COLUMNS; place += COLUMNS)
        yield { from: places[place] ?? 0, to: places[place + 1] ?? 0, at: places[place + 2] ?? 0 };
    },
  };
}
