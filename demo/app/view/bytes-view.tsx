/** Shows a file that is no text: a picture as one, anything else by its facts. */
import { useEffect, useState } from "preact/hooks";
import type { Content } from "../editor/document.ts";
import { formatBytes } from "../text/format.ts";

/** Draws the file. */
export function BytesView({ path, content }: { path: string; content: Content }) {
  if (content.kind === "image") return <Picture path={path} bytes={content.bytes} mediaType={content.mediaType} />;
  if (content.kind === "binary") {
    return (
      <p class="empty">
        This file is not text ({formatBytes(content.bytes.length)}). Tools can use it; download it to see it.
      </p>
    );
  }
  return <p class="empty">This file is not there any more.</p>;
}

function Picture({ path, bytes, mediaType }: { path: string; bytes: Uint8Array; mediaType: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mediaType }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, mediaType]);
  return <div class="picture">{url !== undefined && <img src={url} alt={path} />}</div>;
}
