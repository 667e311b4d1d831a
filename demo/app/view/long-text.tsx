/** A text that shows its beginning until somebody wants all of it. */
import { useSignal } from "@preact/signals";
import { count } from "../text/format.ts";

/** Lines that are shown at first. */
const FIRST_LINES = 8;

/** Characters that are shown at first; a single line may be very long. */
const FIRST_CHARACTERS = 1500;

/** Draws the text. */
export function LongText({ text }: { text: string }) {
  const isOpen = useSignal(false);
  const lines = text.replace(/\n+$/, "").split("\n");
  const beginning = lines.slice(0, FIRST_LINES).join("\n").slice(0, FIRST_CHARACTERS);
  const isLong = lines.length > FIRST_LINES + 2 || text.length > FIRST_CHARACTERS + 200;
  if (text === "") return null;
  return (
    <div class="output">
      <pre>{isLong && !isOpen.value ? beginning : text}</pre>
      {isLong && (
        <button
          type="button"
          class="link-button"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? "Show less" : `Show all ${count(lines.length, "line")}`}
        </button>
      )}
    </div>
  );
}
