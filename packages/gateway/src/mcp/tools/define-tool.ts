import { GantryError } from "@gantry/protocol";
import type { CallToolResult, ServerContext, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Coordinator } from "../coordinator.ts";

/** One running call. `signal` aborts when the client cancels it or disconnects. */
export type ToolCall = {
  signal: AbortSignal;
  /** Sends a progress notification, if the client asked for them. Never throws. */
  report(message: string): void;
};

/** `data` is the structured content, `text` the same for a reader. */
export type ToolAnswer<Output> = { data: Output; text: string };

/** A tool of the coordinator. `run` throws `GantryError`, which becomes a tool error with the reason. */
export type Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  annotations: ToolAnnotations;
  /** Listed and allowed only with a grant of a person. */
  needsGrant?: boolean;
  run(coordinator: Coordinator, input: z.output<Input>, call: ToolCall): Promise<ToolAnswer<z.input<Output>>>;
};

/** Keeps the types of the schemas for `run` and forgets them for the table of tools. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(tool: Tool<Input, Output>): Tool {
  return tool as unknown as Tool;
}

/** Runs a tool and turns its answer or failure into a result. Rejects only for a cancelled call. */
export async function runTool(
  tool: Tool,
  coordinator: Coordinator,
  input: Record<string, unknown>,
  context: ServerContext,
): Promise<CallToolResult> {
  const { signal } = context.mcpReq;
  try {
    requireGrant(tool, coordinator);
    const { data, text } = await tool.run(coordinator, input, { signal, report: progressReporter(context) });
    return { content: [{ type: "text", text }], structuredContent: data as Record<string, unknown> };
  } catch (error) {
    if (signal.aborted || !(error instanceof GantryError)) throw error;
    return describeFailure(error);
  }
}

/** The daemon refuses a session without the grant, with the reason. The owner's token may do everything, so this refuses it. */
function requireGrant({ name, needsGrant }: Tool, { caller }: Coordinator): void {
  if (!needsGrant || caller.kind === "session" || caller.decides) return;
  throw new GantryError("not_permitted", `This client may not use ${name}: approvals and landings are for a person.`, {
    remedy: "A person can grant it: `gantry mcp --lead`, or `/mcp?lead=1`.",
  });
}

/** The reason for the model, and the code for programs. Output schemas do not cover failures. */
function describeFailure(error: GantryError): CallToolResult {
  const { code, message, remedy, status } = error;
  const text = [`${message} (${code})`, remedy].filter((line) => line).join("\n");
  return {
    content: [{ type: "text", text }],
    isError: true,
    _meta: { "gantry/error": { code, status, message, remedy } },
  };
}

function progressReporter({ mcpReq }: ServerContext): ToolCall["report"] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message };
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
