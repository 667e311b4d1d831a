/** One JSON Schema told to each provider in the form it takes, with a report of what could not be said. */

import { isRecord, type JsonObject } from "../../base/json.ts";
import { ANTHROPIC_STRICT_LIMITS, anthropicStrictRules, strictCost } from "./anthropic-strict.ts";
import { applyRules, type DialectRules } from "./filter.ts";
import { geminiRules } from "./gemini.ts";
import { checkOpenAiLimits, openAiStrictRules } from "./openai-strict.ts";
import { toPlain } from "./plain.ts";
import { type SchemaLoss, startReport } from "./report.ts";

/** A provider's form of tool schemas. */
export type SchemaDialect = "openai" | "openai_strict" | "anthropic" | "anthropic_strict" | "gemini" | "mcp";

/** A schema in a provider's form. */
export interface DialectSchema {
  schema: JsonObject;
  /** Whether the provider can hold the model to it; only ever true for the strict forms. */
  strict: boolean;
  /** What the provider is not told; it is still checked when the tool is called. */
  losses: SchemaLoss[];
}

/**
 * Puts a tool's schema into a provider's form.
 *
 * A strict form that is impossible falls back to the provider's ordinary one, with `strict: false` and a loss of the
 * keyword `strict` that says why. In OpenAI's strict form optional parameters are nullable; a null that comes back is
 * taken as absent when the call is made.
 *
 * @param schema A JSON Schema; anything else counts as one that takes no arguments.
 * @param dialect The form.
 */
export function toDialect(schema: unknown, dialect: SchemaDialect): DialectSchema {
  if (dialect === "mcp") return { schema: asObject(schema), strict: false, losses: [] };
  if (dialect === "openai_strict") return toStrict(schema, openAiStrictRules, "openai");
  if (dialect === "anthropic_strict") return toStrict(schema, anthropicStrictRules, "anthropic");
  const place = startReport();
  const plain = toPlain(schema, place);
  return {
    schema: dialect === "gemini" ? applyRules(plain, geminiRules, place) : plain,
    strict: false,
    losses: place.report.losses,
  };
}

/** What a request needs to know of a tool to put it into a provider's form. */
export interface DialectTool {
  name: string;
  inputSchema: JsonObject;
  strict?: boolean | undefined;
}

/**
 * Puts the tools of one request into a provider's form. Where a provider limits strict tools per request, the first
 * ones that ask for it and fit are strict; the others fall back.
 *
 * @param tools The tools in order of importance; only those with `strict` are tried in a strict form.
 * @param provider The provider.
 */
export function toDialects(
  tools: readonly DialectTool[],
  provider: "openai" | "anthropic" | "gemini" | "mcp",
): DialectSchema[] {
  const left = { ...ANTHROPIC_STRICT_LIMITS };
  return tools.map(({ inputSchema, strict }) => {
    if (strict !== true || provider === "gemini" || provider === "mcp") return toDialect(inputSchema, provider);
    const converted = toDialect(inputSchema, `${provider}_strict`);
    if (provider === "openai" || !converted.strict) return converted;
    const cost = strictCost(converted.schema);
    if (left.tools < 1 || left.optional < cost.optional || left.unions < cost.unions) {
      const plain = toDialect(inputSchema, "anthropic");
      return {
        ...plain,
        losses: [...plain.losses, { path: "", keyword: "strict", reason: "over the limits of one request" }],
      };
    }
    left.tools -= 1;
    left.optional -= cost.optional;
    left.unions -= cost.unions;
    return converted;
  });
}

function toStrict(schema: unknown, rules: DialectRules, fallback: "openai" | "anthropic"): DialectSchema {
  const place = startReport();
  const strict = applyRules(toPlain(schema, place), rules, place);
  if (fallback === "openai") checkOpenAiLimits(strict, place);
  const { losses, notStrict } = place.report;
  if (notStrict === undefined) return { schema: strict, strict: true, losses };
  const plain = toDialect(schema, fallback);
  return { ...plain, losses: [...plain.losses, { path: "", keyword: "strict", reason: notStrict }] };
}

function asObject(schema: unknown): JsonObject {
  const given = isRecord(schema) ? (schema as JsonObject) : {};
  return { ...given, type: "object", ...(given.properties === undefined ? { properties: {} } : {}) };
}
