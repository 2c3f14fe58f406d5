import { z } from "zod";
import { SessionRow, sessionLine, sessionRow } from "../reading/rows.ts";
import { defineTool } from "./define-tool.ts";

export const listSessions = defineTool({
  name: "list_sessions",
  title: "List sessions",
  description:
    "Lists sessions with their state and pending inputs, newest first. A session's agent sees its own session and those that it started.",
  input: z.strictObject({
    state: z.enum(["idle", "running", "waiting", "limited", "ended"]).optional(),
    query: z.string().max(200).optional().describe("Parts of the title, folder, agent or id"),
    archived: z.boolean().optional().describe("Only archived sessions"),
    limit: z.int().min(1).max(100).default(25),
    cursor: z.string().max(200).optional().describe("`nextCursor` of the previous page"),
  }),
  output: z.object({
    sessions: z.array(SessionRow),
    nextCursor: z.string().optional().describe("Present if there are more sessions"),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ client, caller }, { state, query, archived, limit, cursor }) {
    // The daemon has no pages for the few sessions of a family, so the coordinator cuts them.
    const isFamily = caller.kind === "session";
    const offset = isFamily ? Number(cursor ?? 0) || 0 : 0;
    const found = await client.sessions.list({
      ...{ state, q: query, limit: isFamily ? 500 : limit },
      ...(archived ? { archived: "1" as const } : {}),
      ...(isFamily ? {} : { cursor }),
    });
    const sessions = isFamily ? found.sessions.slice(offset, offset + limit) : found.sessions;
    const hasMore = isFamily && found.sessions.length > offset + limit;
    const nextCursor = isFamily ? (hasMore ? String(offset + limit) : undefined) : found.nextCursor;
    const lines = sessions.map(sessionLine);
    if (nextCursor !== undefined) lines.push(`(There are more: use cursor=${nextCursor}.)`);
    return {
      data: { sessions: sessions.map(sessionRow), ...(nextCursor === undefined ? {} : { nextCursor }) },
      text: lines.join("\n") || "There is no such session.",
    };
  },
});
