/** Draws a diff. */
import { countChanges, type DiffLine, type Hunk } from "../diff/hunks.ts";

/** The most lines of a diff that are drawn. */
const MAX_LINES = 1000;

const signs = { same: "", added: "+", removed: "−" } as const;

/** Draws hunks as one table: old line, new line, sign, text. */
export function DiffView({ path, hunks }: { path: string; hunks: readonly Hunk[] }) {
  const { added, removed } = countChanges(hunks);
  if (added + removed === 0) return <p class="empty">No line differs.</p>;
  const lines = hunks.flat().length;
  return (
    <table class="diff" aria-label={`Changes of ${path}: ${added} added, ${removed} removed`}>
      {firstLines(hunks).map((hunk, index) => (
        <tbody key={index}>
          {hunk.map((line) => (
            <Line key={`${line.oldLine ?? ""}-${line.newLine ?? ""}`} line={line} />
          ))}
        </tbody>
      ))}
      {lines > MAX_LINES && (
        <tfoot>
          <tr>
            <td colSpan={4}>and {lines - MAX_LINES} more lines</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function firstLines(hunks: readonly Hunk[]): Hunk[] {
  let room = MAX_LINES;
  return hunks.map((hunk) => {
    const lines = hunk.slice(0, room);
    room -= lines.length;
    return lines;
  });
}

function Line({ line: { kind, text, oldLine, newLine } }: { line: DiffLine }) {
  return (
    <tr class={kind}>
      <td class="number">{oldLine}</td>
      <td class="number">{newLine}</td>
      <td class="sign">
        {signs[kind]}
        {kind !== "same" && <span class="unseen">{kind}</span>}
      </td>
      <td class="text">{text}</td>
    </tr>
  );
}
