/** What is allowed: the mode, and the rules that were remembered. */
import type { PermissionRule } from "holdall";
import { touchConversation } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";
import { count } from "../text/format.ts";
import { Icon } from "./icon.tsx";
import { modes } from "./modes.ts";

/** Draws the bar. */
export function PermissionBar() {
  const store = useStore();
  const { permission } = store.conversation.value.state;
  const current = modes.find(({ mode }) => mode === permission.mode) ?? modes[0];
  const isBypass = current?.mode === "bypass";
  const change = (event: { currentTarget: HTMLSelectElement }): void => {
    const chosen = modes.find(({ mode }) => mode === event.currentTarget.value);
    if (chosen !== undefined) permission.mode = chosen.mode;
    touchConversation(store);
  };
  const remove = (rule: PermissionRule): void => {
    permission.rules = permission.rules.filter((one) => one !== rule);
    touchConversation(store);
  };
  return (
    <section class={`permission ${isBypass ? "bypass" : ""}`} aria-label="Permission">
      <div class="permission-row">
        <label for="mode">
          <Icon name={isBypass ? "warning" : "shield"} />
          <span class="unseen">Permission mode</span>
        </label>
        <select id="mode" value={current?.mode} onChange={change} aria-describedby="mode-hint">
          {modes.map(({ mode, label }) => (
            <option key={mode} value={mode}>
              {label}
            </option>
          ))}
        </select>
        <p id="mode-hint" class="quiet">
          {current?.hint}
        </p>
        <button
          type="button"
          class="small-button"
          onClick={() => {
            store.outlook.value = "";
          }}
        >
          What if…
        </button>
      </div>
      {permission.rules.length > 0 && (
        <details class="rules">
          <summary>{count(permission.rules.length, "remembered rule")}</summary>
          <ul>
            {permission.rules.map((rule) => (
              <li key={ruleText(rule)}>
                <span>{rule.behavior}</span> <code>{ruleText(rule)}</code>
                <button type="button" class="plain-button" onClick={() => remove(rule)}>
                  <Icon name="close" />
                  <span class="unseen">Forget the rule {ruleText(rule)}</span>
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** Writes a rule the way people write it. */
export function ruleText({ tool, content }: PermissionRule): string {
  return content === undefined || content === "" ? tool : `${tool}(${content})`;
}
