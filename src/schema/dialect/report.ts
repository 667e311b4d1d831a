/** Collects what a dialect cannot say. */

/** Something of a schema that a provider is not told; the full schema is still checked when the tool is called. */
export interface SchemaLoss {
  /** Where, as a JSON pointer such as `/properties/count`; empty for the root. */
  path: string;
  /** The keyword that is left out or rewritten. */
  keyword: string;
  /** Why, in a few words. */
  reason: string;
}

/** A place in a schema under conversion. */
export interface Place {
  readonly path: string;
  readonly depth: number;
  readonly report: Report;
}

/** What a conversion finds out on its way. */
export interface Report {
  readonly losses: SchemaLoss[];
  /** Why a strict form is impossible; undefined while it is possible. */
  notStrict: string | undefined;
  /** How many schemas were written. */
  nodes: number;
}

/** How deep a schema is followed; what lies deeper accepts anything. */
export const MAX_SCHEMA_DEPTH = 24;

/** The most schemas that are written; references that are followed many times over end here. */
export const MAX_SCHEMA_NODES = 20_000;

/** Starts at the root. */
export function startReport(): Place {
  return { path: "", depth: 0, report: { losses: [], notStrict: undefined, nodes: 0 } };
}

/** Goes one step down. */
export function below(place: Place, ...steps: (string | number)[]): Place {
  const path = steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return { path: place.path + path, depth: place.depth + 1, report: place.report };
}

/** Notes that something is lost. */
export function lose(place: Place, keyword: string, reason: string): void {
  place.report.losses.push({ path: place.path, keyword, reason });
}

/** Notes that the strict form cannot be had. */
export function forbidStrict(place: Place, reason: string): void {
  place.report.notStrict ??= `${place.path || "/"}: ${reason}`;
}
