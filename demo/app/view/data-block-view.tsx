/** Shows a block of data: a picture as one, anything else by its name. */
import type { DataBlock } from "holdall";

/** Draws the block. What lies behind an address is not fetched: no request leaves the page on its own. */
export function DataBlockView({ block: { source, name } }: { block: DataBlock }) {
  if (source.type === "url") return <p class="ending">{`${name ?? "Data"} at ${source.url}`}</p>;
  const label = name ?? source.mediaType;
  if (!/^image\/(?:png|jpeg|gif|webp|avif)$/.test(source.mediaType)) return <p class="ending">{label}</p>;
  return <img class="data-image" src={`data:${source.mediaType};base64,${source.data}`} alt={label} />;
}
