/** Shows how the open file differs from the one that was opened. */
import { useMemo } from "preact/hooks";
import { compareTexts } from "../diff/hunks.ts";
import { type Content, decodeText } from "../editor/document.ts";
import { useStore } from "../store/use-store.ts";
import { DiffView } from "./diff-view.tsx";

/** Draws the difference. */
export function ChangesView({ path, content }: { path: string; content: Content }) {
  const { workspace } = useStore();
  const original = workspace.value.original.get(path);
  const hunks = useMemo(() => {
    const before = original === undefined ? "" : decodeText(original);
    const after = content.kind === "text" ? content.text : content.kind === "missing" ? "" : undefined;
    return before === undefined || after === undefined ? undefined : compareTexts(before, after);
  }, [original, content]);
  if (hunks === undefined) return <p class="empty">The file has changed, but it is not text.</p>;
  return (
    <div class="fill scroll">
      <DiffView path={path} hunks={hunks} />
    </div>
  );
}
