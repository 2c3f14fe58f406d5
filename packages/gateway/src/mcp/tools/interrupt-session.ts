import { z } from "zod";
import { defineTool } from "./define-tool.ts";

export const interruptSession = defineTool({
  name: "interrupt_session",
  title: "Interrupt a session",
  description:
    "Stops the running turn of a session. Files that it changed stay. Queued messages are paused, run next or are cancelled.",
  input: z.strictObject({
    session: z.string().max(210),
    queue: z.enum(["pause", "keep", "clear"]).default("pause"), // prose-ignore: value of the API
  }),
  output: z.object({
    interrupted: z.boolean(),
    paused: z.boolean(),
    kept: z.array(z.string()), // prose-ignore: a fixed JSON field
    cancelled: z.array(z.string()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run({ client }, { session, queue }) {
    const stopped = await client.sessions.interrupt(session, queue);
    const waiting = stopped.paused ? " Its queue is paused." : "";
    return { data: stopped, text: `${stopped.interrupted ? "Interrupted." : "No turn was running."}${waiting}` };
  },
});
