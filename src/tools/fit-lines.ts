/** Keeps a list of lines within a length. */

/**
 * Gives the lines from the first on that fit, at least one.
 *
 * @param lines The lines.
 * @param length UTF-16 units, a line end for each line included.
 */
export function fitLines(lines: readonly string[], length: number): string[] {
  let left = length;
  const end = lines.findIndex((line, index) => {
    left -= line.length + 1;
    return left < 0 && index > 0;
  });
  return end < 0 ? [...lines] : lines.slice(0, end);
}
