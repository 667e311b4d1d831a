/** The tab of a model behind an endpoint. */
import { useSignal } from "@preact/signals";
import { askEndpoint } from "../drive/drivers.ts";
import type { Endpoint } from "../store/settings.ts";
import { useStore } from "../store/use-store.ts";

const presets: readonly { name: string; baseUrl: string }[] = [
  { name: "Ollama", baseUrl: "http://localhost:11434/v1" },
  { name: "LM Studio", baseUrl: "http://localhost:1234/v1" },
  { name: "OpenRouter", baseUrl: "https://openrouter.ai/api/v1" },
  { name: "OpenAI", baseUrl: "https://api.openai.com/v1" },
];

/** Draws the tab. */
export function EndpointTab() {
  const store = useStore();
  const text = useSignal("");
  const showsAddress = useSignal(store.conversation.value.messages.length === 0);
  const { baseUrl, model } = store.endpoint.value;
  const isReady = baseUrl !== "" && model !== "";
  const isBusy = store.run.value !== undefined;
  const send = (): void => {
    const message = text.value.trim();
    if (message === "" || !isReady || isBusy) return;
    text.value = "";
    showsAddress.value = false;
    void askEndpoint(store, message);
  };
  return (
    <form
      class="setup"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <details
        class="address"
        open={showsAddress.value || !isReady}
        onToggle={({ currentTarget }) => {
          showsAddress.value = currentTarget.open;
        }}
      >
        <summary>{isReady ? `${model} at ${hostOf(baseUrl)}` : "Where the model is"}</summary>
        <Address />
      </details>
      <div class="composer">
        <label class="unseen" for="message">
          Message
        </label>
        <textarea
          id="message"
          rows={2}
          placeholder={isReady ? "What shall be done with these files?" : "Enter an address and a model first"}
          value={text}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <button type="submit" class="button main" disabled={!isReady || isBusy || text.value.trim() === ""}>
          Send
        </button>
      </div>
    </form>
  );
}

/** Names the server; a text that is no address yet stays as it is. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

function Address() {
  const { endpoint } = useStore();
  const { baseUrl, model, apiKey } = endpoint.value;
  const set = (change: Partial<Endpoint>): void => {
    endpoint.value = { ...endpoint.value, ...change };
  };
  return (
    <>
      <div class="grid-form pairs">
        <div class="field wide">
          <label for="endpoint-url">Base URL</label>
          <input
            id="endpoint-url"
            inputMode="url"
            placeholder="http://localhost:11434/v1"
            autocomplete="off"
            spellcheck={false}
            value={baseUrl}
            onInput={(event) => set({ baseUrl: event.currentTarget.value.trim() })}
          />
          <fieldset class="chips" aria-label="Known addresses">
            {presets.map((preset) => (
              <button key={preset.name} type="button" class="chip" onClick={() => set({ baseUrl: preset.baseUrl })}>
                {preset.name}
              </button>
            ))}
          </fieldset>
        </div>
        <div class="field">
          <label for="endpoint-model">Model</label>
          <input
            id="endpoint-model"
            placeholder="qwen3"
            autocomplete="off"
            spellcheck={false}
            value={model}
            onInput={(event) => set({ model: event.currentTarget.value.trim() })}
          />
        </div>
        <div class="field">
          <label for="endpoint-key">API key</label>
          <input
            id="endpoint-key"
            type="password"
            placeholder="none"
            autocomplete="off"
            aria-describedby="endpoint-note"
            value={apiKey}
            onInput={(event) => set({ apiKey: event.currentTarget.value.trim() })}
          />
        </div>
      </div>
      <p class="hint" id="endpoint-note">
        The key is kept in memory only. What you ask and what the tools find goes to this address, and nowhere else.
      </p>
      <details class="note">
        <summary>If requests fail: CORS</summary>
        <p>
          The server must allow requests from this page. Ollama does so for pages of this machine; for others start it
          with <code>OLLAMA_ORIGINS={location.origin}</code>. In LM Studio switch on CORS. The page may only talk to
          https addresses, and to http ones on this machine.
        </p>
      </details>
    </>
  );
}
