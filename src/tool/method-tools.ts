/** Tools from the methods of an object: by a decorator, or by a list beside it. */

import { HoldallError } from "../base/errors.ts";
import type { ToolInput } from "../schema/input-schema.ts";
import type { Injected, InjectKeys } from "./call-context.ts";
import { defineTool, type InputValue, type NoKeys, type ToolDefinition } from "./define-tool.ts";
import type { Tool, ToolCallContext, ToolReturn } from "./tool.ts";

/** What a tool's definition says beside the function, which is the method; the name defaults to the method's. */
export type MethodFacts<S extends ToolInput | undefined, K extends InjectKeys> = Omit<
  ToolDefinition<S, K>,
  "execute" | "name" | "external"
> & {
  name?: string;
};

type Method<S, K> = (input: InputValue<S>, call: ToolCallContext & Injected<K>) => ToolReturn;

/** What the decorator has marked, by object. */
const marked = new WeakMap<object, Tool[]>();

/**
 * Marks a method as a tool, as a standard decorator; `toolkit.registerTools(object)` finds it.
 *
 * @example
 * class Clock {
 *   \@tool({ description: "Tells the time.", input: v.object({ zone: v.string() }), readOnly: true })
 *   now({ zone }: { zone: string }) { … }
 * }
 *
 * @param facts The tool's facts.
 */
export function tool<const S extends ToolInput | undefined = undefined, const K extends InjectKeys = NoKeys>(
  facts: MethodFacts<S, K>,
): <This extends object>(
  method: (this: This, ...rest: Parameters<Method<S, K>>) => ToolReturn,
  context: ClassMethodDecoratorContext<This>,
) => void {
  return (method, context) => {
    context.addInitializer(function () {
      const tools = marked.get(this) ?? [];
      marked.set(this, tools);
      tools.push(methodTool(facts, String(context.name), (input, call) => method.call(this, input, call)));
    });
  };
}

/**
 * Lists the tools that a decorator has marked on an object, inherited methods included.
 *
 * @throws HoldallError `TOOL_INVALID` when there are none, which is nearly always a forgotten decorator.
 */
export function markedTools(object: object): readonly Tool[] {
  const tools = marked.get(object);
  if (tools !== undefined) return tools;
  throw new HoldallError(
    "TOOL_INVALID",
    "the object has no methods marked with tool({ … }). Mark some, or use methodTools(object, { … }).",
  );
}

/**
 * Makes tools of an object's methods without a decorator.
 *
 * @example
 * const tools = methodTools(clock, { now: { description: "Tells the time.", readOnly: true } });
 *
 * @param object The object; its methods are called on it.
 * @param methods The facts of each tool by the method's name.
 * @throws HoldallError `TOOL_INVALID` when there is no such method.
 */
export function methodTools<T extends object>(
  object: T,
  methods: { readonly [N in keyof T & string]?: MethodFacts<ToolInput | undefined, NoKeys> },
): Tool[] {
  return Object.entries<MethodFacts<ToolInput | undefined, NoKeys> | undefined>(methods).flatMap(([name, facts]) => {
    if (facts === undefined) return [];
    const method: unknown = Reflect.get(object, name);
    if (typeof method !== "function")
      throw new HoldallError("TOOL_INVALID", `the object has no method ${name}. Name one of its methods.`);
    return [methodTool(facts, name, (input, call) => method.call(object, input, call) as ToolReturn)];
  });
}

function methodTool<S extends ToolInput | undefined, K extends InjectKeys>(
  facts: MethodFacts<S, K>,
  name: string,
  execute: Method<S, K>,
): Tool {
  const definition = { ...facts, name: facts.name ?? name, execute } as ToolDefinition<S, K>;
  return defineTool<S, K>(definition);
}
