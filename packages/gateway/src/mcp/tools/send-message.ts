import { MessageId } from "@gantry/protocol";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { Waited, waitAndDescribe, waitSeconds } from "./wait-for-session.ts";

export const sendMessage = defineTool({
  name: "send_message",
  title: "Send a message",
  description:
    "Sends a message to a session. `auto` starts a turn, or steers or queues while one runs; the answer states which. With `wait`, waits until the session rests.",
  input: z.strictObject({
    session: z.string().max(210),
    text: z.string().min(1).max(1_000_000),
    delivery: z.enum(["auto", "queue", "steer", "interrupt"]).optional(),
    id: MessageId.optional().describe("Idempotency key, msg_…: a repeated call sends nothing again"),
    wait: z.boolean().optional(),
    seconds: waitSeconds,
  }),
  output: z.object({
    message: z.string(),
    disposition: z.enum(["started", "queued", "steered", "interrupting"]),
    position: z.number().int().optional(),
    result: Waited.optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run(coordinator, { session, wait, seconds, ...body }, call) {
    const sent = await coordinator.client.sessions.send(session, body);
    const head = `${sent.message}: ${sent.disposition}`;
    if (!wait) return { data: sent, text: head };
    const { data, text } = await waitAndDescribe(coordinator, session, seconds, call);
    return { data: { ...sent, result: data }, text: `${head}\n${text}` };
  },
});
