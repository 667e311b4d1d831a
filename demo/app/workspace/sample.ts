/** The sample project; its files are in `demo/sample`. */
import type { WorkspaceFiles } from "./workspace.ts";

const sources: Record<string, string> = import.meta.glob("../../sample/**/*", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** A small project with a test that fails; the script knows how to mend it. */
export function sampleFiles(): WorkspaceFiles {
  const encoder = new TextEncoder();
  const files = Object.entries(sources).map(
    ([path, text]) => [path.replace("../../sample/", ""), encoder.encode(text)] as const,
  );
  return { name: "Roastery stock", isSample: true, files: new Map(files) };
}
