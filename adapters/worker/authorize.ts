/** Who may use a server. */

import { HoldallError } from "holdall";

/** Decides about a request; whatever it throws refuses. */
export type Authorize = (request: Request) => boolean | Promise<boolean>;

/** The shortest token that is accepted, in characters. */
export const MIN_TOKEN_LENGTH = 16;

/**
 * Lets requests in that bring a token as `Authorization: Bearer TOKEN`.
 *
 * Digests are compared, whole, so that the time tells nothing about how much of a guess was right.
 *
 * @param token The token, or several of which each is good. Each at least 16 characters, drawn at random.
 * @throws HoldallError `SERVE_OPTION`
 */
export function bearerToken(token: string | readonly string[]): Authorize {
  const tokens = typeof token === "string" ? [token] : [...token];
  if (tokens.length === 0 || tokens.some((each) => each.length < MIN_TOKEN_LENGTH || /\s/.test(each)))
    throw new HoldallError(
      "SERVE_OPTION",
      `a token must have ${MIN_TOKEN_LENGTH} characters or more, and no white space. Draw one at random.`,
    );
  let digests: Promise<Uint8Array[]> | undefined;
  return async (request) => {
    const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (given === undefined) return false;
    // Workers do no such work at module level, where a server may be made.
    digests ??= Promise.all(tokens.map(digest));
    const [candidate, known] = await Promise.all([digest(given), digests]);
    let matches = 0;
    for (const each of known) matches |= isSame(candidate, each);
    return matches === 1;
  };
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** Gives 1 for the same bytes, else 0, in the same time. */
function isSame(one: Uint8Array, other: Uint8Array): number {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index += 1) difference |= (one[index] ?? 0) ^ (other[index] ?? 0);
  return difference === 0 ? 1 : 0;
}
