/** Finds text in long texts, in steps, and in time that grows with both lengths only, whatever they hold. */

import type { LongText } from "./long-text.ts";
import type { Steps } from "./steps.ts";

/** What is looked for, and how much of it. */
export interface TextSearch {
  /** Not empty. */
  wanted: string;
  /** Whether places that overlap count. */
  overlapping: boolean;
  /** The most places. */
  most: number;
}

/** Units that are searched in one step. */
const WINDOW = 1 << 16;

/**
 * Units of `wanted` that the engine looks for: it takes as many comparisons for each place of a text that is made for
 * it, so the rest is compared where those stand.
 */
const PROBE = 32;

/** What comparing may cost, for each unit of the text, before the search is made safe. */
const PATIENCE = 2;

/** What a comparison costs, in units that one at a time would take as long: engines compare many at once. */
const costOf = (length: number): number => 32 + length / 16;

/** Finds where a text stands; the places rise. */
export function* findPlaces(text: LongText, search: TextSearch): Steps<number[]> {
  const { wanted, overlapping, most } = search;
  const places: number[] = [];
  const probe = wanted.slice(0, PROBE);
  const step = overlapping ? 1 : wanted.length;
  let from = 0;
  let cost = 0;
  let paid = 0;
  for (let base = 0; base < text.length; base += WINDOW) {
    const part = text.slice(base, base + WINDOW + probe.length - 1);
    for (;;) {
      const at = from - base < part.length ? part.indexOf(probe, Math.max(0, from - base)) : -1;
      if (at === -1) break;
      const place = base + at;
      if (wanted === probe || text.slice(place, place + wanted.length) === wanted) {
        if (places.push(place) === most) return places;
        from = place + step;
      } else from = place + 1;
      if (wanted === probe) continue;
      cost += costOf(wanted.length);
      if (cost > PATIENCE * text.length) return yield* findOneByOne(text, search, from, places);
      if (cost - paid < WINDOW) continue;
      paid = cost;
      yield undefined;
    }
    yield undefined;
  }
  return places;
}

/** Knuth, Morris and Pratt: no unit of the text is looked at again, at the price of looking at each by itself. */
function* findOneByOne(
  text: LongText,
  { wanted, overlapping, most }: TextSearch,
  from: number,
  places: number[],
): Steps<number[]> {
  const shorter = yield* borders(wanted);
  const last = shorter[wanted.length - 1] ?? 0;
  let known = 0;
  for (let base = from; base < text.length; base += WINDOW) {
    const part = text.slice(base, base + WINDOW);
    for (let at = 0; at < part.length; at += 1) {
      const unit = part.charCodeAt(at);
      while (known > 0 && wanted.charCodeAt(known) !== unit) known = shorter[known - 1] ?? 0;
      if (wanted.charCodeAt(known) === unit) known += 1;
      if (known < wanted.length) continue;
      if (places.push(base + at + 1 - wanted.length) === most) return places;
      known = overlapping ? last : 0;
    }
    yield undefined;
  }
  return places;
}

/** Gives, for each beginning of a text, the length of the longest shorter one that it ends with. */
function* borders(text: string): Steps<Int32Array> {
  const lengths = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (length > 0 && text.charCodeAt(length) !== unit) length = lengths[length - 1] ?? 0;
    if (text.charCodeAt(length) === unit) length += 1;
    lengths[at] = length;
    if (at % WINDOW === 0) yield undefined;
  }
  return lengths;
}
