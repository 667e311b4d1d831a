/** The tab in which the person is the model: choose a tool, fill in its input, call it. */
import { useComputed, useSignal } from "@preact/signals";
import { callByHand } from "../drive/drivers.ts";
import { fieldsOf } from "../form/fields.ts";
import { readForm, type Values } from "../form/values.ts";
import { useStore } from "../store/use-store.ts";
import { SchemaForm } from "./schema-form.tsx";

/** Draws the tab. */
export function HandTab() {
  const store = useStore();
  const schemas = useComputed(() => store.toolkit.value.schemas({ state: store.conversation.value.state }));
  const chosen = useSignal("Read");
  const values = useSignal<Record<string, Values>>({});
  const problems = useSignal<Readonly<Record<string, string>>>({});
  const schema = schemas.value.find(({ name }) => name === chosen.value) ?? schemas.value[0];
  if (schema === undefined) return <p class="empty">There are no tools.</p>;

  const fields = fieldsOf(schema.inputSchema);
  const filled = values.value[schema.name] ?? {};
  const { input } = readForm(fields, filled);
  const call = (event: Event): void => {
    event.preventDefault();
    const read = readForm(fields, filled);
    problems.value = read.problems;
    const [first] = Object.keys(read.problems);
    if (first === undefined) void callByHand(store, schema.name, read.input);
    else document.getElementById(`field-${first}`)?.focus();
  };
  return (
    <form class="setup hand" onSubmit={call} noValidate>
      <div class="hand-head">
        <label for="tool">
          <strong>You are the model.</strong> Call
        </label>
        <select
          id="tool"
          value={schema.name}
          onChange={(event) => {
            chosen.value = event.currentTarget.value;
            problems.value = {};
          }}
        >
          {schemas.value.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <button type="submit" class="button main" disabled={store.run.value !== undefined}>
          Call {schema.name}
        </button>
      </div>
      <details class="note">
        <summary>What a model is told about {schema.name}</summary>
        <p class="description">{schema.description}</p>
      </details>
      <SchemaForm
        fields={fields}
        values={filled}
        problems={problems.value}
        onChange={(name, value) => {
          values.value = { ...values.value, [schema.name]: { ...filled, [name]: value } };
        }}
      />
      <details class="note">
        <summary>The input as JSON</summary>
        <pre>{JSON.stringify(input, null, 2)}</pre>
      </details>
    </form>
  );
}
