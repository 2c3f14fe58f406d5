import { Answers } from "@gantry/protocol";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";

export const answerInput = defineTool({
  name: "answer_input",
  title: "Answer an input",
  description:
    "Answers what a session waits for: allows or denies one request, or answers its questions. Read the request first. Leave what you are not sure about to a person.",
  input: z.strictObject({
    input: z.string().max(210).describe("inp_…, from wait_for_session or list_sessions"),
    decision: z.enum(["allow", "deny", "cancel"]),
    option: z.string().max(500).optional().describe("One of the request's options"),
    answers: Answers.optional().describe("By question id"),
    message: z.string().max(20_000).optional().describe("For the agent, such as the reason for a denial"),
  }),
  output: z.object({ id: z.string(), session: z.string(), decision: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  needsGrant: true,
  async run({ client }, { input, ...body }) {
    const answered = await client.answer(input, body);
    return { data: answered, text: `${answered.id} of ${answered.session}: ${answered.decision}` };
  },
});
