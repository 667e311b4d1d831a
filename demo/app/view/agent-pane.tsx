/** The pane of the agent: who drives, the conversation, and what is allowed. */
import type { ComponentChild } from "preact";
import { newConversation, stop } from "../drive/reply.ts";
import type { Driver } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";
import { ConversationView } from "./conversation-view.tsx";
import { EndpointTab } from "./endpoint-tab.tsx";
import { HandTab } from "./hand-tab.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { PermissionBar } from "./permission-bar.tsx";
import { ScriptTab } from "./script-tab.tsx";
import { Tabs } from "./tabs.tsx";

const drivers: readonly { id: Driver; label: string; icon: IconName; content: () => ComponentChild }[] = [
  { id: "script", label: "Script", icon: "list", content: () => <ScriptTab /> },
  { id: "endpoint", label: "Endpoint", icon: "spark", content: () => <EndpointTab /> },
  { id: "you", label: "You", icon: "hand", content: () => <HandTab /> },
];

/** Draws the pane. */
export function AgentPane() {
  const store = useStore();
  const { driver, run } = store;
  const isEmpty = store.conversation.value.messages.length === 0;
  return (
    <section class={`pane agent ${isEmpty ? "fresh" : ""}`} id="agent" aria-labelledby="agent-title" tabIndex={-1}>
      <header class="pane-head">
        <h2 id="agent-title">Agent</h2>
        <button type="button" class="small-button" disabled={isEmpty} onClick={() => void newConversation(store)}>
          New conversation
        </button>
      </header>
      <Tabs
        label="Who decides what is done"
        tabs={drivers}
        current={driver.value}
        onChange={(id) => {
          driver.value = id;
        }}
      />
      <ConversationView />
      {run.value !== undefined && (
        <div class="run-bar">
          <span class="pulse" />
          <span>{store.question.value === undefined ? "Working…" : "Waiting for you"}</span>
          <button type="button" class="button stop" onClick={() => void stop(store)}>
            <Icon name="stop" />
            Stop
          </button>
        </div>
      )}
      <PermissionBar />
    </section>
  );
}
