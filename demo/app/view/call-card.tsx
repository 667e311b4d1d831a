/** One tool call: its input, how it stands, what it gave and what it changed. */
import { relativePath, type ToolCallBlock, type ToolResultBlock } from "holdall";
import { useMemo } from "preact/hooks";
import { compareTexts, countChanges, type Hunk, readUnifiedDiff } from "../diff/hunks.ts";
import { decodeText } from "../editor/document.ts";
import { useStore } from "../store/use-store.ts";
import { oneLine } from "../text/format.ts";
import { ROOT } from "../workspace/limits.ts";
import { describeCall, prettyInput } from "./call-text.ts";
import { DataBlockView } from "./data-block-view.tsx";
import { DiffView } from "./diff-view.tsx";
import { Icon } from "./icon.tsx";
import { LongText } from "./long-text.tsx";
import { StatePill, stateOf } from "./state-pill.tsx";

interface CallProps {
  call: ToolCallBlock;
  result: ToolResultBlock | undefined;
}

/** Draws the call. */
export function CallCard({ call, result }: CallProps) {
  const { icon, subject, command } = describeCall(call);
  const state = stateOf(call, result);
  const progress = useStore().progress.value.get(call.id);
  return (
    <article class={`call ${state}`} aria-label={`Call of ${call.name}`}>
      <header>
        <Icon name={icon} />
        <h3>
          {call.name}{" "}
          <span class={command === undefined ? "mono" : ""} title={subject}>
            {subject}
          </span>
        </h3>
        <StatePill state={state} />
      </header>
      {command !== undefined && <pre class="command">{command}</pre>}
      <Changes callId={call.id} result={result} subject={subject} />
      {progress !== undefined && <p class="progress">{oneLine(progress)}</p>}
      {result?.output.map((block, index) =>
        block.type === "text" ? (
          <LongText key={index} text={block.text} />
        ) : (
          <DataBlockView key={index} block={block} />
        ),
      )}
      <details class="raw">
        <summary>Input</summary>
        <pre>{prettyInput(call.input)}</pre>
      </details>
    </article>
  );
}

interface FileDiff {
  path: string;
  /** Undefined for a file that is no text. */
  hunks: readonly Hunk[] | undefined;
}

/** What a call changed. The path is left out where the card says it already. */
function Changes({
  callId,
  result,
  subject,
}: {
  callId: string;
  result: ToolResultBlock | undefined;
  subject: string;
}) {
  const changes = useStore().changes.value.get(callId);
  const diffs = useMemo((): FileDiff[] => {
    if (changes !== undefined)
      return changes.map(({ path, before, after }) => ({
        path: relativePath(path, ROOT),
        hunks: compareBytes(before, after),
      }));
    const { diff, file_path } = result?.metadata ?? {};
    const hunks = typeof diff === "string" ? readUnifiedDiff(diff) : undefined;
    return hunks === undefined
      ? []
      : [{ path: typeof file_path === "string" ? relativePath(file_path, ROOT) : subject, hunks }];
  }, [changes, result?.metadata, subject]);
  return (
    <>
      {diffs.map(({ path, hunks }) => (
        <OneDiff key={path} path={path} hunks={hunks} isNamed={path !== subject} />
      ))}
    </>
  );
}

function OneDiff({ path, hunks, isNamed }: FileDiff & { isNamed: boolean }) {
  if (hunks === undefined) return <p class="diff-title">{path} has changed; it is not text.</p>;
  const { added, removed } = countChanges(hunks);
  return (
    <div class="diff-box">
      <p class="diff-title">
        {isNamed && <span class="mono">{path}</span>}
        <span class="plus">+{added}</span>
        <span class="minus">−{removed}</span>
      </p>
      <div class="scroll">
        <DiffView path={path} hunks={hunks} />
      </div>
    </div>
  );
}

function compareBytes(before: Uint8Array | undefined, after: Uint8Array | undefined): Hunk[] | undefined {
  const [old, fresh] = [before, after].map((bytes) => (bytes === undefined ? "" : decodeText(bytes)));
  return old === undefined || fresh === undefined ? undefined : compareTexts(old, fresh);
}
