/** Asks the person whether a call may run. Escape denies: nothing runs by accident. */
import { useSignal } from "@preact/signals";
import { type Answer, answerQuestion, stop } from "../drive/reply.ts";
import type { Question } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";
import { describeCall, prettyInput, readInput } from "./call-text.ts";
import { Icon } from "./icon.tsx";
import { Modal } from "./modal.tsx";
import { ruleText } from "./permission-bar.tsx";

/** Draws the question, while there is one. */
export function AskDialog() {
  const { question } = useStore();
  return question.value === undefined ? null : <Ask key={question.value.call.id} question={question.value} />;
}

function Ask({ question: { call, decision } }: { question: Question }) {
  const store = useStore();
  const feedback = useSignal("");
  const answer = (given: Answer) => () => void answerQuestion(store, given);
  const deny = (): void => void answerQuestion(store, { kind: "deny", feedback: feedback.value.trim() });
  const { reason, message } = decision;
  return (
    <Modal labelledBy="ask-title" className="ask" onCancel={deny}>
      <h2 id="ask-title" tabIndex={-1}>
        <Icon name={describeCall(call).icon} />
        Allow {call.name}?
      </h2>
      <Subject name={call.name} input={call.input} />
      <p class="why">
        {typeof message === "string" && message}
        {typeof reason === "string" && <span class="quiet"> {reason}</span>}
      </p>
      <div class="modal-actions stacked">
        <button type="button" class="button main" onClick={answer({ kind: "allow" })}>
          Allow once
        </button>
        {call.suggestedRules?.map((rule) => (
          <button key={ruleText(rule)} type="button" class="button" onClick={answer({ kind: "allow", rules: [rule] })}>
            Allow and remember <code>{ruleText(rule)}</code>
          </button>
        ))}
      </div>
      <div class="deny-row">
        <label for="feedback" class="unseen">
          What to do instead (optional, told to the model)
        </label>
        <input
          id="feedback"
          placeholder="What to do instead (optional)"
          autocomplete="off"
          value={feedback}
          onInput={(event) => {
            feedback.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.isComposing) deny();
          }}
        />
        <button type="button" class="button deny" onClick={deny}>
          Deny
        </button>
      </div>
      <p class="modal-foot quiet">
        <span>
          <kbd>Esc</kbd> denies.
        </span>
        <button type="button" class="link-button" onClick={() => void stop(store)}>
          Stop the whole reply
        </button>
      </p>
    </Modal>
  );
}

/** What the call is about: the command, or the path and the texts. */
function Subject({ name, input }: { name: string; input: string }) {
  const { command, subject } = describeCall({ name, input });
  const { old_string: before, new_string: after, content } = readInput(input);
  if (command !== undefined) return <pre class="command">{command}</pre>;
  return (
    <div class="subject">
      {subject !== "" && <p class="mono">{subject}</p>}
      {typeof before === "string" && typeof after === "string" ? (
        <>
          <pre class="minus-block">{before}</pre>
          <pre class="plus-block">{after}</pre>
        </>
      ) : (
        <pre>{typeof content === "string" ? content : prettyInput(input)}</pre>
      )}
    </div>
  );
}
