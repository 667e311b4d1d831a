/** The conversation: what was asked, what was said, and every call with its outcome. */
import type { Message } from "holdall";
import { useStore } from "../store/use-store.ts";
import { sentence } from "../text/format.ts";
import { Icon } from "./icon.tsx";
import { ReplyView } from "./reply-view.tsx";
import { useStickToEnd } from "./stick-to-end.ts";

/** Draws the conversation and keeps its end in sight while the person is there. */
export function ConversationView() {
  const store = useStore();
  const { messages } = store.conversation.value;
  const scroller = useStickToEnd<HTMLDivElement>();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div ref={scroller} class="conversation scroll" role="log" aria-label="Conversation" aria-live="off" tabIndex={0}>
      <div class="conversation-inner">
        {messages.length === 0 && store.problem.value === undefined && (
          <p class="empty">
            Nothing was said yet. Each tool call will show here with its input, its result and what it changed.
          </p>
        )}
        {messages.map((message) => (
          <OneMessage key={message.id} message={message} />
        ))}
        {store.problem.value !== undefined && (
          <p class="problem" role="alert">
            <Icon name="warning" />
            {sentence(store.problem.value)}
          </p>
        )}
      </div>
    </div>
  );
}

function OneMessage({ message }: { message: Message }) {
  if (message.role === "assistant") return <ReplyView message={message} />;
  const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  return (
    <article class="said" aria-label="You">
      <p>{text}</p>
    </article>
  );
}
