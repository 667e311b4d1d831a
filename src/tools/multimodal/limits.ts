/** The limits of the multimodal tools. */

/** Bytes of the largest image, sound or video that is sent along: 25 MiB. What a provider takes may be less. */
export const MAX_MEDIA_IN: number = 25 << 20;

/** Bytes of all media of one call together, as long as they are sent along: 32 MiB. */
export const MAX_MEDIA_IN_TOTAL: number = 32 << 20;

/** The most media that one call may give. */
export const MAX_SOURCES = 16;

/** Bytes of the largest image, sound or video that is taken as a result: 24 MiB, which are 32 MiB of base64. */
export const MAX_MEDIA_OUT: number = 24 << 20;

/** Bytes of the largest answer that may hold media as base64: 40 MiB. */
export const MAX_MEDIA_ANSWER: number = 40 << 20;

/** Bytes of the largest other answer: 4 MiB. */
export const MAX_ANSWER: number = 4 << 20;

/** The most media that are taken from one answer. */
export const MAX_RESULTS = 16;

/** The longest address of a medium, in UTF-16 units. */
export const MAX_URL = 8192;

/** The longest text that is sent, in UTF-16 units. What a model takes may be less. */
export const MAX_PROMPT = 100_000;

/** Milliseconds that one request may take, its answer included, when nothing else is said: three minutes. */
export const DEFAULT_REQUEST_TIMEOUT = 180_000;

/** Milliseconds that the next piece of an error's body is waited for: the words of an error are worth no more. */
export const MAX_ERROR_WAIT = 15_000;

/** Milliseconds that a task at a provider may take when nothing else is said: fifteen minutes. */
export const DEFAULT_TASK_TIMEOUT = 900_000;

/** The most times that one task is looked at. */
export const MAX_POLLS = 500;

/** How often in a row looking at a task may fail. */
export const MAX_POLL_FAILURES = 5;
