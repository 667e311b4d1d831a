/** Ids from a counter with a random start: unique within a process, hard to guess across processes, cheap to make. */

let prefix = "";
let count = 0;

/** Makes one id. */
export type MakeId = () => string;

/** Makes an id of ASCII letters, digits and a hyphen, at most 24 characters long. */
export const makeId: MakeId = () => {
  // Workers refuse randomness at module level, so the start is drawn at the first use.
  if (prefix === "") {
    for (const byte of crypto.getRandomValues(new Uint8Array(8))) prefix += (byte % 36).toString(36);
  }
  count += 1;
  return `${prefix}-${count.toString(36)}`;
};

/** Tells the time in milliseconds since 1970. */
export type Clock = () => number;
