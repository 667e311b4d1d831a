/** Gives each change a time and a version that no other change has, in this tab or another. */

/** The facts of a change that is made now. */
export interface Stamp {
  modifiedAt: number;
  version: string;
}

/** Makes stamps; versions do not depend on the clock, which may go backwards. */
export function createStamps(clock: () => number): () => Stamp {
  let tab: string | undefined;
  let count = 0;
  return () => {
    // Workers refuse randomness at module level, where a backend may be made, so it is drawn at the first use.
    tab ??= Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join(
      "",
    );
    count += 1;
    return { modifiedAt: clock(), version: `${tab}.${count.toString(36)}` };
  };
}
