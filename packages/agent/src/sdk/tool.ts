import type { z } from "zod";
import type { Tool, ToolContext, ToolOutput, ToolPlace } from "../contract/tool.ts";
import type { Action } from "../permissions/action.ts";
import { createArgumentCheck } from "../rpc/host/argument-check.ts";
import { defineTool, runGuarded, type ToolDefinition } from "../tools/define.ts";

type Optional<Schema extends z.ZodType> = Pick<
  ToolDefinition<Schema>,
  "concurrency" | "hidden" | "title" | "preview"
> & {
  /** Default: the name. */
  label?: string;
  /**
   * What the call is about to do, so that the permission mode can decide. Default: a call of the program's tool, which
   * every mode except `plan` allows. A tool that changes files or runs commands declares that here.
   */
  actions?(args: z.output<Schema>, place: ToolPlace): Action[];
};

/** A tool with a Zod schema. Arguments that do not match are returned to the model. */
export type ZodTool<Schema extends z.ZodType> = Optional<Schema> &
  Pick<ToolDefinition<Schema>, "name" | "description" | "schema" | "run">;

/** A tool with a JSON Schema of its arguments. */
export type JsonTool = Pick<Optional<z.ZodType>, "label" | "concurrency" | "hidden"> & {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  actions?(args: Record<string, unknown>, place: ToolPlace): Action[];
  run(args: Record<string, unknown>, context: ToolContext): Promise<ToolOutput | string>;
};

/** Makes a tool of a program. `run` returns a text or a `ToolOutput`; an error that it throws is returned to the model. */
export function createTool<Schema extends z.ZodType>(definition: ZodTool<Schema>): Tool;
export function createTool(definition: JsonTool): Tool;
export function createTool(definition: ZodTool<z.ZodType> | JsonTool): Tool {
  const actions = (): Action[] => [{ kind: "host_tool.invoke", tool: definition.name }];
  if ("schema" in definition) return defineTool({ actions, label: definition.name, ...definition });
  return createJsonTool(definition, definition.actions ?? actions);
}

function createJsonTool(definition: JsonTool, actionsOf: NonNullable<JsonTool["actions"]>): Tool {
  const { name, description, parameters, label = name, concurrency, hidden } = definition;
  const check = createArgumentCheck(parameters);
  return {
    name,
    label,
    spec: { name, description, parameters },
    ...(concurrency ? { concurrency } : {}),
    ...(hidden ? { hidden } : {}),
    prepare(args, place) {
      if (typeof args !== "object" || args === null || Array.isArray(args)) {
        return { invalid: `The arguments of ${name} must be an object.` };
      }
      const problem = check(args);
      if (problem !== undefined) return { invalid: `The arguments of ${name} are not valid: ${problem}.` };
      const checked = args as Record<string, unknown>;
      return {
        title: label,
        actions: actionsOf(checked, place),
        run: (context) => runGuarded(() => definition.run(checked, context), context.signal),
      };
    },
  };
}
