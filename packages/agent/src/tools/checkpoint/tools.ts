import { z } from "zod";
import { type Tool, ToolError } from "../../contract/tool.ts";
import { defineTool } from "../define.ts";

/**
 * A mark in the conversation to return to, stored by the session. It concerns the model's context, not files. `rewind`
 * takes effect before the next request: the report replaces everything after the mark. One mark at a time.
 */
export interface ContextMarks {
  current(): { goal: string } | undefined;
  mark(goal: string, callId: string): void;
  rewind(report: string): void;
}

export function checkpointTools(marks: ContextMarks): Tool[] {
  const checkpoint = defineTool({
    name: "checkpoint",
    label: "Checkpoint",
    description:
      "Marks this place in the conversation before a search whose details will not matter later. `rewind` then drops everything since and keeps a report. Files are not touched.",
    schema: z.object({ goal: z.string().min(1).describe("what you want to find out") }),
    concurrency: "exclusive",
    actions: () => [{ kind: "inner" }],
    run: async ({ goal }, context) => {
      const open = marks.current();
      if (open) throw new ToolError(`A checkpoint is already open (${open.goal}). Rewind to it first.`);
      marks.mark(goal, context.callId);
      return `Checkpoint set: ${goal}. Call rewind with a report when you have the answer.`;
    },
  });
  const rewind = defineTool({
    name: "rewind",
    label: "Rewind",
    description: "Drops from the conversation everything since the checkpoint and keeps the report in its place.",
    schema: z.object({ report: z.string().min(1).describe("everything that must not be lost") }),
    concurrency: "exclusive",
    actions: () => [{ kind: "inner" }],
    run: async ({ report }) => {
      if (!marks.current()) throw new ToolError("There is no checkpoint to rewind to.");
      marks.rewind(report);
      return `Rewound. Report:\n${report}`;
    },
  });
  return [checkpoint, rewind];
}
