/** Asks the person whether a call may run. Escape denies: nothing runs by accident. */
import { useSignal } from "@preact/signals";
import type { PermissionRule } from "holdall";
import { answerQuestion, stop } from "../drive/reply.ts";
import type { Question } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";
import { AskSubject } from "./ask-subject.tsx";
import { describeCall, prettyInput, readInput } from "./call-text.ts";
import { Icon } from "./icon.tsx";
import { Modal } from "./modal.tsx";
import { ModeTable } from "./mode-table.tsx";
import { ruleText } from "./permission-bar.tsx";

/** Draws the question, while there is one. */
export function AskDialog() {
  const { question } = useStore();
  return question.value === undefined ? null : <Ask key={question.value.call.id} question={question.value} />;
}

function Ask({ question: { call, decision } }: { question: Question }) {
  const store = useStore();
  const feedback = useSignal("");
  const original = prettyInput(call.input);
  const input = useSignal(original);
  const allow = (rules: PermissionRule[]) => (): void => {
    const edited = input.value === original ? {} : { input: input.value };
    void answerQuestion(store, { kind: "allow", rules, ...edited });
  };
  const deny = (): void => void answerQuestion(store, { kind: "deny", feedback: feedback.value.trim() });
  const { reason, message } = decision;
  return (
    <Modal labelledBy="ask-title" className="ask" onCancel={deny}>
      <h2 id="ask-title" tabIndex={-1}>
        <Icon name={describeCall(call).icon} />
        Allow {call.name}?
      </h2>
      <AskSubject call={call} />
      <p class="why">
        {typeof message === "string" && message}
        {typeof reason === "string" && <span class="quiet"> {reason}</span>}
      </p>
      <details class="note">
        <summary>What would happen in other modes</summary>
        <ModeTable tool={call.name} input={readInput(call.input)} />
      </details>
      <details class="note">
        <summary>Change the input first</summary>
        <label class="unseen" for="ask-input">
          Input as JSON
        </label>
        <textarea
          id="ask-input"
          class="mono"
          spellcheck={false}
          value={input}
          onInput={(event) => {
            input.value = event.currentTarget.value;
          }}
        />
      </details>
      <div class="modal-actions stacked">
        <button type="button" class="button main" onClick={allow([])}>
          Allow once
        </button>
        {call.suggestedRules?.map((rule) => (
          <button key={ruleText(rule)} type="button" class="button" onClick={allow([rule])}>
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
