/** One reply: texts, thoughts and calls in the order they came. */
import { type Block, type FinishedReason, type Message, toolResult } from "holdall";
import { CallCard } from "./call-card.tsx";
import { DataBlockView } from "./data-block-view.tsx";

const endings: Readonly<Partial<Record<FinishedReason, string>>> = {
  interrupted: "Stopped.",
  exceed_max_iters: "Stopped: the model was asked as often as allowed.",
  error: "The reply broke off.",
};

/** Draws the reply. */
export function ReplyView({ message }: { message: Message }) {
  const { content, finishedReason, name, usage } = message;
  const ending = finishedReason === undefined ? undefined : endings[finishedReason];
  return (
    <article class="reply" aria-label={`Reply of ${name ?? "the agent"}`} aria-busy={finishedReason === undefined}>
      <p class="who">{name}</p>
      {content.map((block, index) => (
        <BlockView key={block.id ?? index} block={block} message={message} />
      ))}
      {ending !== undefined && <p class="ending">{ending}</p>}
      {usage !== undefined && (
        <p class="usage">
          {usage.inputTokens.toLocaleString("en")} tokens in, {usage.outputTokens.toLocaleString("en")} out
        </p>
      )}
    </article>
  );
}

function BlockView({ block, message }: { block: Block; message: Message }) {
  switch (block.type) {
    case "text":
      return <p class="text">{block.text}</p>;
    case "thinking":
      return (
        <details class="thinking">
          <summary>Thoughts</summary>
          <p class="text">{block.thinking}</p>
        </details>
      );
    case "tool_call":
      return <CallCard call={block} result={toolResult(message, block.id)} />;
    case "data":
      return <DataBlockView block={block} />;
    case "hint":
      return <p class="ending">{block.hint}</p>;
    // A result is drawn with its call.
    case "tool_result":
      return null;
  }
}
