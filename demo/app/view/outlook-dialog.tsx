/** Tells what would happen to a command that the person types; nothing runs. */
import { useStore } from "../store/use-store.ts";
import { Icon } from "./icon.tsx";
import { MarkedCommand } from "./marked-command.tsx";
import { Modal } from "./modal.tsx";
import { ModeTable } from "./mode-table.tsx";

const examples: readonly string[] = [
  "git log --oneline | head -5",
  "npm test && git commit -am wip",
  "find . -name '*.log' -delete",
  "echo $(cat .env) > /etc/hosts",
];

/** Draws the dialog while the person looks ahead. */
export function OutlookDialog() {
  const { outlook } = useStore();
  if (outlook.value === undefined) return null;
  const command = outlook.value;
  const close = (): void => {
    outlook.value = undefined;
  };
  return (
    <Modal labelledBy="outlook-title" className="wide" onCancel={close}>
      <h2 id="outlook-title" tabIndex={-1}>
        <Icon name="shield" />
        What would happen?
      </h2>
      <div class="field">
        <label for="outlook-command">A command line</label>
        <input
          id="outlook-command"
          class="mono"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={command}
          onInput={(event) => {
            outlook.value = event.currentTarget.value;
          }}
        />
      </div>
      {command.trim() === "" ? (
        <div class="examples">
          <p class="quiet">It is read, never run. For example:</p>
          {examples.map((example) => (
            <button
              key={example}
              type="button"
              class="small-button mono"
              onClick={() => {
                outlook.value = example;
              }}
            >
              {example}
            </button>
          ))}
        </div>
      ) : (
        <>
          <MarkedCommand command={command} />
          <ModeTable tool="Bash" input={{ command }} showRules />
        </>
      )}
      <div class="modal-actions">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
    </Modal>
  );
}
