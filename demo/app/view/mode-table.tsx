/** What would happen to a call in each mode. */
import { useSignal } from "@preact/signals";
import { errorText } from "holdall";
import { useEffect } from "preact/hooks";
import { lookAhead, type Outlook } from "../permission/engine.ts";
import { useStore } from "../store/use-store.ts";
import { modes } from "./modes.ts";
import { ruleText } from "./permission-bar.tsx";

const verdicts = { allow: "Runs", ask: "Asks you", deny: "Is denied" } as const;

/** What the table needs. */
export interface ModeTableProps {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** Whether to name the rules that would let the call pass. */
  showRules?: boolean;
}

/** Draws the table. */
export function ModeTable({ tool, input, showRules = false }: ModeTableProps) {
  const store = useStore();
  const outlook = useSignal<Outlook | undefined>(undefined);
  const problem = useSignal("");
  const key = JSON.stringify(input);
  const { mode: current, rules } = store.conversation.value.state.permission;
  useEffect(() => {
    let isWanted = true;
    lookAhead(store, tool, JSON.parse(key)).then(
      (found) => {
        if (!isWanted) return;
        outlook.value = found;
        problem.value = "";
      },
      (error: unknown) => {
        if (isWanted) problem.value = errorText(error);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [store, tool, key, rules, outlook, problem]);
  if (problem.value !== "") return <p class="field-problem">{problem}</p>;
  const suggested = outlook.value?.default.suggestedRules ?? [];
  return (
    <>
      <table class="outlook">
        <caption class="unseen">What would happen in each mode</caption>
        <thead class="unseen">
          <tr>
            <th scope="col">Mode</th>
            <th scope="col">What happens</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {modes.map(({ mode, label }) => {
            const decision = outlook.value?.[mode];
            return (
              <tr key={mode} class={mode === current ? "current" : ""}>
                <th scope="row">
                  {label}
                  {mode === current && <span class="quiet"> (now)</span>}
                </th>
                <td>
                  {decision !== undefined && (
                    <span class={`verdict ${decision.behavior}`}>{verdicts[decision.behavior]}</span>
                  )}
                </td>
                <td class="quiet">{decision?.reason}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {showRules && suggested.length > 0 && (
        <p class="quiet">
          {suggested.length === 1 ? "With this rule it would pass: " : "With these rules it would pass: "}
          {suggested.map((rule, index) => (
            <span key={ruleText(rule)}>
              {index > 0 && ", "}
              <code>{ruleText(rule)}</code>
            </span>
          ))}
        </p>
      )}
    </>
  );
}
