/** Leaves fields out instead of setting them to undefined. */

/** The same fields; those that may be undefined may be missing instead. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Copies the fields that are not undefined. */
export function defined<T extends object>(fields: T): Defined<T> {
  // Every call passes here, so no lists are made on the way.
  const kept: Partial<T> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as unknown as Defined<T>;
}
