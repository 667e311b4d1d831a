/** The time of the host. */

/** Tells milliseconds since some beginning. */
export type Clock = () => number;

/** The host's clock. */
export const defaultClock: Clock = () => Date.now();
