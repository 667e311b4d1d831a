import { defineTool, functionTool, type InputOf, type StandardSchema, type ToolInput } from "holdall";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

const name = "t";
const description = "A tool.";
const valibotInput = v.object({ city: v.string(), days: v.optional(v.pipe(v.string(), v.transform(Number)), "1") });
const zodInput = z.object({ city: z.string(), days: z.string().transform(Number).default(1) });

interface Weather {
  city: string;
  days: number;
}

test("the input of every function is what valibot makes of it", () => {
  defineTool({
    name,
    description,
    input: valibotInput,
    checkPermissions(input) {
      expectTypeOf(input).toEqualTypeOf<Weather>();
      return { behavior: "passthrough" };
    },
    checkReadOnly: (input) => input.days === 0,
    matchRule: (content, input) => input.city === content,
    generateSuggestions: (input) => [{ tool: name, content: input.city, behavior: "allow" }],
    execute: (input) => input.city.repeat(input.days),
  });
});

test("the input is what zod makes of it", () => {
  defineTool({
    name,
    description,
    input: zodInput,
    execute(input) {
      expectTypeOf(input).toEqualTypeOf<Weather>();
      return "";
    },
  });
});

test("the input of a raw schema, or of none, is a record", () => {
  defineTool({
    name,
    description,
    input: { jsonSchema: { type: "object", properties: { city: { type: "string" } } } },
    execute(input) {
      expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>();
      return "";
    },
  });
  defineTool({
    name,
    description,
    execute(input) {
      expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>();
      return "";
    },
  });
});

test("the input of a pair is what its schema makes of it", () => {
  const schema = {} as StandardSchema<string, { at: Date }>;
  defineTool({
    name,
    description,
    input: { schema, jsonSchema: true },
    execute(input) {
      expectTypeOf(input).toEqualTypeOf<{ at: Date }>();
      return "";
    },
  });
  expectTypeOf<InputOf<{ schema: typeof schema; jsonSchema: true }>>().toEqualTypeOf<{ at: Date }>();
});

test("a function is given the validated input", () => {
  functionTool(
    (input) => {
      expectTypeOf(input).toEqualTypeOf<Weather>();
      return "";
    },
    { name, input: valibotInput },
  );
});

test("only schemas are an input", () => {
  expectTypeOf(valibotInput).toExtend<ToolInput>();
  expectTypeOf(zodInput).toExtend<ToolInput>();
  expectTypeOf<{ jsonSchema: true }>().toExtend<ToolInput>();
  expectTypeOf<{ type: "object" }>().not.toExtend<ToolInput>();
  expectTypeOf<string>().not.toExtend<ToolInput>();
});
