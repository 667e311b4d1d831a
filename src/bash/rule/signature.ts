/** What makes two simple commands the same, however they are written. */

import type { Unit } from "../types.ts";

/** Describes a command from a word on: what is known by its meaning, what is not by its spelling. */
export function signature(unit: Unit, start: number): string {
  const words = unit.words.slice(start).map((word) => [word.text === undefined ? 1 : 0, word.shown]);
  const assignments = unit.assignments.map(({ name, value }) => [name, value ?? null]);
  const redirects = unit.redirects.map(({ operator, target }) => [operator, target ?? null]);
  return JSON.stringify([start === 0 ? assignments : [], words, redirects]);
}
