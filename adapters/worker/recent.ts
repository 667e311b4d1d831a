/** Remembers which numbers have been met lately. */

/**
 * Makes a memory of numbers that grow, more or less in order.
 *
 * @param size How far behind the largest number one may come and still be told from a repeated one; later it counts as
 *   repeated.
 * @returns Tells whether a number is new, and remembers it.
 */
export function createRecent(size: number): (id: number) => boolean {
  /** The largest number of which all before are met, or are too old to be new. */
  let through = -1;
  /** What is met beyond it. */
  const beyond = new Set<number>();
  let largest = -1;
  return (id) => {
    // Most come in order, and cost nothing.
    if (id === through + 1 && beyond.size === 0) {
      through = id;
      largest = id;
      return true;
    }
    if (id <= through || beyond.has(id)) return false;
    beyond.add(id);
    largest = Math.max(largest, id);
    if (through < largest - size) {
      through = largest - size;
      for (const old of beyond) if (old <= through) beyond.delete(old);
    }
    for (; beyond.has(through + 1); through += 1) beyond.delete(through + 1);
    return true;
  };
}
