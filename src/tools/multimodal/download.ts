/** Fetches a result that a provider keeps behind a URL, and nothing else. */

import { MAX_MEDIA_OUT } from "./limits.ts";
import { MEDIA_HEAD, type MediaKind, mediaTypeOf, serves, tellsItself } from "./media-type.ts";
import type { Provider } from "./provider.ts";
import { downloadError, whatHappened } from "./provider-error.ts";
import { load, type ProviderAnswer } from "./request.ts";

/**
 * Fetches a medium.
 *
 * The provider names the address, and it may not lead into the network of whoever runs this: only https, no address in
 * numbers, no name without a dot, no redirect; no key and no cookie is sent.
 *
 * @throws HoldallError when the address is refused, the answer is an error, too large or of another kind.
 */
export async function downloadMedia(
  provider: Provider,
  url: URL,
  kind: MediaKind,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const answer = await downloadFile(provider, url, MAX_MEDIA_OUT, signal);
  const known = mediaTypeOf(answer.bytes.subarray(0, MEDIA_HEAD));
  // A page that is called an image is none.
  const mediaType = known ?? (tellsItself(answer.mediaType) ? "" : answer.mediaType);
  if (answer.bytes.length > 0 && serves(mediaType, kind)) return { ...answer, mediaType };
  throw downloadError(
    url.host,
    `it is ${answer.bytes.length === 0 ? "empty" : `of type ${mediaType || "unknown"}, not of ${kind}`}`,
  );
}

/** Fetches a file of any kind under the rules of {@link downloadMedia}. */
export async function downloadFile(
  provider: Provider,
  url: URL,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const safe = new URL(url);
  // Stores hand out http addresses although they serve https; whatever the address says, http is never spoken.
  if (safe.port === "") safe.protocol = "https:";
  if (safe.protocol !== "https:") throw downloadError(url.host, "it is not https");
  if (safe.username !== "" || safe.password !== "" || !isPublicName(safe.hostname)) {
    throw downloadError(url.host, "its host is not a public name");
  }
  try {
    return await load(provider, safe, { method: "GET" }, maxBytes, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw downloadError(url.host, whatHappened(error));
  }
}

/** The parser of URLs has brought every way of writing an IPv4 address into the usual one. */
function isPublicName(host: string): boolean {
  if (host.startsWith("[") || /^[\d.]+$/.test(host)) return false;
  return /\.[^.]+\.?$/.test(host) && !privateEnding.test(host);
}

/** Ends of names that are reserved, or usual, for a network of one's own; `localhost.localdomain` is this machine. */
const privateEnding = /\.(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)\.?$/i;
