import { z } from "zod";
import { type Tool, ToolError } from "../../contract/tool.ts";
import { defineTool } from "../define.ts";

/**
 * A place in the conversation to come back to, kept by the session. It is about what the model remembers, not about
 * files. `rewind` takes effect before the next request: what came after the mark is left out and the report stands in
 * its place. One mark at a time.
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
      "Marks this place in the conversation before a search whose details will not matter later. `rewind` then drops all since and keeps a report. Files are not touched.",
    schema: z.object({ goal: z.string().min(1).describe("what you want to find out") }),
    concurrency: "exclusive",
    actions: () => [{ kind: "inner" }],
    run: async ({ goal }, context) => {
      const open = marks.current();
      if (open) throw new ToolError(`A checkpoint is open already (${open.goal}). Rewind to it first.`);
      marks.mark(goal, context.callId);
      return `Checkpoint set: ${goal}. Call rewind with a report when you know.`;
    },
  });
  const rewind = defineTool({
    name: "rewind",
    label: "Rewind",
    description: "Drops from the conversation everything since the checkpoint and keeps the report in its place.",
    schema: z.object({ report: z.string().min(1).describe("all that must not be forgotten") }),
    concurrency: "exclusive",
    actions: () => [{ kind: "inner" }],
    run: async ({ report }) => {
      if (!marks.current()) throw new ToolError("There is no checkpoint to rewind to.");
      marks.rewind(report);
      return `Rewound. Report kept:\n${report}`;
    },
  });
  return [checkpoint, rewind];
}
