/** A command line with what was found in it marked, and said below. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Piece, type Reading, readCommand } from "../permission/reading.ts";
import { oneLine } from "../text/format.ts";

/** Remarks that are listed at most. */
const MOST_REMARKS = 8;

/** Draws the command. Until it has been read, and when it cannot be, it stands there unmarked. */
export function MarkedCommand({ command }: { command: string }) {
  const reading = useSignal<Reading | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    reading.value = undefined;
    readCommand(command).then(
      (read) => {
        if (isWanted) reading.value = read;
      },
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [command, reading]);
  const { pieces, remarks } = reading.value ?? { pieces: [{ start: 0, text: command, remarks: [] }], remarks: [] };
  const listed = remarks.slice(0, MOST_REMARKS);
  return (
    <>
      <pre class="command">{pieces.map(drawPiece)}</pre>
      {listed.length > 0 && (
        <ul class="remarks" aria-label="What was found in the command">
          {listed.map(({ weight, message, about, start, end }) => (
            <li key={`${start}-${end}-${message}`} class={weight}>
              {message}
              {about !== "" && !message.includes(about) && (
                <>
                  {" "}
                  <code>{oneLine(about, 60)}</code>
                </>
              )}
            </li>
          ))}
          {remarks.length > listed.length && <li>and {remarks.length - listed.length} more</li>}
        </ul>
      )}
    </>
  );
}

function drawPiece({ start, text, remarks }: Piece) {
  if (remarks.length === 0) return text;
  const weight = remarks.some((remark) => remark.weight === "bad") ? "bad" : "ask";
  return (
    <mark key={start} class={weight} title={remarks.map(({ message }) => message).join("\n")}>
      {text}
    </mark>
  );
}
