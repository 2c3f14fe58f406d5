import { z } from "zod";
import { type PendingAction, type Tool, ToolError } from "../../contract/tool.ts";
import { defineTool, textOutput } from "../define.ts";

/** The pending previews, oldest first. `take` removes one. */
export interface PendingQueue {
  peek(): PendingAction | undefined;
  take(): PendingAction | undefined;
}

export const NOTHING_PENDING = "No pending action to resolve. Nothing to apply or discard.";

const schema = () =>
  z.object({
    action: z.enum(["apply", "discard"]),
    reason: z.string().min(1).describe("why, in one sentence"),
    extra: z.unknown().optional(),
  });

/** Decides about the oldest preview. Its actions are those of the previewed change, so that the permission check sees them. */
export function resolveTool(pending: PendingQueue): Tool {
  return defineTool({
    name: "resolve",
    label: "Resolve",
    description: "Applies or discards a change that a tool has previewed.",
    schema,
    hidden: true,
    concurrency: "exclusive",
    title: ({ action }) => `${action === "apply" ? "Apply" : "Discard"} ${pending.peek()?.label ?? "nothing"}`,
    actions: ({ action }) =>
      action === "apply" ? (pending.peek()?.actions ?? [{ kind: "inner" }]) : [{ kind: "inner" }],
    preview: async () => pending.peek()?.preview,
    run: async ({ action, reason }, context, allowed) => {
      const waiting = pending.peek();
      if (!waiting) throw new ToolError(NOTHING_PENDING);
      if (action === "apply" && waiting.actions && waiting.actions !== allowed) {
        throw new ToolError("The pending preview is not the one that was allowed. Call resolve again.");
      }
      pending.take();
      const meta = { action, reason, label: waiting.label, sourceTool: waiting.sourceTool };
      if (action === "apply") {
        const output = await waiting.apply(reason, context.signal);
        return { ...output, details: { resolve: meta, result: output.details } };
      }
      const output = await waiting.reject?.(reason);
      return output ?? textOutput(`Discarded: ${waiting.label}. Reason: ${reason}`, { resolve: meta });
    },
  });
}
