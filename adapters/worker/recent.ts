/** Remembers which numbers have been met lately. */

/**
 * Makes a memory of numbers that grow, more or less in order.
 *
 * @param size How far behind the largest number one may come and still be told from a repeated one; later it counts as
 *   repeated.
 * @returns Tells whether a number is new, and remembers it.
 */
export function createRecent(size: number): (id: number) => boolean {
  const met = new Set<number>();
  let largest = -1;
  return (id) => {
    if (id <= largest - size || met.has(id)) return false;
    met.add(id);
    largest = Math.max(largest, id);
    if (met.size > 2 * size) for (const old of met) if (old <= largest - size) met.delete(old);
    return true;
  };
}
