import { once } from "@gantry/models";
import { z } from "zod";
import { type Tool, type ToolContext, ToolError, type ToolOutput, type ToolPlace } from "../contract/tool.ts";
import type { Action } from "../permissions/action.ts";
import { parseLeniently } from "./coerce.ts";

/**
 * A tool as its author writes it. `title` and `actions` are called before the permission check and must have no effect; a
 * `ToolError` from them is returned to the model as invalid arguments. `run` receives the permitted actions and may return
 * a plain text. Any other error that it throws becomes a `ToolError`.
 */
export type ToolDefinition<Schema extends z.ZodType> = {
  name: string;
  label: string;
  description: string;
  /** A function is called when the schema is first needed: building the schemas of all tools takes a fifth of the start. */
  schema: Schema | (() => Schema);
  concurrency?: "shared" | "exclusive";
  hidden?: boolean;
  title?(args: z.output<Schema>, place: ToolPlace): string;
  actions(args: z.output<Schema>, place: ToolPlace): Action[];
  /** What the call would change, as a unified diff or text, for the permission question. */
  preview?(args: z.output<Schema>, place: ToolPlace): Promise<string | undefined>;
  run(args: z.output<Schema>, context: ToolContext, actions: readonly Action[]): Promise<ToolOutput | string>;
};

export function defineTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): Tool {
  const { name, label, description, concurrency, hidden } = definition;
  const schemaOf = once(() => (typeof definition.schema === "function" ? definition.schema() : definition.schema));
  let parameters: Record<string, unknown> | undefined;
  return {
    name,
    label,
    spec: {
      name,
      description,
      // Converted for the first request to a model, because that takes longer than the rest of the start.
      get parameters() {
        parameters ??= parametersOf(schemaOf());
        return parameters;
      },
    },
    ...(concurrency && { concurrency }),
    ...(hidden && { hidden }),
    prepare(input, place) {
      const parsed = parseLeniently(schemaOf(), input);
      if (!parsed.success) return { invalid: argumentErrors(name, parsed.error, input) };
      const args = parsed.data;
      try {
        const actions = definition.actions(args, place);
        const { preview } = definition;
        return {
          title: definition.title?.(args, place) ?? label,
          actions,
          ...(preview && { preview: () => preview(args, place) }),
          run: (context) => runGuarded(() => definition.run(args, context, actions), context.signal),
        };
      } catch (error) {
        return { invalid: messageOf(error) };
      }
    },
  };
}

/** The JSON Schema of the arguments, as models receive it. */
export function parametersOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return parameters;
}

export function textOutput(text: string, details?: unknown): ToolOutput {
  return { content: [{ type: "text", text }], ...(details !== undefined && { details }) };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export async function runGuarded(run: () => Promise<ToolOutput | string>, signal: AbortSignal): Promise<ToolOutput> {
  if (signal.aborted) throw new ToolError("Aborted before the start.");
  try {
    const output = await run();
    return typeof output === "string" ? textOutput(output) : output;
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(signal.aborted ? "Aborted." : messageOf(error), { cause: error });
  }
}

function argumentErrors(tool: string, error: z.ZodError, input: unknown): string {
  const lines = error.issues
    .slice(0, 8)
    .map((issue) => `- ${z.core.toDotPath(issue.path) || "arguments"}: ${issue.message}`);
  const received = JSON.stringify(input) ?? String(input);
  return [
    `The arguments of ${tool} are invalid:`,
    ...lines,
    `Received: ${received.length > 500 ? `${received.slice(0, 500)}…` : received}`,
  ].join("\n");
}
