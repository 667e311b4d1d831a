/** The parts of Standard Schema 1.1 that are used here; any library that speaks it fits. See https://standardschema.dev */

/** A schema that can validate. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardProps<Input, Output>;
}

/** The properties behind `~standard`. */
export interface StandardProps<Input = unknown, Output = Input> {
  readonly version: 1;
  readonly vendor: string;
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  /** Present where the library can tell its own JSON Schema. */
  readonly jsonSchema?: { readonly input: (options: { target: string }) => Record<string, unknown> } | undefined;
}

/** What validating gave. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> };

/** One fault of a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** The validated type of a schema. */
export type InferOutput<S> = S extends StandardSchema<unknown, infer Output> ? Output : never;
