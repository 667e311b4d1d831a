/** Looks a stored state over, so that a broken one is refused at once and not somewhere in the middle of a call. */

import { isRecord } from "../base/json.ts";

/**
 * Finds the first thing in a stored state that its type does not allow.
 *
 * @param state The parsed JSON.
 * @returns What is wrong where, such as `messages[2].role is not one of system, user, assistant`; undefined when all
 * is well.
 */
export function findStateFault(state: Readonly<Record<string, unknown>>): string | undefined {
  return stateShape(state, "");
}

/** Gives what is wrong with a value, or undefined. */
type Check = (value: unknown, path: string) => string | undefined;

const text: Check = (value, path) => (typeof value === "string" ? undefined : `${path} is not text`);
const name: Check = (value, path) => (typeof value === "string" && value !== "" ? undefined : `${path} is not a name`);
const number: Check = (value, path) => (typeof value === "number" ? undefined : `${path} is not a number`);
const object: Check = (value, path) => (isRecord(value) ? undefined : `${path} is not an object`);

const maybe =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? undefined : check(value, path);

const orNull =
  (check: Check): Check =>
  (value, path) =>
    value === null ? undefined : check(value, path);

const oneOf =
  (...choices: readonly string[]): Check =>
  (value, path) =>
    choices.some((choice) => choice === value) ? undefined : `${path} is not one of ${choices.join(", ")}`;

const list =
  (check: Check): Check =>
  (value, path) =>
    Array.isArray(value)
      ? firstFault(value, (item, index) => check(item, `${path}[${index}]`))
      : `${path} is not a list`;

const mapOf =
  (check: Check): Check =>
  (value, path) =>
    isRecord(value)
      ? firstFault(Object.entries(value), ([key, item]) => check(item, `${path}[${JSON.stringify(key)}]`))
      : `${path} is not an object`;

const shape = (members: Readonly<Record<string, Check>>): Check => {
  const entries = Object.entries(members);
  return (value, path) =>
    isRecord(value)
      ? firstFault(entries, ([key, check]) => check(value[key], path === "" ? key : `${path}.${key}`))
      : `${path} is not an object`;
};

/** A shape that depends on the member `type`. */
const tagged = (shapes: Readonly<Record<string, Check>>): Check => {
  const types = Object.keys(shapes);
  return (value, path) => {
    const type = isRecord(value) ? types.find((each) => each === value.type) : undefined;
    const check = type === undefined ? undefined : shapes[type];
    return check === undefined ? `${path} is not of type ${types.join(", ")}` : check(value, path);
  };
};

const rule = shape({
  tool: name,
  content: maybe(text),
  behavior: oneOf("allow", "deny", "ask"),
  source: maybe(text),
});

const output = {
  text: shape({ text, id: maybe(text) }),
  data: shape({
    source: tagged({
      base64: shape({ mediaType: text, data: text }),
      url: shape({ url: text, mediaType: maybe(text) }),
    }),
    name: maybe(text),
    id: maybe(text),
  }),
};

const block = tagged({
  ...output,
  thinking: shape({ thinking: text, signature: maybe(text), id: maybe(text) }),
  hint: shape({ hint: text, source: maybe(text), id: maybe(text) }),
  tool_call: shape({
    id: text,
    name: text,
    input: text,
    state: oneOf("pending", "asking", "allowed", "submitted", "finished"),
    suggestedRules: maybe(list(rule)),
  }),
  tool_result: shape({
    id: text,
    name: text,
    output: list(tagged(output)),
    state: oneOf("running", "success", "error", "denied", "interrupted", "suspended"),
    metadata: object,
  }),
});

const message = shape({
  id: text,
  role: oneOf("system", "user", "assistant"),
  name: maybe(text),
  content: list(block),
  createdAt: maybe(number),
  finishedReason: maybe(oneOf("completed", "awaiting", "interrupted", "exceed_max_iters", "error")),
  usage: maybe(shape({ inputTokens: number, outputTokens: number })),
  metadata: maybe(object),
});

const dispatch = shape({
  toolCallId: text,
  tool: text,
  decision: oneOf("dispatched", "denied"),
  by: text,
  input: maybe(object),
  at: number,
});

const stateShape = shape({
  sessionId: name,
  messages: list(message),
  reply: maybe(orNull(shape({ replyId: text, iteration: number }))),
  permission: maybe(
    shape({
      mode: maybe(oneOf("default", "accept_edits", "explore", "bypass", "dont_ask")),
      rules: list(rule),
      workingDirectories: list(text),
    }),
  ),
  toolContext: maybe(shape({ activeGroups: orNull(list(text)), readFiles: mapOf(shape({ version: text })) })),
  dispatches: maybe(list(dispatch)),
  extra: maybe(object),
});

function firstFault<T>(items: readonly T[], check: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const fault = check(item, index);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
