import { JobId } from "@gantry/protocol";
import { z } from "zod";
import { fileFields, fileLines, listFiles } from "../reading/rows.ts";
import { defineTool } from "./define-tool.ts";

export const landLane = defineTool({
  name: "land_lane",
  title: "Land a lane",
  description:
    "Merges the work of a lane into its base branch. Uncommitted files are committed first. A refusal, such as a conflict, changes nothing. Read the diff first.",
  input: z.strictObject({
    lane: z.string().max(210).describe("lan_…, from list_lanes"),
    how: z.enum(["merge", "squash", "rebase"]).default("merge"),
    message: z.string().min(1).max(20_000).optional().describe("The commit message"),
    id: JobId.optional().describe("Idempotency key, job_…: a repeated call returns the first landing"),
  }),
  output: z.object({
    id: z.string(),
    lane: z.string(),
    into: z.string(),
    state: z.string(),
    to: z.string().optional().describe("The new tip of the base"),
    undo: z.string().optional().describe("The command that takes it back"),
    ...fileFields,
    notices: z.array(z.string()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  needsGrant: true,
  async run({ client }, { lane, ...body }) {
    const landing = await client.landings.land(lane, body);
    const { id, name, into, state, to, undo, notices } = landing;
    const files = listFiles(landing.files);
    const text = [
      `Landed ${name} on ${into}: ${state}.`,
      ...fileLines(files),
      ...notices,
      undo?.command && `Undo: ${undo.command}`,
    ];
    return {
      data: { id, lane: landing.lane, into, state, to, undo: undo?.command, ...files, notices },
      text: text.filter((line) => line).join("\n"),
    };
  },
});
