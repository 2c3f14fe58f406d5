import type { Client } from "@gantry/client";
import { GantryError, type Session } from "@gantry/protocol";
import { z } from "zod";
import { fileFields, fileLines, listFiles } from "./rows.ts";

/** Changes as a patch. `left`: the files that the patch leaves out because of its size. */
export const Changes = z.object({
  of: z.string().describe("The lane or turn whose changes these are"),
  ...fileFields,
  additions: z.number().int(),
  deletions: z.number().int(),
  patch: z.string(),
  left: z.array(z.string()),
  notice: z.string().optional().describe("Present if the patch is cut: how to get the rest"),
});

export type Changes = z.infer<typeof Changes>;

export type ChangesRequest = { turn?: string; file?: string; maxChars: number };

/** The changes of a session: of one turn, of its lane, or of its last turn if it works outside of a lane. */
export async function readSessionChanges(client: Client, session: Session, request: ChangesRequest): Promise<Changes> {
  if (request.turn === undefined && session.lane !== undefined) return readLaneChanges(client, session.lane, request);
  const turn = request.turn ?? session.turn?.id ?? session.lastTurn?.id;
  if (turn === undefined) {
    throw new GantryError("no_such_turn", `${session.id} has had no turn yet, so it has changed nothing.`, {
      remedy: "Wait for it first.",
    });
  }
  const diff = await client.turns.diff(session.id, turn, { path: request.file, bytes: request.maxChars });
  const { additions, deletions } = diff.total;
  const notice = diff.cut ? cutNotice(request) : undefined;
  const left = diff.left.map(({ path }) => path);
  return { of: turn, ...listFiles(diff.files), additions, deletions, patch: diff.patch, left, notice };
}

/** The changes of a lane since its base, with uncommitted files. */
export async function readLaneChanges(client: Client, lane: string, request: ChangesRequest): Promise<Changes> {
  const diff = await client.lanes.diff(lane, { file: request.file, limit: request.maxChars });
  const { additions, deletions, patch, left } = diff;
  const notice = diff.notice === undefined ? undefined : cutNotice(request);
  return { of: lane, ...listFiles(diff.files), additions, deletions, patch, left, notice };
}

function cutNotice({ file, maxChars }: ChangesRequest): string {
  const how = file === undefined ? "read one file at a time with `file`, or raise `max_chars`" : "raise `max_chars`";
  return `The patch is cut at ${maxChars} bytes: ${how}.`;
}

export function changesText(changes: Changes): string {
  const { of, files, moreFiles = 0, additions, deletions, patch, left, notice } = changes;
  if (files.length === 0) return `${of} has changed nothing.`;
  const count = files.length + moreFiles;
  const head = `${count} changed ${count === 1 ? "file" : "files"} of ${of} (+${additions} -${deletions}):`;
  const rest = left.length > 0 ? `Not in the patch: ${left.join(", ")}` : undefined;
  return [head, ...fileLines(changes), "", patch, rest, notice].filter((line) => line !== undefined).join("\n");
}
