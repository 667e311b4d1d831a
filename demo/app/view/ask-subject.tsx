/** What a question is about, whole: nothing of the input may stay hidden from the one who allows it. */
import type { ToolCallBlock } from "holdall";
import { describeCall, prettyInput, readInput } from "./call-text.ts";
import { MarkedCommand } from "./marked-command.tsx";

/** Draws the command, or the path and the texts; then all that is left of the input. */
export function AskSubject({ call }: { call: ToolCallBlock }) {
  const { command, subject } = describeCall(call);
  const values = readInput(call.input);
  if (Object.keys(values).length === 0) return <pre>{prettyInput(call.input)}</pre>;
  const { old_string: before, new_string: after, ...others } = values;
  const isEdit = typeof before === "string" && typeof after === "string";
  const { command: _, file_path: path, ...rest } = isEdit ? others : values;
  return (
    <div class="subject">
      {command !== undefined && <MarkedCommand command={command} />}
      {typeof path === "string" && <p class="mono">{subject}</p>}
      {isEdit && (
        <>
          <pre class="minus-block">{before}</pre>
          <pre class="plus-block">{after}</pre>
        </>
      )}
      {Object.entries(rest).map(([name, value]) => (
        <Value key={name} name={name} value={value} />
      ))}
    </div>
  );
}

function Value({ name, value }: { name: string; value: unknown }) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const isShort = text.length < 80 && !text.includes("\n");
  return (
    <div class="value">
      <span class="quiet">{name}</span> {isShort ? <code>{text}</code> : <pre>{text}</pre>}
    </div>
  );
}
