import { defineTool } from "holdall";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";

test("execute is given what the schema makes of the input", () => {
  defineTool({
    name: "get_weather",
    description: "Tells the weather in a city.",
    input: v.object({ city: v.string(), unit: v.optional(v.picklist(["celsius", "fahrenheit"]), "celsius") }),
    execute(input) {
      expectTypeOf(input).toEqualTypeOf<{ city: string; unit: "celsius" | "fahrenheit" }>();
      return "Sunny";
    },
  });
});
