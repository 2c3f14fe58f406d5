import { z } from "zod";
import { Changes, changesText, readSessionChanges } from "../reading/changes.ts";
import { inputLines, SessionRow, sessionLine, sessionRow } from "../reading/rows.ts";
import { readTranscript, TranscriptEntry, transcriptText } from "../reading/transcript.ts";
import { defineTool } from "./define-tool.ts";

const LONGEST = 200_000;

export const readSession = defineTool({
  name: "read_session",
  title: "Read a session",
  description:
    "Reads a session: the end of its transcript, another page of it (`before` or `after` with a cursor of an earlier answer), or its changes as a patch (`part: diff`). Long content is cut, and the answer has the cursor or the names of the files that it leaves out.",
  input: z.strictObject({
    session: z.string().max(210),
    part: z.enum(["transcript", "diff"]).default("transcript"),
    before: z.int().min(1).optional().describe("Only entries before this position"),
    after: z.int().min(0).optional().describe("Only entries after this position"),
    turn: z.string().max(210).optional().describe("For a diff: one turn. Default: the lane, or the last turn."),
    file: z.string().max(4096).optional().describe("For a diff: one file"),
    max_chars: z.int().min(500).max(LONGEST).default(20_000),
  }),
  output: z.object({
    session: SessionRow,
    entries: z.array(TranscriptEntry).optional(),
    older: z.number().int().optional().describe("Cursor for `before`: there are older entries"),
    newer: z.number().int().optional().describe("Cursor for `after`: there are newer entries"),
    changes: Changes.optional(),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ client }, { session: id, part, before, after, turn, file, max_chars: maxChars }) {
    const session = await client.sessions.get(id);
    const head = [sessionLine(session), ...inputLines(session.inputs)].join("\n");
    if (part === "diff") {
      const changes = await readSessionChanges(client, session, { turn, file, maxChars });
      return { data: { session: sessionRow(session), changes }, text: `${head}\n\n${changesText(changes)}` };
    }
    const page = await readTranscript(client, id, { before, after, maxChars });
    return { data: { session: sessionRow(session), ...page }, text: `${head}\n\n${transcriptText(page)}` };
  },
});
