import { z } from "zod";
import { LaneRow, laneRow } from "../reading/rows.ts";
import { defineTool } from "./define-tool.ts";

export const listLanes = defineTool({
  name: "list_lanes",
  title: "List lanes",
  description:
    "Lists lanes, the git worktrees in which agents work, with their branch, changes and sessions. A session's agent sees its own lane and those of the sessions that it started.",
  input: z.strictObject({
    cwd: z.string().max(4096).optional().describe("A folder of the repository. Default: all known repositories."),
    limit: z.int().min(1).max(200).default(50),
    offset: z.int().min(0).default(0),
  }),
  output: z.object({
    lanes: z.array(LaneRow),
    nextOffset: z.number().int().optional().describe("Present if there are more lanes"),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ client }, { cwd, limit, offset }) {
    const { lanes } = await client.lanes.list({ cwd });
    const rows = lanes.slice(offset, offset + limit).map(laneRow);
    const next = lanes.length > offset + limit ? offset + limit : undefined;
    const lines = rows.map(({ id, name, kind, branch, changes, ahead, sessions }) => {
      const on = branch ? ` on ${branch}` : "";
      return `${id} ${name} (${kind}${on}): ${ahead} commits ahead, ${changes} uncommitted files, ${sessions.length} sessions`;
    });
    if (next !== undefined) lines.push(`(There are more: use offset=${next}.)`);
    return {
      data: { lanes: rows, ...(next === undefined ? {} : { nextOffset: next }) },
      text: lines.join("\n") || "There are no lanes.",
    };
  },
});
