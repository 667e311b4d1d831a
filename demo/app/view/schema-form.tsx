/** Draws the fields of a form that was made out of a JSON Schema. */
import type { Field } from "../form/fields.ts";
import { choiceText, type Values } from "../form/values.ts";

/** What the form needs. */
export interface SchemaFormProps {
  fields: readonly Field[];
  values: Values;
  /** What is wrong, by field. */
  problems: Readonly<Record<string, string>>;
  onChange(name: string, value: string | boolean): void;
}

/** Draws all fields. */
export function SchemaForm({ fields, values, problems, onChange }: SchemaFormProps) {
  if (fields.length === 0) return <p class="hint">This tool takes no input.</p>;
  return (
    <div class="fields">
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          value={values[field.name]}
          problem={problems[field.name]}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  field: Field;
  value: string | boolean | undefined;
  problem: string | undefined;
  onChange(value: string | boolean): void;
}

function FieldRow(props: FieldProps) {
  const { field, problem } = props;
  const id = `field-${field.name}`;
  const isWide = field.kind === "long-text" || field.kind === "json";
  return (
    <div class={`field ${isWide ? "wide" : ""} ${field.kind === "boolean" ? "tick" : ""}`}>
      <label for={id}>
        {field.name}
        {field.isRequired && (
          <span class="required" title="required">
            <span aria-hidden="true"> *</span>
            <span class="unseen"> (required)</span>
          </span>
        )}
      </label>
      <Control {...props} />
      <p class="hint" id={`${id}-hint`}>
        {field.kind === "json" && `JSON: ${field.shape}. `}
        {field.description}
      </p>
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Control({ field, value, problem, onChange }: FieldProps) {
  const { name, kind, isRequired, fallback, choices, minimum, maximum } = field;
  const id = `field-${name}`;
  const shared = {
    id,
    name,
    "aria-describedby": problem === undefined ? `${id}-hint` : `${id}-problem ${id}-hint`,
    "aria-invalid": problem !== undefined,
    "aria-required": isRequired,
  };
  const text = typeof value === "string" ? value : "";
  const placeholder = fallback === "" ? "" : `${fallback} (default)`;
  if (kind === "boolean") {
    const isOn = value === undefined ? fallback === "true" : value === true;
    return (
      <input {...shared} type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
    );
  }
  if (kind === "choice") {
    return (
      <select {...shared} value={text} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{fallback === "" ? "" : placeholder}</option>
        {choices.map(choiceText).map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "long-text" || kind === "json") {
    return (
      <textarea
        {...shared}
        class="mono"
        rows={kind === "json" ? 3 : 2}
        spellcheck={false}
        placeholder={placeholder}
        value={text}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const filled = {
    ...shared,
    placeholder,
    autocomplete: "off",
    value: text,
    onInput: (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value),
  };
  if (kind === "text") return <input {...filled} class="mono" spellcheck={false} />;
  return <input {...filled} type="number" min={minimum} max={maximum} step={kind === "number" ? "any" : 1} />;
}
